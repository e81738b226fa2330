"""Runs the program akin: lines go in by a pipe and come out while it works."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator
from typing import Any


class ProgramError(RuntimeError):
    """The program is missing or has failed; the message is what it printed."""


def program() -> str:
    """The path of the program."""
    found = os.environ.get("AKIN") or shutil.which("akin")
    if not found:
        raise ProgramError("the program akin is not on the path: install it, or name it by the environment variable AKIN")
    return found


def flags(**values: Any) -> list[str]:
    """Flags of the command line by their names in Python; None and False are left out, a list is joined by commas."""
    given = []
    for name, value in values.items():
        if value is None or value is False:
            continue
        given.append("--" + name.replace("_", "-"))
        if isinstance(value, (list, tuple)):
            value = ",".join(map(str, value))
        if value is not True:
            given.append(str(value))
    return given


def json_line(row: dict[str, Any]) -> bytes:
    """A line of JSON. Times become text as RFC 3339 writes it, scalars of NumPy numbers, and half a surrogate pair "?"."""
    return json.dumps(row, ensure_ascii=False, default=_plain).encode("utf-8", "replace") + b"\n"


def _plain(value: Any) -> Any:
    if hasattr(value, "isoformat"):
        text = value.isoformat()
        return text + "Z" if "T" in text and getattr(value, "tzinfo", None) is None else text
    return value.item() if hasattr(value, "item") else str(value)


def run(arguments: Iterable[str | os.PathLike[str]], lines: Iterable[bytes] = ()) -> Iterator[bytes]:
    """The lines that the program prints on standard output, while it reads `lines`.

    Raises ProgramError if it ends with an error, and whatever `lines` raises; then nothing that was yielded counts. A caller
    that stops early ends the program.
    """
    command = [program(), *(os.fspath(argument) for argument in arguments)]
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
        except OSError as error:
            raise ProgramError(f"{command[0]}: {error.strerror}") from error
        feeder = _Feeder(process, lines)
        try:
            feeder.start()
            assert process.stdout is not None
            yield from process.stdout
            process.wait()
        finally:
            if process.poll() is None:
                process.kill()
            feeder.join()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
        if feeder.error:
            raise feeder.error
        if process.returncode != 0:
            errors.seek(0)
            raise ProgramError(errors.read().decode(errors="replace").strip() or f"akin ended with {process.returncode}")


class _Feeder(threading.Thread):
    """Writes lines into a process; an error of the lines ends it."""

    def __init__(self, process: "subprocess.Popen[bytes]", lines: Iterable[bytes]):
        super().__init__(daemon=True)
        self.process = process
        self.lines = lines
        self.error: BaseException | None = None

    def run(self) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError), self.process.stdin as pipe:  # the program says why it ended
            try:
                pipe.writelines(self.lines)
            except BrokenPipeError:
                raise
            except BaseException as error:  # noqa: BLE001  raised again in the reading thread
                self.error = error
                self.process.kill()  # before it sees an end of its input, which is not the end of the lines


def paths_of(data: Any) -> list[pathlib.Path] | None:
    """The files that data names, or None if it is none of them: a path, or a list of paths."""
    several = data if isinstance(data, (list, tuple)) else [data]
    if several and all(isinstance(one, os.PathLike) for one in several) or isinstance(data, str):
        return [pathlib.Path(one) for one in several]
    return None
