"""Lets Schemathesis ask a running server what its description allows, and what it does not, and judges the answers: no 5xx but
503 with Retry-After, no answer that is not declared, no invalid request taken.

    AKIN=build/dev/cli/akin python3 explore.py SCHEMATHESIS SECONDS [--keys] [--strict]

With --keys the server has access keys, and requests without one must be refused. With --strict every check of
Schemathesis counts that can hold, and the seed is another each time, so that each run may find something new; without it the
description alone is held, with one seed. The report is in build/contract.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "e2e"))
from server_process import ServerProcess  # noqa: E402

REPORTS = SOURCE / "build" / "contract"
TEXT = (
    "A hungry fox saw some fine bunches of grapes. They were hanging from a vine along a high trellis. She did her best to "
    "reach them by jumping as high as she could into the air. But it was all in vain, for they were just out of reach."
)
# Lengths in bytes and the grammar of filters, among others, are beyond JSON Schema: what it allows may be refused. DELETE of a
# running task cancels it: it is there until it has ended. A request for something that was just made can be answered 404 for
# another thing that its body names: a check is admitted into a collection.
NOT_PROMISED = ["positive_data_acceptance", "use_after_free", "ensure_resource_availability"]
# Invalid requests are made up at random, so that comparing two runs shows their random difference rather than
# a change of the program.
STRICT = ["negative_data_rejection"]
SEED = "15"
# Without keys in use a request may leave its key out.
OF_KEYS = ["ignored_auth", "missing_required_header", "negative_data_rejection"]


class Server(ServerProcess):
    """`akin serve` with a collection `books`, which has a document `note-1`."""

    def __init__(self, folder: pathlib.Path, keys: bool):
        folder.mkdir(exist_ok=True)
        self.data = folder / "data"
        self.key = self.akin("key", "create", "--scope", "read,write,check,admin").strip() if keys else None
        flags = ["--body-limit", "1048576", "--backup-folder", folder / "backups"]
        self.log = open(folder / "log", "wb")
        super().__init__(self.command("serve", *flags), self.log)
        self.put("/v1/collections/books", None)
        self.put("/v1/collections/books/documents/note-1", {"text": TEXT, "metadata": {"author": "N. N."}})

    def command(self, *arguments) -> list[str]:
        return [os.environ["AKIN"], *map(str, arguments), "--data", str(self.data), "--lang", "en"]

    def akin(self, *arguments) -> str:
        return subprocess.run(self.command(*arguments), check=True, stdout=subprocess.PIPE).stdout.decode()

    def put(self, path: str, body):
        fields = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.key}"} if self.key else {})
        data = None if body is None else json.dumps(body).encode()
        urllib.request.urlopen(urllib.request.Request(self.url + path, data, fields, method="PUT")).close()

    def ended_well(self) -> bool:
        """Ends it; whether it was still alive, and ended well."""
        return self.alive() and self.stop() == 0


def counted(output: str) -> str:
    lines = [line.strip() for line in output.splitlines()]
    wanted = re.compile(r"(Operations:|Tested:|Test cases:|\d+ (generated|passed|found)|.*unique failures|Seed:|.*No issues found|.*\d+ passed).*")
    return "; ".join(line for line in lines if wanted.match(line))


def main(schemathesis: str, seconds: str, *flags: str) -> int:
    REPORTS.mkdir(parents=True, exist_ok=True)
    keys = "--keys" in flags
    name = "with-keys" if keys else "without-keys"
    excluded = set(NOT_PROMISED + ([] if keys else OF_KEYS) + ([] if "--strict" in flags else STRICT))
    with tempfile.TemporaryDirectory(prefix="akin-contract-") as folder:
        server = Server(pathlib.Path(folder), keys)
        command = [
            *(schemathesis, "--config-file", SOURCE / "tests" / "contract" / "schemathesis.toml", "--no-color", "run"),
            *(server.url + "/openapi.json", "--max-time", seconds, "--continue-on-failure", "--warnings", "off"),
            *("--exclude-checks", ",".join(sorted(excluded))),
            *("--report-ndjson-path", REPORTS / f"{name}.ndjson", "--report-junit-path", REPORTS / f"{name}.xml"),
        ]
        if "--strict" not in flags:
            command += ["--seed", SEED]
        if keys:
            command += ["-H", f"Authorization:Bearer {server.key}"]
        told = subprocess.run(
            list(map(str, command)), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            env={**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(SOURCE / "tests" / "contract")},
        )
        output = told.stdout.decode()
        (REPORTS / f"{name}.log").write_text(output)
        lived = server.ended_well()
        (REPORTS / f"{name}.server.log").write_bytes((pathlib.Path(folder) / "log").read_bytes())
    if told.returncode or not lived:
        print(output[-20000:])
    if not lived:
        print("the server did not live to the end, or ended badly")
    print(f"{name}: {counted(output)}")
    return told.returncode or (0 if lived else 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
