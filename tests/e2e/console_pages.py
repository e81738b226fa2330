"""Runs the ```console blocks of documentation pages and compares what they print with what the page shows.

A block's lines that begin with "$ " are commands, and so are the lines of their here-documents. One bash runs all commands of
a page in their order, so that variables, folders and jobs are there for the next command, as for a reader; the lines below a
command are what it prints, standard output and standard error together. "…" stands for any text within a line, and alone on a
line for any number of lines. The shell starts in a new working folder, which has what the source folder has. `akin` is the built
program, and build/release and build/dev the folder in which it was built. A page that takes addresses of databases from variables gets
servers of its own; one that starts akin at a port of loopback gets a free port in place of that one. Blocks that documented.py
lists are passed over.

    AKIN=build/release/cli/akin python3 tests/e2e/console_pages.py docs/cli.md    rewrites outdated output
"""
import os
import pathlib
import random
import re
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from documented import Block, blocks_of, not_run
from postgresql import Postgresql

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DATABASES = ("DB",)
HERE_DOCUMENT = re.compile(r"<<'?(\w+)'?")
LISTEN = re.compile(r"--listen (127\.0\.0\.1:[1-9]\d*)")
SECONDS = 300  # for one command
# A server looks at new documents after it has acknowledged them: a reader who sees no event yet asks again.
EVENTUAL = re.compile(r"\bevents\b")
EVENTUAL_SECONDS = 20


def databases_of(page: str) -> list[str]:
    """The variables from which its commands take addresses of databases."""
    return [name for name in DATABASES if re.search(rf'"[^"]*\${name}\b', page)]


def split_commands(block: str) -> list[tuple[str, str]]:
    """(command, shown output) in order; a command continues after a backslash at the line's end, and to the end of its
    here-document."""
    steps: list[tuple[str, str]] = []
    in_command, here_end = False, None
    for line in block.splitlines(keepends=True):
        if in_command:
            steps[-1] = (steps[-1][0] + line, "")
        elif line.startswith("$ "):
            steps.append((line[2:], ""))
        else:
            command, output = steps[-1]
            steps[-1] = (command, output + line)
            continue
        if here_end is None:
            here = HERE_DOCUMENT.search(line)
            here_end = here[1] + "\n" if here else None
        elif line == here_end:
            here_end = None
        in_command = here_end is not None or line.endswith("\\\n")
    return steps


def free_address() -> str:
    """An address of loopback outside of the ports that the system gives away unasked."""
    while True:
        port = random.randrange(10000, 32000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return f"127.0.0.1:{port}"
            except OSError:
                continue


def matches(shown: str, printed: str) -> bool:
    parts = []
    for line in shown.splitlines(keepends=True):
        if line.strip() == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*?".join(re.escape(piece) for piece in line.split("…")))
    # An ellipsis that the program itself prints is matched by the same pattern.
    return re.fullmatch("".join(parts), printed) is not None


def with_ellipses(printed: str, shown: str) -> str:
    """What was printed, with the lines of the page that still match it through an ellipsis."""
    elided = [line for line in shown.splitlines(keepends=True) if "…" in line and line.strip() != "…"]
    return "".join(
        next((line for line in elided if matches(line, fresh)), fresh) for fresh in printed.splitlines(keepends=True)
    )


class Page:
    """One page with a working folder, and a shell whose PATH begins with the built programs."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-page-"))
        program = pathlib.Path(os.environ["AKIN"]).resolve()
        (self.folder / "bin").mkdir()
        for name in ("akin", "akin-lab"):
            (self.folder / "bin" / name).symlink_to(program.with_name(name))
        work = self.folder / "work"
        (work / "build").mkdir(parents=True)
        for preset in ("release", "dev"):
            (work / "build" / preset).symlink_to(program.parents[1])
        for entry in SOURCE.iterdir():
            if entry.name not in ("build", ".git"):
                (work / entry.name).symlink_to(entry)
        clean = {name: value for name, value in os.environ.items() if name not in ("AKIN_LANG", "AKIN_DATA")}
        environment = {**clean, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        text = path.read_text(encoding="utf-8")
        self.servers = []
        for name in databases_of(text):
            self.servers.append(Postgresql(self.folder, name.lower()))
            environment[name] = self.servers[-1].address
        consoles = "".join(block.content for block in blocks_of(text) if block.language == "console")
        self.addresses = {shown: free_address() for shown in sorted(set(LISTEN.findall(consoles)))}
        # A session of its own, so that close() ends what the page has started, too.
        self.shell = subprocess.Popen(
            ["bash", "--noprofile", "--norc"],
            cwd=work,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def close(self):
        os.killpg(self.shell.pid, signal.SIGKILL)
        self.shell.communicate()
        for server in self.servers:
            server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, command: str) -> str:
        for shown, real in self.addresses.items():
            command = command.replace(shown, real)
        # No text that a command of these pages prints has a NUL: it ends the output.
        self.shell.stdin.write(f"eval {shlex.quote(command)} </dev/null; printf '\\0'\n".encode())
        self.shell.stdin.flush()
        printed, end = b"", time.monotonic() + SECONDS
        while not printed.endswith(b"\0"):
            if not select.select([self.shell.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(f"{self.path.name}: after {SECONDS} s this still runs: {command}")
            some = os.read(self.shell.stdout.fileno(), 1 << 16)
            if not some:
                raise RuntimeError(f"{self.path.name}: this has ended the shell: {command}")
            printed += some
        text = printed[:-1].decode()
        for shown, real in self.addresses.items():
            text = text.replace(real, shown)
        return text if text.endswith("\n") or not text else text + "\n"

    def run_until(self, command: str, shown: str) -> str:
        """What the command prints; of what a server does in its own time, as soon as it matches."""
        end = time.monotonic() + (EVENTUAL_SECONDS if EVENTUAL.search(command) else 0)
        while not matches(shown, printed := self.run(command)) and time.monotonic() < end:
            time.sleep(0.1)
        return printed

    def rewritten(self, passed_over=not_run) -> tuple[str, list[str]]:
        """The page with the output of this run, and a complaint for each command whose output differed. Blocks for which
        passed_over(page, block) is true stay as they are."""
        complaints: list[str] = []

        def rewrite(block: Block) -> str:
            text = ""
            for command, shown in split_commands(block.content):
                printed = self.run_until(command, shown)
                if not matches(shown, printed):
                    complaints.append(f"$ {command}--- the page shows\n{shown}--- it prints\n{printed}")
                    shown = with_ellipses(printed, shown)
                text += f"$ {command}{shown}"
            return text

        page = self.path.read_text(encoding="utf-8")
        at = 0
        for block in blocks_of(page):
            if block.language != "console" or passed_over(self.path.name, block):
                continue
            at = page.index(block.text, at)
            fresh = f"```console\n{rewrite(block)}```"
            page = page[:at] + fresh + page[at + len(block.text) :]
            at += len(fresh)
        return page, complaints


def main() -> int:
    for name in sys.argv[1:]:
        page = Page(pathlib.Path(name))
        try:
            text, complaints = page.rewritten()
        finally:
            page.close()
        pathlib.Path(name).write_text(text, encoding="utf-8")
        print(f"{name}: {len(complaints)} outputs rewritten")
    return 0


if __name__ == "__main__":
    sys.exit(main())
