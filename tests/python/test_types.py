"""The package is typed: mypy accepts it, knows what calls return, and refuses wrong calls."""

import subprocess
import sys
import unittest

from package import SOURCE, PackageTest

GOOD = """
import akin
import pandas
client = akin.Client("http://127.0.0.1:7878", key="k")
total: int = client.list_collections().total
kept: pandas.DataFrame = akin.dedup(pandas.DataFrame({"text": ["a"]}))
shares: list[float | None] = [pair.a_share for pair in akin.similar(["a", "b"])]
async def count(client: akin.AsyncClient) -> int:
    return (await client.list_collections()).total
"""
BAD = (
    GOOD
    + """
client.get_collection(7, nonsense=1)
akin.similar(5)
"""
)


class TypesTest(PackageTest):
    def mypy(self, *arguments) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "mypy", "--config-file", SOURCE / "python" / "pyproject.toml", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_the_package_is_typed(self):
        done = self.mypy("-p", "akin")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_callers_are_checked(self):
        done = self.mypy(self.write("good.py", GOOD))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = {line.split(":")[1] for line in self.mypy(self.write("bad.py", BAD)).stdout.splitlines() if ": error: " in line}
        self.assertEqual(lines, {"11", "12"})


if __name__ == "__main__":
    unittest.main()
