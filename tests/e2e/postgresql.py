"""PostgreSQL servers of the tests, on sockets in their folders, and databases in the one that a process shares."""
import atexit
import fcntl
import itertools
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile
import time
import unittest

PROGRAMS = pathlib.Path("/usr/lib/postgresql/15/bin")


def account() -> pwd.struct_passwd | None:
    """Who runs it: somebody else than root, which it refuses."""
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else None


def make_cluster(data: pathlib.Path):
    """Makes the data folder of a server, below a folder of account(): a copy of the one that initdb made once, if AKIN_CACHE
    keeps it."""
    made = ["initdb", "--username", "akin", "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync", "--pgdata"]
    made[0] = str(PROGRAMS / made[0])
    user = account().pw_name if account() else None
    cache = os.environ.get("AKIN_CACHE")
    if cache is None:
        subprocess.run([*made, data], user=user, cwd=data.parent, check=True, capture_output=True)
        return
    kept = pathlib.Path(cache) / "postgresql-15"
    kept.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{kept}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            with tempfile.TemporaryDirectory(prefix="akin-initdb-") as folder:
                first = pathlib.Path(folder)
                if user:
                    os.chown(first, account().pw_uid, account().pw_gid)
                subprocess.run([*made, first / "data"], user=user, cwd=first, check=True, capture_output=True)
                subprocess.run(["cp", "-a", first / "data", f"{kept}.part"], check=True)
            os.rename(f"{kept}.part", kept)
    subprocess.run(["cp", "-a", "--reflink=auto", kept, data], check=True)


class Sql:
    """Statements for a database of a server on a socket, as its superuser."""

    def __init__(self, folder: pathlib.Path, port: int, name: str):
        self.folder, self.port, self.name = folder, port, name
        self.address = f"postgres://akin@/{name}?host={folder}&port={port}"

    def sql(self, statements: str) -> str:
        """Runs statements; the rows of the last, columns by "|"."""
        return self.sql_in(self.name, statements)

    def sql_in(self, database: str, statements: str) -> str:
        done = subprocess.run(
            [PROGRAMS / "psql", self.address.replace(f"/{self.name}?", f"/{database}?"), "-XqAt", "-v", "ON_ERROR_STOP=1"],
            input=statements.encode(), capture_output=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode())
        return done.stdout.decode().strip()


class Postgresql(Sql):
    """A server of a test's own, started in `folder`; skips the test where PostgreSQL is not installed."""

    def __init__(self, folder: pathlib.Path, name: str = "pg", settings: tuple[str, ...] = ("fsync=off",),
                 port: int = 5432):  # fmt: skip
        if not (PROGRAMS / "postgres").exists():
            raise unittest.SkipTest("PostgreSQL 15 is not installed")
        super().__init__(folder / name, port, "postgres")
        self.folder.mkdir()
        self.user = account().pw_name if account() else None
        if self.user:
            os.chown(self.folder, account().pw_uid, account().pw_gid)
            folder.chmod(0o711)
        make_cluster(self.folder / "data")
        self.settings = settings
        self.process: subprocess.Popen | None = None
        self.start()

    def start(self):
        """Starts it unless it runs."""
        if self.process is not None and self.process.poll() is None:
            return
        settings = [word for setting in self.settings for word in ("-c", setting)]
        self.process = subprocess.Popen(
            [PROGRAMS / "postgres", "-D", self.folder / "data", "-k", self.folder, "-p", str(self.port),
             "-c", "listen_addresses=", *settings],
            user=self.user, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for _ in range(1200):
            if self.ready():
                return
            time.sleep(0.05)
        raise RuntimeError("PostgreSQL does not start")

    def run(self, program: str, *arguments) -> subprocess.CompletedProcess:
        return subprocess.run(
            [PROGRAMS / program, *map(str, arguments)], user=self.user, cwd=self.folder, check=True, capture_output=True
        )

    def ready(self) -> bool:
        answer = subprocess.run([PROGRAMS / "pg_isready", "-h", self.folder, "-p", str(self.port)], capture_output=True, check=False)
        return answer.returncode == 0

    def stop(self, how: str = "fast"):
        if self.process.poll() is None:
            self.process.send_signal({"fast": 2, "immediate": 3}[how])
            self.process.wait(60)


shared: Postgresql | None = None
numbers = itertools.count(1)


def shared_server() -> Postgresql:
    """The server of this process, which ends with it: for tests that neither stop nor configure it."""
    global shared
    if shared is None:
        if not (PROGRAMS / "postgres").exists():
            raise unittest.SkipTest("PostgreSQL 15 is not installed")
        folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-postgresql-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        shared = Postgresql(folder)
        atexit.register(shared.stop, "immediate")
    return shared


class Database(Sql):
    """An empty database of its own in a server: the shared one, or another that is given."""

    def __init__(self, server: Postgresql | None = None):
        self.server = server or shared_server()
        name = f"test{next(numbers)}"
        self.server.sql(f"CREATE DATABASE {name}")
        super().__init__(self.server.folder, self.server.port, name)

    def start(self):
        self.server.start()

    def stop(self, how: str = "fast"):
        """Stops its server; a test that does so has it started again at its end."""
        self.server.stop(how)
