"""`akin serve` on a data folder of its own: started, killed, watched."""
import os
import pathlib
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))
from server_process import ServerProcess  # noqa: E402


class Server:
    """The program under test, its folders and its keys. Members may be called from any thread."""

    def __init__(self, program: str, folder: pathlib.Path, languages: str):
        self.program = os.path.abspath(program)
        self.folder = folder
        self.environment = {**os.environ, "AKIN_DATA": str(folder / "data"), "AKIN_LANG": languages}
        self.environment.setdefault("AKIN_CACHE", str(folder / "cache"))
        self.server: ServerProcess | None = None
        self.starts = 0
        self.changed = threading.Condition()
        self.kill_at_work = False

    def akin(self, *arguments) -> str:
        """Runs a command to its end; what it printed."""
        done = subprocess.run([self.program, *map(str, arguments)], env=self.environment, capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"akin {' '.join(map(str, arguments))}: {done.stdout}{done.stderr}")
        return done.stdout

    def start(self):
        with open(self.folder / "server.log", "ab") as log:
            server = ServerProcess(
                [self.program, "serve", "--backup-folder", self.folder / "backups", "--log-level", "warning",
                 "--min-free-disk", "0"],
                log, env=self.environment)
        with self.changed:
            self.server = server
            self.starts += 1
            self.kill_at_work = False
            self.changed.notify_all()

    @property
    def process(self) -> subprocess.Popen:
        return self.server.process

    @property
    def port(self) -> int:
        return self.server.port

    def running(self) -> int:
        """Waits until the server runs; the number of its start."""
        with self.changed:
            self.changed.wait_for(lambda: not self.kill_at_work)
            return self.starts

    def was_killed(self, start) -> bool:
        """Whether that start has ended by kill(); if it is being killed, waits until it runs again."""
        return self.running() != start

    def kill(self):
        """SIGKILL, and a new start on the same data."""
        with self.changed:
            self.kill_at_work = True
        self.server.kill()
        self.start()

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        return self.server.stop()

    def watch(self) -> dict:
        """Figures of the process just now: bytes, files, seconds of processor time."""
        server = self.server
        return {
            "rss": server.bytes_of("VmRSS"),
            "anonymous": server.bytes_of("RssAnon"),
            "mapped": server.bytes_of("RssFile"),
            "threads": server.threads(),
            "files": server.files(),
            "cpu": server.processor_seconds(),
        }

    def disk(self) -> int:
        """Bytes of the blocks of the collections' files."""
        total = 0
        for folder, _, names in os.walk(self.folder / "data" / "collections"):
            for name in names:
                try:
                    total += 512 * os.lstat(os.path.join(folder, name)).st_blocks
                except FileNotFoundError:
                    pass
        return total
