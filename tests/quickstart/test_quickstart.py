"""./quickstart as a newcomer runs it. `./test release` runs this with the release build that is there, else the script makes
one; `./test quickstart` with the program that the tests are run with (QUICKSTART_PRESET=dev).

Its errors are tested by tests/e2e/test_quickstart_errors.py, which needs no build.
"""
import os
import pathlib
import pty
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests" / "e2e"))

from console_pages import matches  # noqa: E402

AKIN = SOURCE / "build" / os.environ.get("QUICKSTART_PRESET", "release") / "cli" / "akin"
HOUR = 3600


def readme_blocks() -> list[str]:
    """The answers that README says the script prints."""
    readme = (SOURCE / "README.md").read_text(encoding="utf-8")
    return re.findall(r"<!-- The test of \./quickstart holds [^\n]*-->\n```text\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)


class QuickstartTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-quickstart-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_it(self, command=(SOURCE / "quickstart",), **environment) -> str:
        """Runs it elsewhere, without a terminal, and prints how long it took; what the script printed."""
        begin = time.monotonic()
        done = subprocess.run(
            list(map(str, command)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            env={**os.environ, **environment},
            timeout=HOUR,
            check=False,
        )
        printed = done.stdout.decode()
        self.assertEqual(done.returncode, 0, printed)
        building = re.search(r"^Building akin .*$", printed, re.MULTILINE)
        print(f"{self.id().split('.')[-1]}: {time.monotonic() - begin:.1f} s. {building.group() if building else 'Nothing was built.'}", flush=True)
        return printed

    def answers_as_readme_says(self, printed: str):
        answers = re.findall(r"The server answers:\n\n(.*?)(?=\nWhich texts of |\nThe server runs until |\nTo check files of |\Z)", printed, re.DOTALL)
        self.assertEqual(len(answers), 2, printed)
        for shown, answer in zip(readme_blocks(), answers, strict=True):
            self.assertTrue(matches(shown, answer), f"README shows\n{shown}\nit prints\n{answer}\nof\n{printed}")

    def test_from_another_folder_it_answers_what_readme_shows(self):
        self.answers_as_readme_says(self.run_it())
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_second_time_nothing_is_installed_or_built(self):
        self.run_it()
        before = AKIN.stat().st_mtime_ns
        for name in ("apt-get", "sudo", "c++", "g++"):
            program = self.folder / name
            program.write_text('#!/bin/sh\ncase $1 in -dumpversion) echo 99 ;; --version) ;; *) echo "called: $0 $*"; exit 1 ;; esac\n')
            program.chmod(0o755)
        printed = self.run_it(PATH=f"{self.folder}:{os.environ['PATH']}")
        self.answers_as_readme_says(printed)
        for word in ("called", "Installing", "Building"):
            self.assertNotIn(word, printed)
        self.assertEqual(AKIN.stat().st_mtime_ns, before)

    def test_neither_busy_ports_nor_the_callers_settings_disturb_it(self):
        with socket.create_server(("127.0.0.1", 0)) as other, socket.socket() as default:
            default.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                default.bind(("127.0.0.1", 7878))
                default.listen()
            except OSError:
                pass  # somebody's server is there: busy already
            printed = self.run_it(
                AKIN_SERVE_LISTEN=f"127.0.0.1:{other.getsockname()[1]}",
                AKIN_CONFIG="/nowhere/akin.toml",
                AKIN_STORE="postgres://nowhere.test/akin",
                AKIN_LANG="hu",
                AKIN_COLLECTION="mine",
            )
        self.answers_as_readme_says(printed)

    def test_its_server_has_ended_when_it_ends(self):
        port = int(re.search(r"http://127\.0\.0\.1:(\d+)", self.run_it()).group(1))
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=10)

    def test_a_locale_that_is_not_utf_8_does_not_disturb_it(self):
        self.answers_as_readme_says(self.run_it(LC_ALL="C", LANG="C", PYTHONIOENCODING=""))

    def test_two_at_once_wait_for_each_other(self):
        command = f"'{SOURCE}/quickstart' >first & '{SOURCE}/quickstart' >second; wait"
        self.run_it(["bash", "-c", command])
        printed = [(self.folder / name).read_text(encoding="utf-8") for name in ("first", "second")]
        for one in printed:
            self.answers_as_readme_says(one)
        self.assertEqual(sum("; waiting for it …" in one for one in printed), 1, printed)

    def test_on_a_terminal_it_answers_the_same_and_ends_with_a_link_that_signs_in_once(self):
        process, descriptor = pty.fork()
        if process == 0:
            os.chdir(self.folder)
            os.execv(SOURCE / "quickstart", ["quickstart"])
        printed = b""
        link = None
        try:
            while piece := os.read(descriptor, 65536):
                printed += piece
                if link is None and (found := re.search(rb"within ten minutes: (http://127\.0\.0\.1:\d+/desk/sign-in/[\w-]{43})\r\n", printed)):
                    link = found.group(1).decode()
                    self.assertEqual([self.signs_in(link), self.signs_in(link)], [True, False])
                    os.write(descriptor, b"\x03")
        except OSError:
            pass  # the terminal's other side is closed
        finally:
            os.close(descriptor)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), 0, printed.decode())
        self.assertIsNotNone(link, printed.decode())
        self.answers_as_readme_says(printed.decode().replace("\r\n", "\n").replace("^C", ""))

    def signs_in(self, link: str) -> bool:
        """Presses the button of the page; whether that leads to the desk."""
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        self.assertIn("/desk/sign-in/", opener.open(link, timeout=60).read().decode())
        try:
            return "Check a text" in opener.open(link, data=b"", timeout=60).read().decode()
        except urllib.error.HTTPError as refused:
            self.assertEqual(refused.code, 403)
            return False


if __name__ == "__main__":
    unittest.main()
