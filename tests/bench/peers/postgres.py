"""PostgreSQL as a store of features: a table of postings with a covering index, X in SQL, timed inside the server. Uses a
cluster of its own in the scratch folder, on a free port of the loopback interface, which is stopped at the end."""
import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import time

import exported

SERVER_SETTINGS = {"shared_buffers": "1GB", "work_mem": "64MB", "maintenance_work_mem": "512MB", "max_wal_size": "4GB",
                   "synchronous_commit": "on", "max_parallel_workers_per_gather": "0", "jit": "off"}

SCHEMA = """
CREATE TABLE postings(document integer NOT NULL, feature bigint NOT NULL, count integer NOT NULL);
CREATE TABLE queries(query integer NOT NULL, feature bigint NOT NULL, count integer NOT NULL);
CREATE TABLE answers(query integer NOT NULL, document integer NOT NULL, x bigint NOT NULL);
CREATE TABLE timings(query integer NOT NULL, milliseconds double precision NOT NULL);
"""

# One round over all queries; each is timed by the server, without a client's way there and back.
ROUND = """
DO $$
DECLARE
  one record; begun timestamptz; features bigint[]; counts integer[]; documents integer[]; xs bigint[];
BEGIN
  TRUNCATE answers, timings;
  FOR one IN SELECT query, array_agg(feature) AS f, array_agg(count) AS c FROM queries GROUP BY query ORDER BY query LOOP
    features := one.f; counts := one.c;
    begun := clock_timestamp();
    SELECT array_agg(found.document), array_agg(found.x) INTO documents, xs FROM (
      SELECT p.document, sum(least(p.count, q.count)) AS x
      FROM unnest(features, counts) AS q(feature, count) JOIN postings p ON p.feature = q.feature
      GROUP BY p.document HAVING sum(least(p.count, q.count)) > 3) AS found;
    INSERT INTO timings VALUES (one.query, extract(epoch FROM clock_timestamp() - begun) * 1000);
    IF documents IS NOT NULL THEN
      INSERT INTO answers SELECT one.query, d, x FROM unnest(documents, xs) AS u(d, x);
    END IF;
  END LOOP;
END $$;
"""


def server_folder() -> pathlib.Path:
    """Of the newest PostgreSQL that is installed, as Debian places it, or of the one in PATH."""
    versions = [path for path in pathlib.Path("/usr/lib/postgresql").glob("*/bin") if (path / "initdb").exists()]
    if versions:
        return max(versions, key=lambda path: int(path.parent.name.split(".")[0]))
    found = shutil.which("initdb")
    if found is None:
        exported.skip("PostgreSQL is not installed (apt-get install postgresql)")
    return pathlib.Path(found).resolve().parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """PostgreSQL refuses to run as root: then the system's user postgres owns the cluster."""

    def __init__(self) -> None:
        self.bin = server_folder()
        self.folder = exported.folder() / "postgres"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.as_user: list[str] = []
        if os.geteuid() == 0:
            try:
                owner = pwd.getpwnam("postgres")
            except KeyError:
                exported.skip("there is no user postgres, and PostgreSQL refuses root")
            os.chown(self.folder, owner.pw_uid, owner.pw_gid)
            exported.folder().chmod(0o755)
            self.as_user = ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups"]
        self.port = free_port()

    def run(self, *command: str, given: str | None = None) -> str:
        done = subprocess.run([*self.as_user, *command], input=given, text=True, capture_output=True, cwd="/")
        if done.returncode != 0:
            raise RuntimeError(f"{pathlib.Path(command[0]).name}: {done.stderr.strip()}")
        return done.stdout

    def __enter__(self) -> "Cluster":
        data = str(self.folder / "data")
        self.run(str(self.bin / "initdb"), "-D", data, "-A", "trust", "-E", "UTF8", "--locale=C", "-U", "postgres")
        settings = {**SERVER_SETTINGS, "port": self.port, "listen_addresses": "127.0.0.1",
                    "unix_socket_directories": str(self.folder)}
        flags = " ".join(f"-c {name}={value}" for name, value in settings.items())
        self.run(str(self.bin / "pg_ctl"), "-D", data, "-l", str(self.folder / "log"), "-w", "-o", flags, "start")
        return self

    def __exit__(self, *failure: object) -> None:
        self.run(str(self.bin / "pg_ctl"), "-D", str(self.folder / "data"), "-m", "immediate", "-w", "stop")

    def sql(self, statements: str) -> str:
        return self.run(str(self.bin / "psql"), "-h", str(self.folder), "-p", str(self.port), "-U", "postgres", "-X", "-q",
                        "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", "-", given=statements)

    def copy(self, table: str, file: str) -> None:
        self.sql(f"\\copy {table} FROM '{exported.folder() / file}'\n")


def main() -> None:
    with Cluster() as cluster:
        version = cluster.sql("SHOW server_version;").split()[0]
        cluster.sql(SCHEMA)
        begun = time.monotonic()
        cluster.copy("postings", "documents.tsv")
        cluster.sql("CREATE INDEX ON postings(feature) INCLUDE (document, count); VACUUM ANALYZE postings;")
        built = time.monotonic() - begun
        cluster.copy("queries", "queries.tsv")
        postings, bytes_used = (int(cell) for cell in cluster.sql(
            "SELECT count(*), pg_total_relation_size('postings') FROM postings;").split("|"))
        exported.row("PostgreSQL: build", built, "s", f"PostgreSQL {version}: COPY, index on feature covering document and "
                     f"count, VACUUM ANALYZE; {bytes_used / postings:.1f} bytes a posting")

        cluster.sql(ROUND)  # warms the cache
        cluster.sql(ROUND)
        milliseconds = [float(line) for line in cluster.sql("SELECT milliseconds FROM timings;").split()]
        answers = {tuple(int(cell) for cell in line.split("|")) for line in
                   cluster.sql("SELECT query, document, x FROM answers;").split()}
        expected = set(exported.numbers("answers.tsv"))
        complete = 100 * len(answers & expected) / len(expected)
        extra = len(answers - expected)
        exported.row("PostgreSQL: query p50", exported.percentile(milliseconds, 0.5), "ms",
                     f"timed inside the server, warm, one core; p99 {exported.percentile(milliseconds, 0.99):.3g} ms")
        exported.row("PostgreSQL: completeness", complete, "%",
                     f"of {len(expected)} answers with their X; {extra} that akin does not give",
                     better="higher")


main()
