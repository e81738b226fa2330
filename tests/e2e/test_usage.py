"""Flags, help, errors and streams: the answers to wrong calls."""
import json
import os
import pty
import subprocess
import unittest

from program import LIBRARY, QUERY, AkinTest, story

COMMANDS = ("serve", "index", "reindex", "similar", "check", "compare", "pairs", "groups", "stream", "dedup", "features", "show", "delete", "verify", "stats", "dict", "config", "completion")
LAB_COMMANDS = ("evaluate", "features", "calc", "train", "completion")
# Program, how a test calls it, command.
PAGES = [
    *(("akin", AkinTest.akin, command) for command in COMMANDS),
    *(("akin-lab", AkinTest.lab, command) for command in LAB_COMMANDS),
]


class ExitCodeTest(AkinTest):
    """0: done, whatever was found. 1: found, where --exit-code asks for that. 2: error."""

    def test_what_was_found_is_the_exit_code_only_where_that_is_asked_for(self):
        self.index_library()
        self.akin("index", "-", "--id", "copy", stdin=story().encode(), code=0)
        self.akin("gate", "set", "--threshold", "0.5", code=0)
        self.write("new.txt", "".join(f"The {word} sentence was written for this test. " for word in ("first", "second", "third", "fourth", "fifth")))
        rows = [
            (["similar", QUERY], ["similar", "new.txt"]),
            (["compare", QUERY, LIBRARY / "chekhov-chameleon.txt"], ["compare", QUERY, "new.txt"]),
            (["check", QUERY], ["check", "new.txt"]),
            (["pairs", "--bound", "3"], ["pairs", "--bound", "100000"]),
            (["groups", "--bound", "3"], ["groups", "--bound", "100000"]),
            (["groups", "--method", "imatch"], ["groups", "--method", "imatch", "--low", "1", "--high", "1"]),
            (["index", "--admit", LIBRARY / "chekhov-chameleon.txt", "--id", "again"], ["index", "--admit", "new.txt"]),
        ]
        for finds, finds_nothing in rows:
            with self.subTest(finds):
                self.akin(*finds, code=0)
                self.akin(*finds, "--exit-code", code=1)
                self.akin(*finds_nothing, "--exit-code", code=0)

    def test_error_is_2_with_exit_code_too(self):
        self.akin("compare", QUERY, "no-such-file", "--exit-code", code=2)


