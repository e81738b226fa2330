"""Reads ctest's JUnit file; prints `passed<TAB>count`, then `failed<TAB>name` and `skipped<TAB>name` lines."""
import sys
import xml.etree.ElementTree as ElementTree


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
        name = f"{preset}: {case.get('name')}"
        status = case.get("status")
        if case.find("skipped") is not None or status in {"notrun", "disabled"}:
            print(f"skipped\t{name}")
        elif case.find("failure") is not None or status == "fail":
            print(f"failed\t{name}")
        else:
            passed += 1
    print(f"passed\t{passed}")
    return 0


sys.exit(main())
