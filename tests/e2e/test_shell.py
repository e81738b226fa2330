"""Manual pages and completion: made of the command line itself, read by man, bash and zsh."""
import os
import pty
import select
import shutil
import subprocess
import time
import unittest

from program import AkinTest
from test_usage import COMMANDS, LAB_COMMANDS


class Terminal:
    """An interactive shell in a terminal of its own."""

    def __init__(self, test, command: list[str]):
        path = f"{test.folder}/bin:{os.environ['PATH']}"
        self.process_id, self.descriptor = pty.fork()
        if self.process_id == 0:
            os.chdir(test.folder)
            os.execvpe(command[0], command, {"PATH": path, "HOME": str(test.folder), "TERM": "dumb", "LC_ALL": "C.UTF-8"})
        test.addCleanup(self.close)

    def close(self):
        os.kill(self.process_id, 9)
        os.waitpid(self.process_id, 0)
        os.close(self.descriptor)

    def type(self, text: str):
        os.write(self.descriptor, text.encode())

    def read_until(self, mark: str) -> str:
        """What the shell printed up to the line that begins with `mark`, and the rest of that line."""
        printed = ""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            ready, _, _ = select.select([self.descriptor], [], [], 0.2)
            if ready:
                printed += os.read(self.descriptor, 4096).decode(errors="replace").replace("\r", "\n")
            for line in printed.split("\n")[:-1]:
                if line.startswith(mark):
                    return line[len(mark) :].strip()
        raise AssertionError(f"no {mark!r} in {printed!r}")

    def completed(self, typed: str) -> str:
        """The command line after `typed`, where a tab asks for completion: ctrl-A and echo, read after it, print the line."""
        self.type(typed + "\x01echo ::: \x05\n")
        return self.read_until("::: ")


class ShellTest(AkinTest):
    ROWS = [
        ("akin ser\t", "akin serve"),
        ("akin config che\t", "akin config check"),
        ("akin serve --li\t", "akin serve --listen"),
        ("akin similar --min-c\t", "akin similar --min-containment"),
        ("akin --collection serve sim\t", "akin --collection serve similar"),
        ("akin completion z\t", "akin completion zsh"),
        ("akin help simi\t", "akin help similar"),
        ("akin index --data only-f\t", "akin index --data only-folder"),
        ("akin similar only-t\t", "akin similar only-text.txt"),
        ("akin nonsen\t", "akin nonsen"),
        ("akin evalu\t", "akin evalu"),  # a command of akin-lab
        ("akin-lab evaluate thr\t", "akin-lab evaluate threshold"),
        ("akin-lab train --both\t", "akin-lab train --both-ways"),
    ]

    def setUp(self):
        super().setUp()
        self.write("only-folder/x", "")
        self.write("only-text.txt", "")
        (self.folder / "bin").mkdir()
        for name in ("akin", "akin-lab"):
            (self.folder / "bin" / name).symlink_to(os.path.realpath(os.environ["AKIN"] + name[4:]))

    def check(self, terminal: Terminal):
        for typed, expected in self.ROWS:
            with self.subTest(typed):
                self.assertEqual(terminal.completed(typed).rstrip("/"), expected)

    def test_bash_completes_commands_flags_files_and_words(self):
        terminal = Terminal(self, ["bash", "--norc", "--noprofile", "-i"])
        terminal.type("bind 'set enable-bracketed-paste off'; source <(akin completion bash); source <(akin-lab completion bash); PS1=; echo ready:\n")
        terminal.read_until("ready:")
        self.check(terminal)

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_completes_the_same(self):
        self.write("functions/_akin", self.akin("completion", "zsh", code=0).out)
        self.write("functions/_akin-lab", self.lab("completion", "zsh", code=0).out)
        terminal = Terminal(self, ["zsh", "-f", "-i"])
        terminal.type(
            "fpath=($PWD/functions $fpath); autoload -U compinit; compinit -u -D; bindkey -e; unsetopt zle_bracketed_paste prompt_cr prompt_sp; "
            "PS1=; echo ready:\n"
        )
        terminal.read_until("ready:")
        self.check(terminal)

    def test_unknown_shell_is_refused(self):
        self.assertIn("SHELL", self.akin("completion", "fish", code=2).err)


class ManualTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.akin("manual", self.folder, "--date", "2026-11-21", code=0)
        self.lab("manual", self.folder, "--date", "2026-11-21", code=0)

    def test_every_command_has_a_page_with_its_flags_exit_codes_and_examples(self):
        for command in (*COMMANDS, *(f"lab-{command}" for command in LAB_COMMANDS)):
            page = (self.folder / f"akin-{command}.1").read_text(encoding="utf-8")
            for part in (".SH EXIT STATUS", ".SH ENVIRONMENT", ".SH FILES", ".SH EXAMPLES", "\\-\\-config", "2026-11-21"):
                self.assertIn(part, page, command)
        self.assertIn("AKIN_SERVE_LISTEN", (self.folder / "akin-serve.1").read_text(encoding="utf-8"))
        whole = (self.folder / "akin.1").read_text(encoding="utf-8")
        self.assertIn("akin\\-serve", whole)
        self.assertIn(".SS Look after\n", whole)
        self.assertIn("akin\\-lab\\-evaluate", (self.folder / "akin-lab.1").read_text(encoding="utf-8"))

    def test_hidden_commands_are_not_told(self):
        for hidden in ("akin-manual.1", "akin-lab-manual.1", "akin-evaluate.1"):
            self.assertFalse((self.folder / hidden).exists())

    @unittest.skipUnless(shutil.which("mandoc"), "mandoc is not installed")
    def test_pages_are_right_to_the_letter(self):
        pages = sorted(self.folder.glob("*.1"))
        checked = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *pages], capture_output=True, check=False, timeout=60)
        self.assertEqual((checked.returncode, checked.stdout.decode()), (0, ""))

    def test_a_folder_that_is_not_there_is_an_error(self):
        self.assertIn("No such file", self.akin("manual", self.folder / "none", "--date", "2026-11-21", code=2).err)


if __name__ == "__main__":
    unittest.main()
