"""`akin serve` on a data folder of its own: started, killed, watched."""
import os
import pathlib
import re
import signal
import subprocess
import threading


class Server:
    """The program under test, its folders and its keys. Members may be called from any thread."""

    def __init__(self, program: str, folder: pathlib.Path, languages: str):
        self.program = os.path.abspath(program)
        self.folder = folder
        self.environment = {**os.environ, "AKIN_DATA": str(folder / "data"), "AKIN_LANG": languages}
        self.environment.setdefault("AKIN_CACHE", str(folder / "cache"))
        self.process = None
        self.port = None
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
        log = open(self.folder / "server.log", "ab")
        process = subprocess.Popen(
            [self.program, "serve", "--listen", "127.0.0.1:0", "--backup-folder", str(self.folder / "backups"),
             "--log-level", "warning", "--min-free-disk", "0"],
            stdout=subprocess.PIPE, stderr=log, env=self.environment)
        log.close()
        line = process.stdout.readline().decode()
        found = re.search(r":(\d+)\s*$", line)
        if not found:
            process.kill()
            raise RuntimeError(f"akin serve: {line!r}; see {self.folder / 'server.log'}")
        with self.changed:
            self.process = process
            self.port = int(found.group(1))
            self.starts += 1
            self.kill_at_work = False
            self.changed.notify_all()

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
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.start()

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=120)
        self.process.stdout.close()
        return code

    def watch(self) -> dict:
        """Figures of the process just now: bytes, files, seconds of processor time."""
        pid = self.process.pid
        status = pathlib.Path(f"/proc/{pid}/status").read_text()

        def kilobytes(name):
            return 1024 * int(re.search(rf"^{name}:\s+(\d+) kB", status, re.M).group(1))

        times = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return {
            "rss": kilobytes("VmRSS"),
            "anonymous": kilobytes("RssAnon"),
            "mapped": kilobytes("RssFile"),
            "threads": int(re.search(r"^Threads:\s+(\d+)", status, re.M).group(1)),
            "files": len(os.listdir(f"/proc/{pid}/fd")),
            "cpu": (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK"),
        }

    def disk(self) -> int:
        """Bytes of the blocks of all files of the data folder."""
        total = 0
        for folder, _, names in os.walk(self.folder / "data"):
            for name in names:
                try:
                    total += 512 * os.lstat(os.path.join(folder, name)).st_blocks
                except FileNotFoundError:
                    pass
        return total
