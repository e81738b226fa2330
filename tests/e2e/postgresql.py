"""A PostgreSQL server of a test's own, on a socket in its folder."""
import os
import pathlib
import pwd
import subprocess
import time
import unittest

PROGRAMS = pathlib.Path("/usr/lib/postgresql/15/bin")


class Postgresql:
    """Started in `folder`; skips the test where PostgreSQL is not installed."""

    def __init__(self, folder: pathlib.Path, name: str = "pg", settings: tuple[str, ...] = ("fsync=off",),
                 port: int = 5432):  # fmt: skip
        if not (PROGRAMS / "postgres").exists():
            raise unittest.SkipTest("PostgreSQL 15 is not installed")
        self.folder = folder / name
        self.folder.mkdir()
        # It refuses to run as root.
        self.user = "nobody" if os.geteuid() == 0 else None
        if self.user:
            account = pwd.getpwnam(self.user)
            os.chown(self.folder, account.pw_uid, account.pw_gid)
            folder.chmod(0o711)
        data = self.folder / "data"
        self.run("initdb", "--pgdata", data, "--username", "akin", "--auth", "trust", "--encoding", "UTF8",
                 "--locale", "C", "--no-sync")  # fmt: skip
        self.settings = settings
        self.port = port
        self.address = f"postgres://akin@/postgres?host={self.folder}&port={port}"
        self.start()

    def start(self):
        settings = [word for setting in self.settings for word in ("-c", setting)]
        self.server = subprocess.Popen(
            [PROGRAMS / "postgres", "-D", self.folder / "data", "-k", self.folder, "-p", str(self.port),
             "-c", "listen_addresses=", *settings],
            user=self.user, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for _ in range(600):
            if self.ready():
                return
            time.sleep(0.1)
        raise RuntimeError("PostgreSQL does not start")

    def sql(self, statements: str) -> str:
        """Runs statements as the superuser; the rows of the last, columns by "|"."""
        return self.sql_in("postgres", statements)

    def sql_in(self, database: str, statements: str) -> str:
        done = subprocess.run(
            [PROGRAMS / "psql", self.address.replace("/postgres?", f"/{database}?"), "-XqAt", "-v", "ON_ERROR_STOP=1"],
            input=statements.encode(), capture_output=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode())
        return done.stdout.decode().strip()

    def run(self, program: str, *arguments) -> subprocess.CompletedProcess:
        return subprocess.run(
            [PROGRAMS / program, *map(str, arguments)], user=self.user, cwd=self.folder, check=True, capture_output=True
        )

    def ready(self) -> bool:
        answer = subprocess.run([PROGRAMS / "pg_isready", "-h", self.folder, "-p", str(self.port)], capture_output=True, check=False)
        return answer.returncode == 0

    def stop(self, how: str = "fast"):
        if self.server.poll() is None:
            self.server.send_signal({"fast": 2, "immediate": 3}[how])
            self.server.wait(60)
