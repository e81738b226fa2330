#!/usr/bin/env python3
"""Measures whether the time of an answer reveals of a restricted text what the answer does not.

    tests/experiments/restricted_timing.py build/release/cli/akin

Two collections have the same documents, one of 2,000 words and one of 200,000, and `vault` is restricted. A key that may not
see its texts asks for them, searches for parts of them, and checks such parts, in both collections. Prints the
median of the server's processor time of each request, in milliseconds. Exits with 1 if the refusal of the long text takes a
quarter longer than that of the short one or the reverse, if an answer of the vault takes a fifth longer than the same of the
open collection, or if a passage of the same length is found in another time because of the words around it in the document.
"""
import argparse
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from many_templates import Texts  # noqa: E402
from server_process import ServerProcess  # noqa: E402

SHORT, LONG, PASSAGE = 2_000, 200_000, 120


class Reader:
    def __init__(self, server: ServerProcess, key: str):
        self.server, self.connection, self.key = server, server.connect(timeout=600), key

    def ask(self, method: str, path: str, body: dict | None = None) -> tuple[int, bytes, float]:
        begun = self.server.processor_seconds()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        self.connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        return answer.status, content, 1000 * (self.server.processor_seconds() - begun)


def medians(reader: Reader, requests: dict[str, tuple], rounds: int) -> dict[str, float]:
    """Asks all, in another order each time, so that what else the machine does falls on each alike."""
    times = {name: [] for name in requests}
    chance = random.Random(46)
    for _ in range(rounds):
        for name in chance.sample(sorted(requests), len(requests)):
            status, *request = requests[name]
            got, content, took = reader.ask(*request)
            assert got == status, (name, got, content[:300])
            times[name].append(took)
    return {name: round(statistics.median(all), 3) for name, all in times.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("akin", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--rounds", type=int, default=100)
    options = parser.parse_args()
    texts = Texts()
    short, long = texts.words(SHORT), texts.words(LONG)
    with tempfile.TemporaryDirectory() as folder:
        data = ["--data", f"{folder}/data"]
        lines = "".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in {"short": short, "long": long}.items())
        for name in ("open", "vault"):
            subprocess.run([options.akin, "import", "-", *data, "--collection", name], input=lines.encode(), check=True, capture_output=True)

        def key(*scopes: str) -> str:
            made = subprocess.run([options.akin, "key", "create", *data, "--json", *(flag for scope in scopes for flag in ("--scope", scope))], check=True, capture_output=True)
            return json.loads(made.stdout)["key"]

        admin, reading = key("admin"), key("read", "check")
        server = ServerProcess([options.akin, "serve", *data, "--min-free-disk", "0", "--log-level", "off"])
        try:
            status, content, _ = Reader(server, admin).ask("PUT", "/v1/collections/vault", {"restricted": True})
            assert status == 200, content
            reader = Reader(server, reading)
            part = " ".join(short.split(" ")[600 : 600 + PASSAGE])
            inside = " ".join(long.split(" ")[90_000 : 90_000 + PASSAGE])
            ending = " ".join(long.split(" ")[-PASSAGE:])
            requests = {f"{id}_refused": (403, "GET", f"/v1/collections/vault/documents/{id}?include=text") for id in ("short", "long")}
            for name in ("open", "vault"):
                search = f"/v1/collections/{name}/similar?include=passage_text"
                requests[f"{name}_similar"] = (200, "POST", search, {"text": part})
                requests[f"{name}_inside"] = (200, "POST", search, {"text": inside})
                requests[f"{name}_ending"] = (200, "POST", search, {"text": ending})
                requests[f"{name}_check"] = (201, "POST", "/v1/checks", {"collections": [name], "text": part})
            figures = medians(reader, requests, options.rounds)
            found = {name: json.loads(reader.ask(*requests[name][1:])[1])["results"][0] for name in ("open_similar", "vault_similar", "vault_inside", "vault_ending")}
        finally:
            server.stop()
    assert all(one["passages"] for one in found.values())
    assert found["vault_similar"]["passages"][0]["b_text"] is None and found["open_similar"]["passages"][0]["b_text"]
    pairs = {"short_refused": ("long_refused", 1.25), "long_refused": ("short_refused", 1.25), "vault_inside": ("vault_ending", 1.25), "vault_ending": ("vault_inside", 1.25)}
    pairs |= {f"vault_{what}": (f"open_{what}", 1.2) for what in ("similar", "inside", "ending", "check")}
    wrong = [f"{name}: {figures[name]} ms, {other}: {figures[other]} ms" for name, (other, most) in pairs.items() if figures[name] > most * figures[other]]
    print(json.dumps({**figures, "wrong": wrong}, indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