class UsageTest(AkinTest):
    def test_help_lists_every_command_under_a_heading_after_the_first_steps(self):
        out = self.akin("--help", code=0).out
        self.assertLess(out.index("First steps:"), out.index("\nAsk:\n"))
        headings = [line[:-1] for line in out.splitlines() if line in ("Ask:", "Store:", "Serve:", "Look after:", "Measure:", "Train:")]
        self.assertEqual(headings, ["Ask", "Store", "Serve", "Look after"])
        for command in COMMANDS:
            self.assertIn(f"  {command} ", out)
        for command in ("evaluate", "calc", "train"):
            self.assertNotIn(f"\n  {command} ", out)

    def test_help_of_akin_lab_lists_its_commands(self):
        out = self.lab("--help", code=0).out
        self.assertEqual(self.lab(code=0).out, out)
        self.assertIn("\nUsage: akin-lab COMMAND", out)
        headings = [line[:-1] for line in out.splitlines() if line in ("Measure:", "Train:", "Help:")]
        self.assertEqual(headings, ["Measure", "Train", "Help"])
        for command in LAB_COMMANDS:
            self.assertIn(f"  {command} ", out)

    def test_akin_alone_and_akin_help_are_the_same_page(self):
        page = self.akin("--help", code=0).out
        self.assertEqual(self.akin(code=0).out, page)
        self.assertEqual(self.akin("help", code=0).out, page)
        self.assertEqual(self.akin(code=0, AKIN_CONFIG="no-such-file").out, page)

    def test_help_of_a_command_is_asked_for_in_three_ways(self):
        for command in (["similar"], ["config"], ["config", "check"], ["key", "create"]):
            with self.subTest(command):
                page = self.akin("help", *command, code=0).out
                self.assertEqual(self.akin(*command, "--help", code=0).out, page)
        self.assertEqual(self.akin("config", code=0).out, self.akin("help", "config", code=0).out)

    def test_help_of_every_command_has_examples_before_the_common_flags(self):
        for name, run, command in PAGES:
            with self.subTest(command):
                out = run(self, command, "--help", code=0).out
                examples, common = out.index("Examples:\n"), out.index("Common flags")
                self.assertLess(examples, common)
                self.assertIn(f"{name} {command}", out[examples:common])
                for flag in ("--data", "--collection", "--scheme", "--lang", "--supplement", "--json"):
                    self.assertIn(f"  {flag}", out[common:])

    def test_help_fits_100_columns(self):
        for _, run, command in (("akin", AkinTest.akin, None), ("akin-lab", AkinTest.lab, None), *PAGES):
            for line in run(self, "help", *([command] if command else []), code=0).out.splitlines():
                if line.startswith(("  -", "      ")):
                    self.assertLessEqual(len(line), 100, line)

    def test_what_was_meant_by_a_mistyped_word_is_suggested(self):
        rows = [
            (["simlar"], "'simlar': is not a command (did you mean 'similar'? akin help lists all)"),
            (["help", "simliar"], "did you mean 'similar'?"),
            (["config", "shwo"], "'config shwo': is not a command (did you mean 'show'? see akin help config)"),
            (["similar", QUERY, "--bonud", "3"], "'--bonud': is not a flag of akin similar (did you mean '--bound'? see akin similar --help)"),
            (["similar", QUERY, "--colection=x"], "did you mean '--collection'?"),
            (["--jsno", "stats"], "did you mean '--json'?"),
        ]
        for arguments, said in rows:
            with self.subTest(arguments):
                self.assertIn(said, self.akin(*arguments, code=2).err)
        self.assertIn("did you mean 'evaluate'? akin-lab help lists all", self.lab("eval", code=2).err)
        self.assertNotIn("evaluate", self.akin("eval", code=2).err)

    def test_what_resembles_nothing_gets_no_suggestion(self):
        for arguments in (["frobnicate"], ["help", "frobnicate"], ["similar", QUERY, "--frobnicate"]):
            with self.subTest(arguments):
                self.assertNotIn("did you mean", self.akin(*arguments, code=2).err)

    def test_version(self):
        self.assertRegex(self.akin("--version", code=0).out, r"^akin \d+\.\d+\.\d+\n$")
        self.assertRegex(self.lab("--version", code=0).out, r"^akin-lab \d+\.\d+\.\d+\n$")

    def test_wrong_calls_are_exit_2_and_say_what_is_wrong(self):
        rows = [
            (["frobnicate"], "frobnicate"),
            (["similar"], "FILE"),
            (["similar", QUERY, "--id", "x"], "exactly one"),
            (["similar", QUERY, "--bound", "-1"], "--bound"),
            (["similar", QUERY, "--bound", "many"], "--bound"),
            (["similar", QUERY, "--min-containment", "1.5"], "0 to 1"),
            (["similar", QUERY, "--min-containment", "nan"], "0 to 1"),
            (["similar", QUERY, "--unknown"], "--unknown"),
            (["similar", QUERY, "--limit", "99999999999999999999999"], "--limit"),
            (["compare", QUERY], "B is required"),
            (["compare", QUERY, QUERY, "c", "d"], "'c', 'd': akin compare does not take these arguments (see akin compare --help)"),
            (["pairs", "--tier", "pairs"], "none of the conditions"),
            (["pairs", "--bound", "-1"], "--bound"),
            (["pairs", "--min-resemblance", "2"], "0 to 1"),
            (["pairs", "--bound", "3", "--memory", "1"], "1M to 1T"),
            (["groups", "--tier", "pairs", "--common-limit", "50"], "none of the conditions"),
            (["delete"], "either ids or --filter"),
            (["index"], "PATH is required"),
            (["index", QUERY, "--memory", "15M"], "--memory"),
            (["index", QUERY, "--memory", "lots"], "--memory"),
            (["index", QUERY, "--memory", "-1"], "--memory"),
            (["index", "a", "b", "--id", "x"], "a"),
            (["index", QUERY, "--data", "postgres://akin@db/library"], "--data: is an address, which --store takes"),
            (["store", "copy", ".", "posgres://akin@db/library"], "TO: 'posgres://akin@db/library' is not an address"),
            (["serve", "--workers", "-1"], "--workers"),
            (["serve", "--workers", "4000000"], "--workers"),
            (["serve", "--body-limit", "-1"], "--body-limit"),
            (["serve", "--listen", "127.0.0.1"], "--listen"),
            (["serve", "--listen", "127.0.0.1:99999"], "65535"),
            (["serve", "--listen", "::1:80"], "brackets"),
        ]
        for arguments, said in rows:
            with self.subTest(arguments):
                answer = self.akin(*arguments, code=2)
                self.assertTrue(answer.err.startswith("akin: "), answer)
                self.assertIn(said, answer.err)
                self.assertEqual(answer.out, "")

    def test_wrong_calls_of_akin_lab_are_refused_likewise(self):
        rows = [
            (["nonsense"], "akin-lab help lists all"),
            (["features", QUERY, "--unknown"], "see akin-lab features --help"),
            (["evaluate", "everything"], "'evaluate everything': is not a command"),
            (["evaluate", "rank"], "FILE is required"),
            (["evaluate", "threshold"], "SET is required"),
            (["features", "no-such-file"], "no-such-file"),
            (["features", "."], "folder"),
            (["features", QUERY, "--scheme", "nonsense"], "sentence-pairs"),
        ]
        for arguments, said in rows:
            with self.subTest(arguments):
                answer = self.lab(*arguments, code=2)
                self.assertTrue(answer.err.startswith("akin-lab: "), answer)
                self.assertIn(said, answer.err)
                self.assertEqual(answer.out, "")

    def test_commands_of_akin_lab_are_named_by_akin(self):
        for arguments in (["evaluate", "rank", "pairs.csv"], ["evaluate", "groups", "--help"], ["train"], ["calc", "--json"], ["train", "-", "--data", "x"],
                          ["help", "evaluate"], ["--data", "x", "train"]):  # fmt: skip
            with self.subTest(arguments):
                answer = self.akin(*arguments, code=2)
                self.assertRegex(answer.err, r"^akin: '(\w+)': is a command of akin-lab \(call akin-lab \1\)\n$")
                self.assertEqual(answer.out, "")

    def test_errors_are_objects_with_json(self):
        for arguments in (["check", "no-such-file", "--json"], ["--json", "nonsense"], ["similar", "x", "--json"]):
            with self.subTest(arguments):
                error = json.loads(self.akin(*arguments, code=2).err)
                self.assertLessEqual({"code", "detail", "what", "reason", "remedy"}, error.keys())

    def test_unknown_collection_names_those_that_there_are(self):
        self.index_library("--collection", "books")
        self.index_library("--collection", "stories")
        for command in (["similar", QUERY], ["stats"], ["export"], ["compact"], ["reindex"], ["ttl"], ["ttl", "1d"]):
            with self.subTest(command):
                self.assertIn(
                    "there is no collection with this name (--collection names one of: books, stories; akin index PATH --collection default creates it)",
                    self.akin(*command, code=2).err,
                )

    def test_missing_data_folder_names_the_remedy(self):
        answer = self.akin("similar", QUERY, code=2)
        self.assertIn("akin index", answer.err)
        self.assertFalse(self.data.exists())

    def test_missing_collection_is_named(self):
        self.index_library()
        self.assertIn("'other'", self.akin("stats", "--collection", "other", code=2).err)

    def test_common_flags_stand_before_or_after_the_command(self):
        self.akin("--data", "here", "--collection", "c", "index", LIBRARY, code=0)
        stats = self.akin("stats", "--json", "--collection", "c", "--data", "here", code=0).json
        self.assertEqual(stats["name"], "c")

    def test_flag_is_stronger_than_the_environment(self):
        self.akin("index", LIBRARY, "--data", "flagged", code=0, AKIN_DATA="from-environment")
        self.assertTrue((self.folder / "flagged").is_dir())
        self.assertFalse((self.folder / "from-environment").exists())

    def test_flag_before_the_command_is_stronger_than_the_environment(self):
        answer = self.akin("--lang", "en", "dict", "--json", code=0, AKIN_LANG="ru").json
        self.assertEqual([source["language"] for source in answer["sources"]], ["en"])

    def test_text_that_is_not_utf8_names_byte_and_remedy(self):
        answer = self.lab("features", "-", stdin="это".encode("cp1251"), code=2)
        self.assertIn("standard input", answer.err)
        self.assertIn("byte 0", answer.err)
        self.assertIn("iconv", answer.err)

    def test_text_comes_through_a_pipe_of_any_name(self):
        by_dash = self.lab("features", "-", "--json", stdin=story().encode(), code=0).json
        self.assertEqual(self.lab("features", "/dev/stdin", "--json", stdin=story().encode(), code=0).json, by_dash)

    def test_id_that_is_not_utf8_is_refused(self):
        self.index_library()
        for arguments in ([b"show"], [b"delete"], [b"similar", b"--id"]):
            answer = self.akin(*[part.decode() for part in arguments], os.fsdecode(b"\xff"), "--json", code=2)
            self.assertEqual(json.loads(answer.err)["code"], "invalid_utf8")

    def test_full_disk_on_standard_output_is_an_error(self):
        with open("/dev/full", "wb") as full:
            finished = subprocess.run(
                self.lab_command("features", QUERY), stdout=full, stderr=subprocess.PIPE, env=self.environment, check=False
            )
        self.assertEqual(finished.returncode, 2)
        self.assertIn("standard output", finished.stderr.decode())

    def test_closed_pipe_is_quiet(self):
        self.write("long.txt", story() * 40)
        running = subprocess.Popen(
            self.lab_command("features", "long.txt"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=self.environment,
        )
        running.stdout.read(10)
        running.stdout.close()
        self.assertEqual(running.stderr.read(), b"")
        running.stderr.close()
        self.assertEqual(running.wait(timeout=60), 0)

    def test_terminal_controls_in_titles_are_not_printed(self):
        self.akin("index", "-", "--id", "x", "--title", "a\x1b[31mred", stdin=story().encode(), code=0)
        self.assertNotIn("\x1b", self.akin("show", "x", code=0).out)
        self.assertNotIn("\x1b", self.akin("similar", QUERY, code=0).out)

    def test_terminal_controls_reach_no_terminal_in_tables_and_lines(self):
        lines = [json.dumps({"id": name, "title": "a\x9b31m\x1b[31m", "text": story()}) for name in ("x", "y")]
        self.akin("import", "-", stdin="\n".join(lines).encode(), code=0)
        for command in (("pairs", "--table", "-"), ("export",)):
            shown = self.on_terminal(*command)
            self.assertIn("31m", shown)
            self.assertNotRegex(shown, "[\x1b\x9b]")

    def on_terminal(self, *arguments) -> str:
        """What the command prints if its standard output is a terminal."""
        mine, its = pty.openpty()
        running = subprocess.Popen(self.command(*arguments), stdout=its, stderr=subprocess.DEVNULL, cwd=self.folder, env=self.environment)
        os.close(its)
        shown = b""
        try:
            while piece := os.read(mine, 4096):
                shown += piece
        except OSError:  # EIO: nobody has it open any more
            pass
        os.close(mine)
        self.assertEqual(running.wait(timeout=60), 0)
        return shown.decode()


if __name__ == "__main__":
    unittest.main()
