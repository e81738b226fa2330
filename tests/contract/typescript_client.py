"""Generates TypeScript types of the description by openapi-typescript, compiles a client against them, and uses it.

    AKIN=build/dev/cli/akin python3 typescript_client.py FOLDER OPENAPI_JSON

FOLDER has the packages of tests/contract/typescript/package.json in node_modules.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from explore import TEXT, Server

SOURCES = pathlib.Path(__file__).resolve().parent / "typescript"


def run(folder: pathlib.Path, *command: str) -> str:
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise SystemExit(f"{command[0]}: {finished.stdout}{finished.stderr}")
    return finished.stdout


def main(packages: str, description: str) -> int:
    folder = pathlib.Path(packages).resolve()
    for name in ("smoke.ts", "tsconfig.json"):
        shutil.copyfile(SOURCES / name, folder / name)
    programs = folder / "node_modules" / ".bin"
    # By default it takes a field with a default for one that every request must have.
    flags = ("--output", "schema.d.ts", "--default-non-nullable=false")
    run(folder, str(programs / "openapi-typescript"), str(pathlib.Path(description).resolve()), *flags)
    run(folder, str(programs / "tsc"), "--project", "tsconfig.json")
    with tempfile.TemporaryDirectory() as place:
        server = Server(pathlib.Path(place), False)
        try:
            print(run(folder, "node", "smoke.js", server.url, TEXT), end="")
        finally:
            server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
