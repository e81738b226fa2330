"""What the end-to-end tests share: the built program, its answers, a temporary folder, real texts.

AKIN is the path of akin, beside which akin-lab is; AKIN_CACHE, if set, keeps compiled dictionaries between the tests.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

import exchanges  # noqa: F401  records requests and answers if asked to

SOURCE = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = SOURCE / "sample" / "library"
DEFAULT_SCHEME = "tiers(pairs=sentence-pairs,passages=winnow(k=4,t=10,unit=lemma,order=any,shape=101011,stop=last))"
QUERY = SOURCE / "sample" / "query.txt"
CHAMELEON = "chekhov-chameleon.txt"
if "AKIN" in os.environ:
    os.environ["AKIN"] = os.path.abspath(os.environ["AKIN"])  # tests run it in folders of their own


class Answer:
    """One finished run: exit code, what it printed, and its JSON if it printed one."""

    def __init__(self, finished: subprocess.CompletedProcess):
        self.code = finished.returncode
        self.out = finished.stdout.decode()
        self.err = finished.stderr.decode()

    @property
    def json(self):
        return json.loads(self.out)

    def __repr__(self) -> str:
        return f"exit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


class AkinTest(unittest.TestCase):
    """A test with a data folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.data = self.folder / "data"
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in {"AKIN_LANG", "AKIN_DATA"}},
            "AKIN_DATA": str(self.data),
            "AKIN_LANG": "ru,en",
        }

    def command(self, *arguments) -> list[str]:
        return [os.environ["AKIN"], *map(str, arguments)]

    def lab_command(self, *arguments) -> list[str]:
        return [os.environ["AKIN"] + "-lab", *map(str, arguments)]

    def when(self, condition, what: str):
        """The condition's value as soon as it holds; fails the test with `what` after a minute."""
        end = time.monotonic() + 60
        while not (value := condition()):
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.02)
        return value

    def akin(self, *arguments, stdin: bytes = b"", code: int | None = None, **environment) -> Answer:
        """Runs akin; `code` is the exit code it must have."""
        return self.run_command(self.command(*arguments), stdin, code, environment)

    def lab(self, *arguments, stdin: bytes = b"", code: int | None = None, **environment) -> Answer:
        """Runs akin-lab."""
        return self.run_command(self.lab_command(*arguments), stdin, code, environment)

    def run_command(self, command: list[str], stdin: bytes, code: int | None, environment: dict[str, str]) -> Answer:
        answer = Answer(
            subprocess.run(
                command,
                input=stdin,
                capture_output=True,
                timeout=300,
                cwd=self.folder,
                env={**self.environment, **environment},
                check=False,
            )
        )
        if code is not None:
            self.assertEqual(answer.code, code, answer)
        return answer

    def write(self, name: str, content: str | bytes) -> pathlib.Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def index_library(self, *flags) -> Answer:
        return self.akin("index", LIBRARY, *flags, code=0)

    def ids(self) -> set[str]:
        """Ids of the sample library."""
        return {path.name for path in LIBRARY.iterdir()}


def story(name: str = CHAMELEON) -> str:
    return (LIBRARY / name).read_text(encoding="utf-8")


def edited_story() -> str:
    """The story with one more word in each of its sentences: sentence pairs do not see it, alignment does."""
    return re.sub(r"([.!?…]+)", r" иначе\1", story())
