"""./quickstart on made-up machines: what it says when it cannot go on, and while it builds. The script as a newcomer runs it is
tested by tests/quickstart.
"""
import os
import pathlib
import pty
import shutil
import subprocess
import tempfile
import time
import unittest

from fake_machine import SOURCE, Machine

NINJA = """case "$*" in *commands*) printf '%s\\n' one two three four ;; *) printf '%s\\n' 'ninja: Entering' '[1/2] a' '[2/2] b' ;; esac"""


def read_to_end(terminal: int) -> str:
    """What is written to a terminal until its last writer closes it. One read may return a part of it."""
    shown = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # EIO: no writer is left
            part = b""
        if not part:
            return shown.decode()
        shown += part


class QuickstartErrorsTest(unittest.TestCase):
    def setUp(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-machine-"))
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        self.machine = Machine(folder)
        self.machine.install_all()
        self.machine.program("df", "echo; echo '/dev/vda1 9999 0 5000 0% /'")
        self.machine.program("ninja", NINJA)
        self.source = folder / "my akin"
        (self.source / "tools").mkdir(parents=True)
        for name in ("quickstart", "tools/install-packages", "tools/show-progress"):
            shutil.copy2(SOURCE / name, self.source / name)

    def cmake_that(self, building: str):
        """A cmake that sets the build up, and then does this."""
        self.machine.program(
            "cmake",
            f"""case "$1" in
                  --version) echo cmake version 3.25.1 ;;
                  --preset) mkdir -p build/release; touch build/release/build.ninja ;;
                  --build) {building} ;;
                esac""",
        )

    def refused(self, *expected: str, **environment) -> str:
        code, told = self.machine.run(self.source / "quickstart", **environment)
        self.assertEqual(code, 2, told)
        for words in expected:
            self.assertIn(words, told)
        return told

    def test_missing_packages_end_it_at_once(self):
        self.machine.program("id", "echo 1000")
        (self.machine.folder / "installed").write_text("", encoding="utf-8")
        told = self.refused("apt-get update && apt-get install")
        self.assertNotIn("Building", told)

    def test_a_full_disk_is_found_before_anything_is_built(self):
        self.machine.program("df", "echo; echo '/dev/vda1 9999 0 12 99% /'")
        self.refused("the disk is full", "has 12 MB free", "Free some space")

    def test_a_disk_that_fills_up_is_named_as_the_reason(self):
        self.cmake_that("echo 'fatal error: error writing to /tmp/x.s: No space left on device'; exit 1")
        self.refused("akin cannot be built: the disk is full", "run ./quickstart again")

    def test_so_is_a_full_memory(self):
        self.cmake_that("echo 'g++: fatal error: Killed signal terminated program cc1plus'; exit 1")
        self.refused("akin cannot be built: the memory is full")

    def test_a_build_that_cannot_be_set_up_shows_what_cmake_says(self):
        self.machine.program("cmake", "case $1 in --version) echo cmake version 3.25.1 ;; *) echo 'CMake Error: no Boost'; exit 1 ;; esac")
        self.refused("CMake Error: no Boost", "the build cannot be set up", "build/quickstart.log")

    def test_a_build_that_fails_shows_the_end_of_its_log(self):
        self.cmake_that("echo 'server/x.cpp:1: error: wrong'; exit 1")
        self.refused("server/x.cpp:1: error: wrong", "akin cannot be built; the end of build/quickstart.log is above")

    def test_a_compiler_that_cannot_compile_ends_it_before_the_build(self):
        self.machine.program("c++", "case $1 in --version) echo c++ ;; -dumpversion) echo 12 ;; *) echo 'no such header' >&2; exit 1 ;; esac")
        self.cmake_that("echo 'built all the same'")
        told = self.refused("no such header", "the compiler c++ cannot compile dict/read/pair_finder.cpp")
        self.assertNotIn("built all the same", told)

    def test_a_folder_that_cannot_be_written_is_named(self):
        (self.source / "build").write_text("a file where the folder should be", encoding="utf-8")
        self.refused(f"the folder {self.source}/build cannot be written")

    def test_before_it_builds_it_says_how_long_that_takes(self):
        self.cmake_that("exit 1")
        self.refused("Building akin in 2 steps: about 10 seconds on this machine …")

    def test_the_time_grows_with_what_the_compiler_takes(self):
        self.machine.program("c++", "case $1 in --version) echo c++ ;; -dumpversion) echo 12 ;; *) sleep 1.5 ;; esac")
        self.machine.program("nproc", "echo 1")
        self.cmake_that("exit 1")
        self.refused("Building akin in 2 steps: about 2 minutes on this machine …")


class ProgressTest(unittest.TestCase):
    """tools/show-progress, which shows how far a build is."""

    BUILD = "echo '-- Configuring'; for i in 1 2 3 4 5 6; do echo \"[$i/6] Building CXX object x.o\"; sleep 0.5; done; echo done"

    def test_without_a_terminal_there_is_a_line_now_and_then(self):
        lines = []
        with subprocess.Popen(["tools/show-progress", "1"], cwd=SOURCE, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as shown:
            for last in (50, 100):
                shown.stdin.write("".join(f"[{step}/100] Building CXX object x.o\n" for step in range(last - 49, last + 1)))
                shown.stdin.flush()
                while not lines or f"step {last} of" not in lines[-1]:
                    lines.append(shown.stdout.readline())
                    self.assertRegex(lines[-1], r"^  step \d+ of 100 after \d+:\d\d$")
            shown.communicate()
        self.assertEqual(shown.returncode, 0)
        at = [line.rsplit(" ", 1)[1] for line in lines]
        self.assertEqual(len(set(at)), len(at), "a line a second at most")

    def test_on_a_terminal_there_is_one_line_that_is_removed_in_the_end(self):
        main, terminal = pty.openpty()
        self.addCleanup(os.close, main)
        with subprocess.Popen(["bash", "-c", f"({self.BUILD}) | tools/show-progress"], cwd=SOURCE, stdout=terminal):
            os.close(terminal)
            shown = read_to_end(main)
        self.assertNotIn("\n", shown)
        for step in range(1, 7):
            self.assertRegex(shown, rf"\r  step {step} of 6, \d+:\d\d")
        self.assertTrue(shown.endswith("\r\x1b[K"), repr(shown))

    def test_steps_on_the_build_files_themselves_do_not_count(self):
        with subprocess.Popen(["tools/show-progress", "1"], cwd=SOURCE, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as shown:
            shown.stdin.write("[0/2] Re-checking globbed directories...\n[1/2] Re-running CMake...\n")
            shown.stdin.flush()
            line = shown.stdout.readline()
            shown.stdin.close()
        self.assertRegex(line, r"^  the first step is not done yet after 0:\d\d\n$")


if __name__ == "__main__":
    unittest.main()

    def test_an_argument_builds_nothing(self):
        self.cmake_that("echo 'built all the same'")
        for argument, code, expected in (("--help", 0, "From a bare Debian 12 to a first answer"), ("--fast", 2, "takes no arguments")):
            run = subprocess.run([self.source / "quickstart", argument], capture_output=True, text=True, timeout=60)
            self.assertEqual(run.returncode, code)
            self.assertIn(expected, run.stdout + run.stderr)
            self.assertNotIn("built all the same", run.stdout + run.stderr)
