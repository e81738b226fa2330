"""Reads ctest's JUnit file; prints `passed<TAB>count`, then `failed<TAB>name` and `skipped<TAB>name` lines.

A test that runs several is counted as these. A program of GoogleTest closes with its own count; e2e/run_class.py prints a line
for each: `method: passed|failed|skipped NAME[: REASON]`. What skips without a reason that skips.py allows here has failed.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

from skips import may_skip

# As GoogleTest prints it, also for one of several tests that a program runs.
SKIPPED = re.compile(r": Skipped\n(.+)$", re.MULTILINE)
METHOD = re.compile(r"^method: (passed|failed|skipped) (.*)$", re.MULTILINE)
# How a program of GoogleTest closes: how many passed, and the names of the others.
CLOSING = re.compile(r"^\[==========\] \d+ tests? from \d+ test suites? ran\.", re.MULTILINE)
PASSED = re.compile(r"^\[  PASSED  \] (\d+) tests?\.$", re.MULTILINE)
OTHERS = re.compile(r"^\[  (SKIPPED|FAILED ) \] (\S+)(?:, where .*)?$", re.MULTILINE)


def judged(verdict: str, name: str, reason: str) -> tuple[str, str]:
    """The verdict and what to print; a skip that is not allowed here is a failure."""
    if verdict != "skipped":
        return verdict, name
    shown = name if name.endswith(reason) else f"{name}: {reason.strip()}"
    return (verdict, shown) if may_skip(reason.strip()) else ("failed", f"{shown} (a skip that tests/checks/skips.py does not allow here)")


def of_google_test(output: str) -> list[tuple[str, str, str]]:
    """What became of the tests of a program that came to its end: (verdict, name, reason)."""
    closing = CLOSING.search(output)
    if not closing:
        return []
    end, reasons = output[closing.end() :], iter(SKIPPED.findall(output))
    others = [(kind.strip().lower(), name) for kind, name in OTHERS.findall(end)]
    passed = [("passed", "", "")] * int((PASSED.search(end) or ["", 0])[1])
    return passed + [(verdict, name, next(reasons, "") if verdict == "skipped" else "") for verdict, name in others]


def verdicts(case: ElementTree.Element) -> list[tuple[str, str]]:
    """What became of a case of ctest, or of each test that it ran: (verdict, name)."""
    name, status = case.get("name"), case.get("status")
    if case.find("skipped") is not None or status in {"notrun", "disabled"}:
        own = "skipped"
    else:
        own = "failed" if case.find("failure") is not None or status == "fail" else "passed"
    output = case.findtext("system-out") or ""
    parts = [judged(verdict, f"{name}.{method}", method.partition(": ")[2]) for verdict, method in METHOD.findall(output)]
    parts += [judged(*part) for part in of_google_test(output)]
    if own == "skipped" and not parts:
        reasons = SKIPPED.findall(output) or [line for line in output.splitlines() if line.strip()][-1:] or [""]
        return [judged(own, name, reasons[0])]
    if own == "failed" and not any(verdict == "failed" for verdict, _ in parts):
        parts.append((own, name))  # it ended before its tests did
    return parts or [(own, name)]


def main() -> int:
    path, preset = sys.argv[1], sys.argv[2]
    try:
        cases = list(ElementTree.parse(path).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError) as error:
        print(f"failed\t{preset}: no test results ({error})")
        return 1
    if not cases:
        print(f"failed\t{preset}: no test was run")
        return 1
    passed = 0
    for case in cases:
        for verdict, name in verdicts(case):
            if verdict == "passed":
                passed += 1
            else:
                print(f"{verdict}\t{preset}: {name}")
    print(f"passed\t{passed}")
    return 0


sys.exit(main())
