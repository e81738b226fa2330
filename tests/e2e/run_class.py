"""Runs one class of tests in a process of its own, and prints a line for each of its methods.

    run_class.py MODULE.CLASS

A line is `method: passed|failed|skipped NAME[: REASON]`; tests/checks/junit.py counts them. Exit 0 if all passed, 77 if all
were skipped, else 1.
"""
import importlib
import sys
import unittest


class Lines(unittest.TextTestResult):
    """Collects what became of each method; a method with a failed subtest has failed."""

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        self.verdicts: dict[str, str] = {}

    def note(self, test, verdict: str, reason: str = ""):
        name = test.id().split(".")[-1] if hasattr(test, "_testMethodName") else str(test)
        if self.verdicts.get(name, "").startswith("failed"):
            return
        self.verdicts[name] = f"{verdict} {name}" + (f": {' '.join(reason.split())}" if reason else "")

    def addSuccess(self, test):
        super().addSuccess(test)
        self.note(test, "passed")

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.note(test, "failed")

    def addError(self, test, error):
        super().addError(test, error)
        self.note(test, "failed")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.note(test, "skipped", reason)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self.note(test, "failed")


def main() -> int:
    module, name = sys.argv[1].split(".")
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(getattr(importlib.import_module(module), name))
    result = unittest.TextTestRunner(verbosity=2, resultclass=Lines).run(suite)
    sys.stderr.flush()
    for line in result.verdicts.values():
        print(f"method: {line}", flush=True)
    verdicts = {line.split()[0] for line in result.verdicts.values()}
    if not result.wasSuccessful() or not verdicts:
        return 1
    return 77 if verdicts == {"skipped"} else 0


if __name__ == "__main__":
    sys.exit(main())
