"""For experiments that ask a server about texts: the books of the corpora, and a collection of texts that is searched over HTTP."""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CORPORA = pathlib.Path(os.environ.get("AKIN_CORPORA", SOURCE / "build" / "corpora" / "corpora"))
sys.path.insert(0, str(SOURCE / "tests" / "e2e"))
from server_process import ServerProcess  # noqa: E402


def texts_below(folder: str) -> dict[str, str]:
    """The text of each file, by its path in the corpora."""
    files = sorted(file for file in (CORPORA / folder).rglob("*.txt") if file.name != "SOURCE.txt")
    return {file.relative_to(CORPORA).as_posix(): file.read_text(encoding="utf-8", errors="replace") for file in files}


class Asked:
    """Requests to a server about its collection `stored`."""

    def __init__(self, server: ServerProcess):
        self.server, self.connection = server, server.connect(timeout=600)

    def answer(self, path: str, body: dict) -> dict:
        self.connection.request("POST", "/v1/" + path, body=json.dumps(body), headers={"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        content = json.loads(answer.read())
        assert answer.status in (200, 201), content
        return content

    def similar(self, text: str, parameters: str = "") -> dict:
        return self.answer(f"collections/stored/similar?limit=1000{parameters}", {"text": text})

    def ids(self, text: str, parameters: str = "") -> list[str]:
        return [hit["id"] for hit in self.similar(text, "&include=measures" + parameters)["results"]]


@contextlib.contextmanager
def asked(akin: str, texts: dict[str, str], *flags: str):
    """A server with one collection of these texts."""
    akin = str(pathlib.Path(akin).resolve())
    with tempfile.TemporaryDirectory() as place:
        lines = "".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in texts.items())
        subprocess.run([akin, "import", "-", "--data", f"{place}/data", "--collection", "stored", *flags], input=lines.encode(), check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        server = ServerProcess([akin, "serve", "--data", f"{place}/data", "--min-free-disk", "0"])
        try:
            yield Asked(server)
        finally:
            server.stop()
