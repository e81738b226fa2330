"""One file = environment = flags: akin config, and how the commands take their settings."""
import unittest

import configuration_page
from program import AkinTest

TEXT = "Мама мыла раму. Рама чиста.".encode()


class ConfigTest(AkinTest):
    def setUp(self):
        super().setUp()
        del self.environment["AKIN_DATA"], self.environment["AKIN_LANG"]

    def values(self, *arguments, **environment) -> dict[str, tuple]:
        """key -> (value, source)"""
        shown = self.akin("config", "show", "--json", *arguments, code=0, **environment).json
        return {one["key"]: (one["value"], one["source"]) for one in shown["settings"]}

    def scheme_used(self, *arguments, **environment) -> str:
        return self.lab("features", "-", "--json", *arguments, stdin=TEXT, code=0, **environment).json["scheme"]

    def test_flag_beats_environment_beats_file_beats_default(self):
        file = self.write("akin.toml", 'scheme = "sentences"\n')
        variable = {"AKIN_SCHEME": "paper-2009(ids=plain)"}
        flag = ["--scheme", "paper-2009(ids=squared)"]
        self.assertEqual(self.scheme_used(), "sentence-pairs")
        self.assertEqual(self.scheme_used("--config", file), "sentences")
        self.assertEqual(self.scheme_used("--config", file, **variable), "paper-2009(ids=plain)")
        self.assertEqual(self.scheme_used("--config", file, *flag, **variable), "paper-2009(ids=squared)")

    def test_file_is_named_by_flag_on_either_side_of_the_command_or_by_variable(self):
        file = self.write("akin.toml", 'scheme = "sentences"\n')
        shadow = self.write("shadow.toml", 'scheme = "paper-2009"\n')
        self.assertEqual(self.scheme_used(AKIN_CONFIG=str(file)), "sentences")
        self.assertEqual(self.scheme_used("--config", file, AKIN_CONFIG=str(shadow)), "sentences")
        before = self.lab("--config", file, "features", "-", "--json", stdin=TEXT, code=0)
        self.assertEqual(before.json["scheme"], "sentences")

    def test_no_file_is_read_unless_it_is_named(self):
        self.write("akin.toml", 'scheme = "sentences"\n')
        self.assertEqual(self.scheme_used(), "sentence-pairs")

    def test_section_sets_the_options_of_its_command(self):
        file = self.write("akin.toml", "[serve]\nworkers = 3\n")
        self.assertEqual(self.values("--config", file)["serve.workers"], (3, "file"))
        self.assertEqual(self.values(AKIN_SERVE_WORKERS="4")["serve.workers"], (4, "environment"))

    def test_flags_of_other_commands_are_not_configured(self):
        file = self.write("akin.toml", "[compare]\nbound = 0\n")
        self.assertIn("the only one is [serve]", self.akin("config", "check", file, code=2).err)
        texts = [self.write(name, TEXT) for name in ("a.txt", "b.txt")]
        self.akin("compare", *texts, "--exit-code", code=0, AKIN_COMPARE_BOUND="0")
        self.assertLess(len(self.values()), 70)

    def test_akin_lab_takes_the_common_settings_alone(self):
        """The file is akin's: its sections are for akin's commands."""
        file = self.write("akin.toml", 'scheme = "sentences"\n[serve]\nworkers = 3\n[train]\nmodel = "x"\n')
        self.assertEqual(self.scheme_used("--config", file), "sentences")
        self.assertIn("[train]", self.akin("config", "check", file, code=2).err)
        self.assertIn("--labels", self.lab("train", code=2, AKIN_TRAIN_LABELS="x").err)
        self.assertIn("colour", self.lab("features", "-", "--config", self.write("wrong.toml", "colour = 1\n"), stdin=TEXT, code=2).err)

    def test_flag_without_value_is_a_boolean(self):
        file = self.write("akin.toml", "[serve]\nwebhook-allow-private = true\n")
        variable = "AKIN_SERVE_WEBHOOK_ALLOW_PRIVATE"
        for flags, environment, shown in ((["--config", file], {}, "true"), ([], {variable: "yes"}, "true"),
                                          (["--config", file], {variable: "0"}, "false")):  # fmt: skip
            self.assertIn(f"webhook-allow-private = {shown}  #", self.akin("config", "show", *flags, code=0, **environment).out)

    def test_settings_are_few(self):
        """What a file or a variable sets changes what a command does that does not say so."""
        settings = self.akin("config", "show", "--json", code=0).json["settings"]
        self.assertLessEqual(len(settings), 60)
        self.assertNotIn("json", [one["key"] for one in settings])
        self.assertIn("no such setting", self.akin("config", "check", self.write("akin.toml", "json = true\n"), code=2).err)

    def test_repeatable_option_takes_a_list(self):
        for name in ("a", "b"):
            self.write(name, "qwyx: qwyxes\n" if name == "a" else "zzyx: zzyxes\n")
        file = self.write("akin.toml", 'supplement = ["a", "b"]\nlang = ""\n')
        for named in ({"AKIN_CONFIG": str(file)}, {"AKIN_SUPPLEMENT": "a:b"}):
            words = self.akin("dict", "qwyxes", "zzyxes", "--lang", "ru", "--json", code=0, **named).json
            self.assertEqual([word["known"] for word in words], [True, True], words)

    def test_help_is_given_whatever_the_file_holds(self):
        file = self.write("akin.toml", "nonsense\n")
        self.akin("--config", file, "serve", "--help", code=0)
        self.akin("serve", "--help", code=0, AKIN_CONFIG="no-such-file")

    def test_wrong_files_are_refused_with_place_key_and_remedy(self):
        rows = [
            ("data = 5", ["line 1", "data", "text in quotes"]),
            ("\ncolection = 'x'", ["line 2", "colection", "no such setting", "did you mean 'collection'?"]),
            ("[serve]\nbody_limit = 1", ["line 2", "serve.body_limit", "did you mean 'serve.body-limit'?"]),
            ("[sevre]\nlisten = 'x'", ["line 1", "[sevre]", "did you mean 'serve'?"]),
            ("[serve]\nworkers = 4000", ["line 2", "serve.workers", "not in range 0 to 1024"]),
            ("[serve]\nbody-limit = 'many'", ["line 2", "serve.body-limit", "number of bytes"]),
            ("[serve]\nbody-limit = true", ["line 2", "serve.body-limit", "must be a number"]),
            ("[serve]\nworkers = [1, 2]", ["line 2", "serve.workers", "not a list"]),
            ("[serve]\ndata = 'x'", ["line 2", "serve.data", "above all sections"]),
            ("[serve]\nwebhook-allow-private = 1", ["line 2", "webhook-allow-private", "true or false"]),
            ("[nobody]", ["line 1", "[nobody]", "no such section"]),
            ("serve = 1", ["line 1", "serve", "no such setting"]),
            ("config = 'x'", ["line 1", "config", "no such setting"]),
            ("[[serve]]", ["line 1", "serve", "no such setting"]),
            ("help = true", ["line 1", "help", "no such setting"]),
            ("data = 'a'\ndata = 'b'", ["line 2", "not TOML"]),
            ("data", ["line 1", "not TOML"]),
        ]
        for text, said in rows:
            with self.subTest(text):
                file = self.write("akin.toml", text)
                answer = self.akin("config", "check", file, code=2)
                for part in said:
                    self.assertIn(part, answer.err)
                self.assertRegex(answer.err, r"\([^()]+.*\)\n$")

    def test_check_refuses_what_serve_refuses_with_the_same_words(self):
        rows = [
            ('[serve]\nlisten = "nowhere"', "has no port"),
            ('[serve]\nlisten = "127.0.0.1:99999"', "0 to 65535"),
            ('[serve]\nlisten = "::1:80"', "brackets"),
            ('[serve]\nlisten = "999.1.1.1:0"\nlog-level = "error"', "is not an address of this machine"),
            ('[serve]\nlisten = "0.0.0.0:0"\nlog-level = "error"', "there is no access key"),
            ('[serve]\nlisten = "127.0.0.1:0"\ncors-origin = "*"\nlog-level = "error"', "no access key exists"),
            (f'[serve]\nadmin-key-file = "{self.write("short-secret", "secret")}"', "32 to 512"),
            ('[serve]\nreindex-at = "25:00"', "time of day"),
            ('[serve]\ntls-cert = "cert.pem"', "--tls-key"),
            ('[serve]\ntls-key = "key.pem"', "--tls-cert"),
            ('[serve]\ntls-cert = "no-cert.pem"\ntls-key = "no-key.pem"', "no-cert.pem"),
            ('[serve]\ncors-origin = "example.org"', "origin"),
            ('[serve]\ncors-origin = ["*", "https://example.org/desk"]', "origin"),
            ('[serve]\nallow-host = "https://desk.example.org"', "name of a host"),
            ('[serve]\nallow-host = "desk.example.org:443"', "name of a host"),
            ('data = ""', "names no folder"),
            ('data = "postgres://akin@db/library"', "--store"),
            ('[serve]\nbody-limit = 0', "body limit"),
            ('[serve]\nanswer-memory = "0"', "memory for answers"),
            ('[serve]\nbody-limit = "64 apples"', "number of bytes"),
            ('[serve]\nbody-limit = "20000000T"', "number of bytes"),
            ('[serve]\nlog-level = "loud"', "loud"),
            ('[serve]\nadmin-key-file = "no-key"', "no-key"),
            ('lang = "klingon"', "klingon"),
            ('supplement = "no-such-file"', "no-such-file"),
            ('synonyms = "no-such-file"', "no-such-file"),
            ('store = "nowhere"', "postgres://"),
            ('store-of = "x"', "NAME=postgres://"),
            ('scheme = "no-such-scheme"', "no-such-scheme"),
            ('collection = "../x"', "../x"),
        ]
        for text, said in rows:
            with self.subTest(text):
                file = self.write("akin.toml", text)
                checked = self.akin("config", "check", file, code=2)
                served = self.akin("serve", "--config", file, code=2)
                self.assertIn(said, checked.err)
                self.assertEqual(checked.err.splitlines()[-1], served.err.splitlines()[-1])

    def test_check_finds_the_access_keys_that_serve_finds(self):
        file = self.write("akin.toml", '[serve]\nlisten = "0.0.0.0:0"\ncors-origin = "*"\n')
        self.akin("config", "check", file, code=2)
        self.akin("key", "create", "--scope", "read", code=0)
        self.assertEqual(self.akin("config", "check", file, code=0).out, "ok\n")
        elsewhere = self.write("elsewhere.toml", '[serve]\nlisten = "192.0.2.1:0"\nlog-level = "error"\n')  # RFC 5737
        checked, served = self.akin("config", "check", elsewhere, code=2), self.akin("serve", "--config", elsewhere, code=2)
        self.assertIn("listening on 192.0.2.1:0", checked.err)
        self.assertEqual(checked.err, served.err)

    def test_numbers_of_bytes_have_the_suffixes_of_the_page(self):
        for size in ("64M", "1k", "2 GiB", "100"):
            file = self.write("akin.toml", f'[serve]\nbody-limit = "{size}"\n')
            self.assertEqual(self.akin("config", "check", file, code=0).out, "ok\n")

    def test_unreadable_files_are_refused(self):
        large = self.write("large.toml", "#" * (1 << 20) + "#")
        for file, said in (("missing.toml", "No such file"), (".", "folder"), (large, "1 MiB")):
            self.assertIn(said, self.akin("config", "check", file, code=2).err)
            self.assertIn(said, self.lab("features", "-", "--config", file, stdin=TEXT, code=2).err)

    def test_check_tells_all_errors_and_a_command_the_first(self):
        file = self.write("akin.toml", "colour = 1\n[serve]\nworkers = 4000\nmax-queued = -1\n")
        checked = self.akin("config", "check", file, code=2, AKIN_SERVE_IO_THREADS="few")
        self.assertEqual(len(checked.err.splitlines()), 4, checked)
        self.assertEqual(checked.out, "")
        used = self.lab("features", "-", "--config", file, stdin=TEXT, code=2)
        self.assertEqual(len(used.err.splitlines()), 1, used)

    def test_check_of_a_right_file_says_ok(self):
        file = self.write("akin.toml", 'data = "x"\n[serve]\nlisten = "[::1]:80"\n')
        self.assertEqual(self.akin("config", "check", file, code=0).out, "ok\n")
        self.assertEqual(self.akin("config", "check", code=0, AKIN_CONFIG=str(file)).out, "ok\n")
        self.assertIn("no configuration file", self.akin("config", "check", code=2).err)

    def test_values_of_other_commands_do_not_stop_a_command(self):
        file = self.write("akin.toml", "[serve]\nworkers = 4000\n")
        self.lab("features", "-", "--config", file, stdin=TEXT, code=0)

    def test_show_tells_value_and_source_of_every_setting(self):
        file = self.write("akin.toml", 'lang = ""\n[serve]\nworkers = 3\nmax-queued = 4\n')
        values = self.values("--config", file, "--data", "here", AKIN_SERVE_MAX_QUEUED="5")
        self.assertEqual(values["data"], ("here", "flag"))
        self.assertEqual(values["lang"], ("", "file"))
        self.assertEqual(values["serve.workers"], (3, "file"))
        self.assertEqual(values["serve.max-queued"], (5, "environment"))
        self.assertEqual(values["collection"], ("default", "default"))
        self.assertEqual(values["scheme"], (None, "default"))

    def test_what_show_prints_is_a_file_that_says_the_same(self):
        for name in ("x", "y"):
            self.write(name, "")
        file = self.write("akin.toml", 'data = "a \\"b\\" ж"\nsupplement = ["x", "y"]\n[serve]\nmin-free-disk = 5\n')
        shown = self.akin("config", "show", "--config", file, code=0)
        again = self.write("again.toml", shown.out)
        self.assertEqual(self.akin("config", "check", again, code=0).out, "ok\n")
        first, second = self.values("--config", file), self.values("--config", again)
        self.assertEqual({key: value for key, (value, _) in first.items()}, {key: value for key, (value, _) in second.items()})

    def test_template_changes_nothing_and_sets_what_flags_give(self):
        plain = self.write("plain.toml", self.akin("config", "template", code=0).out)
        self.assertEqual({source for _, source in self.values("--config", plain).values()} - {"flag"}, {"default"})
        given = self.write("given.toml", self.akin("config", "template", "--data", "/srv/x", code=0).out)
        self.assertEqual(self.values("--config", given)["data"], ("/srv/x", "file"))

    def test_every_setting_has_its_own_variable_and_says_what_it_is(self):
        settings = self.akin("config", "show", "--json", code=0).json["settings"]
        self.assertEqual(len({one["variable"] for one in settings}), len(settings))
        for one in settings:
            self.assertTrue(one["form"].strip() and one["meaning"].strip(), one)

    def test_page_lists_every_setting_as_the_program_describes_it(self):
        self.assertEqual(
            configuration_page.PAGE.read_text(encoding="utf-8").partition(configuration_page.MARK)[2],
            configuration_page.tables(self.akin("config", "show", "--json", code=0).json["settings"]),
            "rewrite the end of docs/configuration.md with tests/e2e/configuration_page.py",
        )


if __name__ == "__main__":
    unittest.main()
