"""Makes the file by which ctest knows the tests of a GoogleTest program: one process for each suite.

    list_suites.py PROGRAM FILE NAME VALUE…

NAME VALUE are properties of each test. tests/checks/junit.py counts the tests of a suite by what GoogleTest prints.
"""
import pathlib
import subprocess
import sys


def main(program: str, file: str, *properties: str) -> int:
    listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, timeout=60, check=True).stdout.decode(errors="replace")
    # A suite is a line of its name, a dot, and perhaps a comment; its tests are indented.
    suites = [line.split()[0] for line in listed.splitlines() if line[:1].strip() and line.split()[0].endswith(".")]
    if not suites:
        print(f"{program} has no tests", file=sys.stderr)
        return 1
    quoted = " ".join(f"[=[{word}]=]" for word in properties)
    lines = []
    for suite in suites:
        name = f"[=[{suite[:-1]}]=]"
        lines.append(f"add_test({name} [=[{program}]=] [=[--gtest_filter={suite}*]=])\nset_tests_properties({name} PROPERTIES {quoted})\n")
    pathlib.Path(file).write_text("".join(lines), encoding="utf-8")
    return 0


sys.exit(main(*sys.argv[1:]))
