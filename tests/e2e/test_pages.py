"""Every command that the documentation shows is run by a test, or listed with the reason why it is not."""
import pathlib
import re
import tempfile
import time
import unittest

from console_pages import SOURCE, Page, databases_of, split_commands
from documented import HTTP_PAGES, LANGUAGES, NOT_RUN, blocks_of, key_of, not_run

README = SOURCE / "README.md"
# README.ru.md shows blocks of README.md alone (tests/checks/docs.py).
PAGES = [README, *sorted({*SOURCE.glob("*.md")} - {README, SOURCE / "README.ru.md"}), *sorted((SOURCE / "docs").glob("*.md"))]
# Where it begins a line of a text, a command is hidden there from the tests.
COMMAND = re.compile(r"^(\$ |akin [a-z]|curl |cmake |ctest |python3 |apt |apt-get |systemctl |\./(quickstart|test|bench))", re.MULTILINE)


class PagesTest(unittest.TestCase):
    longMessage = False  # the joined complaints say it better than the list

    def check(self, path):
        page = Page(path)
        self.addCleanup(page.close)
        _, complaints = page.rewritten()
        self.assertFalse(complaints, "\n\n".join(complaints))

    def test_shown_output_is_real(self):
        for path in PAGES:
            text = path.read_text(encoding="utf-8")
            if databases_of(text) or not any(block.language == "console" for block in blocks_of(text)):
                continue
            with self.subTest(path.name):
                self.check(path)

    def test_shown_output_over_databases_is_real(self):
        for path in PAGES:
            if databases_of(path.read_text(encoding="utf-8")):
                self.check(path)


class RunTest(unittest.TestCase):
    """How the blocks of a page are run."""

    def page(self, block: str) -> Page:
        file = tempfile.NamedTemporaryFile("w", suffix=".md", encoding="utf-8")
        self.addCleanup(file.close)
        file.write(f"```console\n{block}```\n")
        file.flush()
        return Page(pathlib.Path(file.name))

    def complaints(self, block: str) -> list[str]:
        page = self.page(block)
        self.addCleanup(page.close)
        return page.rewritten()[1]

    def test_a_command_continues_to_the_end_of_its_here_document(self):
        command = "cat <<'END' |\\\n  tr a b\na\n$ a\nEND\n"
        self.assertEqual(split_commands(f"$ {command}b\n$ pwd\n"), [(command, "b\n"), ("pwd\n", "")])
        self.assertEqual(self.complaints("$ cat <<'END' | tr -d '$'\na\n$ a\nEND\na\n a\n"), [])

    def test_what_a_command_sets_is_there_for_the_next(self):
        self.assertEqual(self.complaints("$ mkdir new && cd new && X=1\n$ echo $X ${PWD##*/}\n1 new\n"), [])

    def test_other_output_than_shown_is_a_complaint(self):
        self.assertEqual(len(self.complaints("$ echo one\ntwo\n$ printf three\nthree\n")), 1)

    def test_a_command_that_ends_the_shell_is_an_error(self):
        with self.assertRaisesRegex(RuntimeError, "has ended the shell: exit 3"):
            self.complaints("$ exit 3\n")

    def test_what_a_page_has_started_ends_with_it(self):
        page = self.page("")
        self.assertEqual(page.run("sleep 600 &"), "")
        begin = time.monotonic()
        page.close()  # reads what they print until the last one has ended
        self.assertLess(time.monotonic() - begin, 300)

    def test_a_server_gets_a_free_port_in_place_of_the_one_shown(self):
        page = self.page("$ echo --listen 127.0.0.1:7979\n--listen 127.0.0.1:7979\n")
        self.addCleanup(page.close)
        self.assertEqual(page.rewritten()[1], [])
        self.assertNotEqual(page.run("echo 127.0.0.1:7979 | cut -d : -f 2"), "7979\n")


class CommandsTest(unittest.TestCase):
    """Which blocks there are, and who runs them."""

    def blocks(self):
        for path in PAGES[1:]:
            for block in blocks_of(path.read_text(encoding="utf-8")):
                yield path.name, block

    def test_every_block_says_in_which_language_it_is(self):
        for page, block in self.blocks():
            with self.subTest(page=page, line=block.line):
                self.assertIn(block.language, LANGUAGES)

    def test_no_block_is_set_in_by_blanks(self):
        # An indented block says nothing about its language.
        for path in PAGES[1:]:
            text = path.read_text(encoding="utf-8")
            for block in blocks_of(text):
                text = text.replace(block.text, "")
            for found in re.finditer(r"(?<=\n\n)    .*", text):
                before = text[: found.start()].rstrip().rpartition("\n")[2]
                self.assertRegex(before, r"^( |[-*] |\d+\. )", f"{path.name}: {found.group()}")

    def test_commands_are_not_hidden_in_texts(self):
        for page, block in self.blocks():
            if LANGUAGES.get(block.language) == "text":
                with self.subTest(page=page, line=block.line):
                    self.assertNotRegex(block.content, COMMAND)

    def test_every_command_is_run_or_says_why_not(self):
        """Of a shell's blocks, `console` is run by PagesTest and `sh` with an answer below it by tests/server/api_docs.py."""
        left = []
        for page, block in self.blocks():
            if LANGUAGES.get(block.language) != "commands" or not_run(page, block):
                continue
            if block.language == "console" or (block.answered and page in HTTP_PAGES):
                continue
            left.append(f"{page} line {block.line}: {key_of(block)}")
        self.assertFalse(left, "no test runs these; give them the form that is run, or list them in documented.py:\n" + "\n".join(left))

    def test_the_list_of_what_is_not_run_has_nothing_else(self):
        found = {(page, key_of(block)) for page, block in self.blocks() if LANGUAGES.get(block.language) == "commands"}
        listed = {(page, first) for page, blocks in NOT_RUN.items() for first in blocks}
        self.assertFalse(listed - found, "these are listed in documented.py, and no page shows them")


if __name__ == "__main__":
    unittest.main()
