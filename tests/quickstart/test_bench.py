"""./bench as a reader runs it: its list, one short measurement, and a wrong name. `./test release` runs this, `./test quickstart`
its CompareTest, which builds nothing."""
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Bench(unittest.TestCase):
    def bench(self, *arguments, code: int = 0) -> tuple[str, str]:
        """What it prints on either stream, run from another folder without a terminal."""
        done = subprocess.run(
            [SOURCE / "bench", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd="/", timeout=3600, check=False
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout, done.stderr


class BenchTest(Bench):
    def test_the_list_names_what_the_page_describes(self):
        listed = [line.split()[0] for line in self.bench("--list")[0].splitlines()]
        page = (SOURCE / "docs" / "benchmarks.md").read_text(encoding="utf-8").partition("| name | how |")[2].partition("\n\n")[0]
        described = re.findall(r"`([\w-]+)`", "".join(re.findall(r"^\| (.*?) \|", page, re.MULTILINE)))
        self.assertCountEqual(listed, described)

    def test_a_measurement_prints_its_rows_and_writes_them(self):
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / "rows.json"
            printed, _ = self.bench("put", "--output", output)
            rows = json.loads(output.read_text(encoding="utf-8"))["rows"]
        self.assertIn("durable puts, 64 clients", [row["name"] for row in rows])
        for row in rows:
            self.assertGreater(row["value"], 0, row)
            self.assertRegex(printed, rf"(?m)^{re.escape(row['name'])} ")

    def test_a_name_that_is_none_is_refused(self):
        self.assertIn("no measurement 'nosuch'; --list names them", self.bench("nosuch", code=2)[1])


class CompareTest(Bench):
    def test_a_comparison_names_what_became_worse(self):
        def row(name, value, unit, better):
            return {"name": name, "value": value, "unit": unit, "better": better, "goal": None, "met": None, "yardstick": ""}

        machine = {"processor": "any", "cores": 2, "load": "0.1 before the measurements, 1.0 after them"}
        old = [row("search", 2.0, "ms", "lower"), row("scan", 100, "MB/s", "higher"), row("gone", 1, "s", "lower")]
        new = [row("search", 2.1, "ms", "lower"), row("scan", 50, "MB/s", "higher")]
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / "old.json", pathlib.Path(folder) / "new.json"]
            for file, rows in zip(files, (old, new)):
                file.write_text(json.dumps({"machine": machine, "rows": rows}), encoding="utf-8")
            printed, _ = self.bench("--compare", *files, code=1)
            self.assertRegex(printed, r"worse: 1\n  scan +100 -> +50 MB/s +x 0\.50\n")
            self.assertIn("within 10%: 1\nonly in the old file: 1\n  gone\n", printed)
            self.bench("--compare", files[0], files[0], code=0)
            self.assertIn("cannot be read", self.bench("--compare", files[0], pathlib.Path(folder) / "none.json", code=2)[1])

    def test_measuring_a_build_refuses_a_preset_that_does_not_exist(self):
        self.assertIn("No such preset", self.bench("build", "nosuch", code=1)[1])

    def test_measuring_a_build_refuses_a_source_that_does_not_exist_before_it_builds(self):
        self.assertIn("there is no nosuch.cpp", self.bench("build", "nosuch", "--touch", "nosuch.cpp", code=2)[1])


if __name__ == "__main__":
    unittest.main()
