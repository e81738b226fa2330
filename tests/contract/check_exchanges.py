"""Holds the description against OpenAPI's own rules, and kept exchanges (tests/e2e/exchanges.py) against the description.

    python3 check_exchanges.py DESCRIPTION EXCHANGES

Tells how many exchanges were right, which operations nobody used, and which declared answers nobody got; exit 1 if any was wrong.
"""
import json
import pathlib
import sys

import openapi_spec_validator

from contract import Contract, Mismatch

SHOWN = 20


def main(description_file: str, exchanges_file: str) -> int:
    description = json.loads(pathlib.Path(description_file).read_text(encoding="utf-8"))
    openapi_spec_validator.validate(description)
    contract = Contract(description)
    right, wrong = 0, []
    with open(exchanges_file, encoding="utf-8") as lines:
        for line in lines:
            exchange = json.loads(line)
            if exchange["request"]["target"].startswith("/desk"):
                continue  # pages for people
            try:
                contract.check(exchange)
                right += 1
            except Mismatch as mismatch:
                wrong.append((exchange, mismatch))
    for exchange, mismatch in wrong[:SHOWN]:
        request, answer = exchange["request"], exchange["answer"]
        print(f"{request['method']} {request['target'][:200]} -> {answer['status']}: {mismatch}")
        print(f"    {str(answer.get('body'))[:400].rstrip()}")
    operations = {
        operation["operationId"] for item in description["paths"].values() for name, operation in item.items() if name != "parameters"
    }
    unused = sorted(operations - {name for name, status in contract.seen if status < "300"})
    print(f"exchanges: {right} right, {len(wrong)} wrong; {len(contract.seen)} different answers of {len(operations)} operations")
    print(f"operations without a good answer: {', '.join(unused) or 'none'}")
    return 1 if wrong or not right else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
