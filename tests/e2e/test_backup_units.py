"""Nightly backups and the drill that restores the newest: the program that the package's timers run, and its units."""
import os
import shutil
import subprocess
import time
import unittest

from program import LIBRARY, SOURCE, AkinTest

PROGRAM = SOURCE / "packaging" / "akin-backup"


class BackupUnitsTest(AkinTest):
    def setUp(self):
        super().setUp()
        self.backups = self.folder / "backups"
        self.backups.mkdir()
        self.akin("index", str(LIBRARY), code=0)

    def run_program(self, *arguments: str, keep: str = "7") -> subprocess.CompletedProcess:
        bin_folder = self.folder / "bin"
        bin_folder.mkdir(exist_ok=True)
        program = bin_folder / "akin"
        if not program.exists():
            program.symlink_to(os.environ["AKIN"])
        path = f"{bin_folder}:{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "AKIN_DATA": str(self.data), "AKIN_BACKUPS": str(self.backups), "AKIN_KEEP_BACKUPS": keep}
        return subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, text=True, check=False, cwd=self.folder)

    def older(self, day: int):
        """A backup of an earlier day."""
        shutil.copytree(next(self.backups.glob("2*Z")), self.backups / f"2020-01-{day:02}T020000Z")

    def names(self) -> list[str]:
        return sorted(path.name for path in self.backups.iterdir())

    def test_a_backup_can_be_restored(self):
        made = self.run_program()
        self.assertEqual(made.returncode, 0, made.stderr)
        drill = self.run_program("--drill")
        self.assertEqual(drill.returncode, 0, drill.stderr)
        self.assertIn("restored and verified", drill.stdout)
        self.assertEqual(len(self.names()), 1, "the drill leaves nothing")

    def test_a_damaged_backup_fails_the_drill(self):
        self.run_program()
        database = max(next(self.backups.glob("2*Z")).rglob("*.mdb"), key=lambda path: path.stat().st_size)
        with open(database, "r+b") as file:
            file.seek(database.stat().st_size // 2)
            file.write(os.urandom(8192))
        drill = self.run_program("--drill")
        self.assertNotEqual(drill.returncode, 0, drill.stdout)
        self.assertNotIn("restored and verified", drill.stdout)
        self.assertEqual(len(self.names()), 1, "the drill leaves nothing")

    def test_only_the_last_backups_are_kept(self):
        self.run_program()
        for day in range(1, 5):
            self.older(day)
        (self.backups / "by-hand").mkdir()
        newest = self.names()[-2]
        time.sleep(1.1)  # names have seconds
        again = self.run_program(keep="2")
        self.assertEqual(again.returncode, 0, again.stderr)
        kept = self.names()
        self.assertIn("by-hand", kept)
        self.assertEqual(len(kept), 3)
        self.assertNotIn("2020-01-04T020000Z", kept)
        self.assertIn(newest, kept)

    def test_a_backup_that_lacks_a_collection_fails_and_replaces_none(self):
        self.run_program()
        self.older(1)
        self.akin("index", str(LIBRARY), "--collection", "other", code=0)
        next((self.data / "collections" / "default").glob("gen-*/data.mdb")).with_name("QUARANTINE").touch()
        time.sleep(1.1)
        made = self.run_program(keep="1")
        self.assertEqual(made.returncode, 2, made.stdout)
        self.assertIn("without collection 'default'", made.stderr)
        self.assertIn("backed up collection 'other'", made.stdout)
        self.assertEqual(len(self.names()), 3)
        self.assertEqual(self.run_program("--drill").returncode, 0)

    def test_without_a_backup_the_drill_says_so(self):
        drill = self.run_program("--drill")
        self.assertEqual(drill.returncode, 1)
        self.assertIn("make one first", drill.stderr)

    def test_a_wrong_number_of_backups_removes_none(self):
        for keep in ("0", "", "-1", "all"):
            with self.subTest(keep):
                self.assertEqual(self.run_program(keep=keep).returncode, 0 if keep == "" else 2)

    def test_a_drill_that_is_started_with_a_backup_waits_for_it(self):
        unit = (SOURCE / "packaging" / "akin-restore-drill.service").read_text(encoding="utf-8")
        self.assertIn("\nAfter=akin-backup.service\n", unit.split("[Service]")[0])

    @unittest.skipUnless(shutil.which("systemd-analyze"), "needs systemd-analyze")
    def test_the_units_are_right(self):
        units = sorted((SOURCE / "packaging").glob("*.service")) + sorted((SOURCE / "packaging").glob("*.timer"))
        self.assertEqual(len(units), 5)
        said = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False)
        wrong = [line for line in said.stderr.splitlines() if "is not executable" not in line and "akin" in line]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
