"""Records what a program answers, so that another build can be held to it: the features of real texts, a logical dump of all
tables of a data folder, and searches, checks, pairs and groups over a folder and over PostgreSQL.

    python3 tests/experiments/recorded_answers.py record AKIN FILE [--features AKIN_LAB] [--corpora DIR] [--dump]
    python3 tests/experiments/recorded_answers.py compare FILE FILE

`record` writes a line for each answer: its name, a tab, the SHA-256 of what was answered without moments and durations.
--dump needs mdb_dump (lmdb-utils) and faketime; --features names the program that has the command `features` (default: AKIN).
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

from postgresql import Postgresql  # noqa: E402
from program import AkinTest  # noqa: E402
from server_process import Server  # noqa: E402
from test_query_set import QuerySet  # noqa: E402

MOMENTS = re.compile(r'"(stored|revision|last_revision|seconds|created)": ?("[^"]*"|[0-9.]+),? ?|"check-[0-9a-f]+"|"generation": ?"[0-9a-f]+"')
SCHEMES = {"library": ("--preset", "library"), "paper": ("--preset", "paper"), "sentences": ("--scheme", "sentence-pairs")}
SEARCHES = ("", "?bound=0", "?bound=3", "?bound=20&include=measures", "?bound=1&min_containment=0.2", "?limit=100")


def digest(answer: bytes | str) -> str:
    text = answer.decode() if isinstance(answer, bytes) else answer
    return hashlib.sha256(MOMENTS.sub("", text).encode()).hexdigest()


class Recorder(AkinTest):
    """One run of the program; AkinTest brings its folder and its environment."""

    options: argparse.Namespace
    lines: list[str]

    def say(self, name: str, answer: bytes | str):
        self.lines.append(f"{name}\t{digest(answer)}")

    def texts(self, pattern: str, most: int) -> list[pathlib.Path]:
        files = [file for file in sorted(self.options.corpora.glob(pattern)) if file.is_file() and file.stat().st_size < 400_000]
        return files[:: max(1, len(files) // most)][:most]

    def features(self):
        files = [file for pattern in ("ru-novels/**/*.txt", "en-novels/**/*.txt", "other-lang/**/*.txt", "news/**/*.txt",
                                      "ru-pairs/**/*.txt", "en-pairs/**/*.txt") for file in self.texts(pattern, 60)]  # fmt: skip
        for file in files:
            for scheme in ("library", "paper"):
                done = subprocess.run([self.options.features or os.environ["AKIN"], "features", file, "--preset", scheme, "--json"],
                                      capture_output=True, env=self.environment, check=False)  # fmt: skip
                self.say(f"features {scheme} {file.relative_to(self.options.corpora)}", done.stdout + done.stderr)

    def asked(self, store: str, flags: tuple[str, ...]):
        documents, queries = self.documents, self.queries
        for name, kind in SCHEMES.items():
            self.akin("import", "-", "--collection", name, *kind, *flags, code=0,
                      stdin="".join(json.dumps(one, ensure_ascii=False) + "\n" for one in documents).encode())  # fmt: skip
        server = Server(self, *flags)
        for name in SCHEMES:
            for number, query in enumerate(queries):
                search = SEARCHES[number % len(SEARCHES)]
                self.say(f"{store} {name} similar{search} {number}", json.dumps(server.call("POST", f"/{name}/similar{search}", query)))
            for number, query in enumerate(queries[::4]):
                connection = server.connect()
                connection.request("POST", "/v1/checks", json.dumps({"text": query, "collections": [name]}),
                                   {"Content-Type": "application/json"})  # fmt: skip
                self.say(f"{store} {name} check {number}", connection.getresponse().read())
            for number, document in enumerate(documents[::9]):
                self.say(f"{store} {name} document {number}",
                         json.dumps(server.call("POST", f"/{name}/similar?bound=1", {"id": document["id"]})))  # fmt: skip
        server.close()
        for name in SCHEMES:
            for command in ("pairs", "groups"):
                for bound in (0, 3):
                    self.say(f"{store} {name} {command} {bound}",
                             self.akin(command, "--bound", bound, "--json", "--collection", name, *flags, code=0).out)  # fmt: skip

    def dump(self):
        """All tables of a folder that is filled at a fixed moment."""
        data = self.folder / "fixed"
        done = subprocess.run(["faketime", "-f", "2026-01-01 00:00:00", os.environ["AKIN"], "import", "-", "--data", data],
                              input="".join(json.dumps(one) + "\n" for one in self.documents).encode(), capture_output=True,
                              env=self.environment, check=True)  # fmt: skip
        self.say("dump import", done.stdout)
        for file in sorted(data.rglob("data.mdb")):
            table, entries = "", []
            for line in subprocess.run(["mdb_dump", "-n", "-a", file], capture_output=True, text=True, check=True).stdout.splitlines():
                if line.startswith("database="):
                    table, entries = line[9:], []
                elif line == "DATA=END":
                    self.say(f"dump {file.relative_to(data)} {table}", "\n".join(entries))
                elif line.startswith(" "):
                    entries.append(line)

    def runTest(self):
        texts = {file.name: file.read_text(encoding="utf-8") for file in self.texts("ru-novels/**/*.txt", 25)}
        made = QuerySet(texts)
        self.documents = made.documents(150)
        self.queries = made.queries(90)
        self.asked("folder", ())
        if self.options.dump:
            self.dump()
        server = Postgresql(self.folder)
        self.addCleanup(server.stop)
        self.akin("store", "init", server.address, code=0)
        self.asked("postgresql", ("--store", server.address))
        self.features()
        self.options.file.write_text("\n".join(self.lines) + "\n", encoding="utf-8")


def compare(first: pathlib.Path, second: pathlib.Path) -> int:
    one, other = (dict(line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()) for file in (first, second))
    kinds: dict[str, list[int]] = {}
    for name in sorted(one.keys() | other.keys()):
        kind = kinds.setdefault(" ".join(name.split()[: 2 if name.startswith("features") else 3]).partition("?")[0], [0, 0])
        kind[0] += 1
        if one.get(name) != other.get(name):
            kind[1] += 1
            print("differs:", name)
    for kind, (all_of_it, different) in kinds.items():
        print(f"{kind}: {all_of_it - different} of {all_of_it} equal")
    return 1 if any(different for _, different in kinds.values()) else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    record = commands.add_parser("record")
    record.add_argument("akin", type=pathlib.Path)
    record.add_argument("file", type=pathlib.Path)
    record.add_argument("--features", type=pathlib.Path)
    record.add_argument("--corpora", type=pathlib.Path, default=pathlib.Path("build/corpora/corpora"))
    record.add_argument("--dump", action="store_true")
    comparison = commands.add_parser("compare")
    comparison.add_argument("first", type=pathlib.Path)
    comparison.add_argument("second", type=pathlib.Path)
    options = parser.parse_args()
    if options.command == "compare":
        return compare(options.first, options.second)
    os.environ["AKIN"] = str(options.akin.resolve())
    for place in ("file", "features", "corpora"):
        if value := getattr(options, place):
            setattr(options, place, value.resolve())
    Recorder.options, Recorder.lines = options, []
    return 0 if unittest.TextTestRunner(verbosity=1).run(Recorder()).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
