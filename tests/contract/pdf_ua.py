"""Has veraPDF judge the reports that a server prints: whether they conform to PDF/UA-1.

    AKIN=build/dev/cli/akin python3 pdf_ua.py FOLDER

FOLDER has the jars that verapdf/pom.xml asks for.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

from explore import TEXT, Server

SOURCES = pathlib.Path(__file__).resolve().parent / "verapdf"
OTHER_SCRIPTS = "Она сказала: «שלום», مرحبا, 你好, 𝒜, 😀 и e\u0301 – <b>не</b> более & не менее.\n"


def main(jars: str) -> int:
    with tempfile.TemporaryDirectory(prefix="akin-pdf-") as folder:
        server = Server(pathlib.Path(folder), keys=False)
        asked = {"collections": ["books"], "text": OTHER_SCRIPTS + (TEXT + "\n") * 40, "title": "Work <one> & «два»", "owner": "N. N."}
        request = urllib.request.Request(server.url + "/v1/checks", json.dumps(asked).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            check = json.load(answer)
        if not check["sources"]:
            raise SystemExit("the report has no source")
        files = []
        for name, query in (("named", "lang=en"), ("in-russian", "lang=ru"), ("anonymous", "anonymous=true")):
            with urllib.request.urlopen(f"{server.url}/v1/checks/{check['id']}/report?format=pdf&{query}") as answer:
                files.append(pathlib.Path(folder) / f"{name}.pdf")
                files[-1].write_bytes(answer.read())
        judged = subprocess.run(["java", "-cp", f"{jars}/*", SOURCES / "JudgePdf.java", *files], check=False).returncode
        if not server.ended_well():
            raise SystemExit("the server did not end well")
        return judged


sys.exit(main(sys.argv[1]))
