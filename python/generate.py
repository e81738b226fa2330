"""Generates akin.rest, the client of the HTTP interface, from the interface's description, when the wheel is built.

python3 generate.py FOLDER      generates it into FOLDER/rest, to look at
"""

import os
import pathlib
import subprocess
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = pathlib.Path(__file__).resolve().parent
PARTS = HERE.parent / "server" / "api" / "openapi"


def generate(folder: pathlib.Path, version: str) -> pathlib.Path:
    """The new folder `rest`, a package, in `folder`."""
    described = folder / "openapi.json"
    subprocess.run([sys.executable, "-B", PARTS / "describe.py", "json", version, described], check=True)
    settings = folder / "settings.yaml"
    settings.write_text("post_hooks: []\n", encoding="utf-8")
    flags = {
        "path": described,
        "output-path": folder / "rest",
        "meta": "none",
        "config": settings,
        "custom-template-path": HERE / "templates",
    }
    command = [sys.executable, "-m", "openapi_python_client", "generate", *(f"--{name}={value}" for name, value in flags.items())]
    # A build of its own has its packages on this process's path alone.
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    return folder / "rest"


class RestHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the generated package to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self.folder = tempfile.TemporaryDirectory()
        rest = generate(pathlib.Path(self.folder.name), self.metadata.version)
        build_data["force_include"][str(rest)] = "akin/rest"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.folder.cleanup()


if __name__ == "__main__":
    print(generate(pathlib.Path(sys.argv[1]), "0"))
