#!/usr/bin/env python3
"""Compares the outputs of programs of this folder that pages show with what the programs print. They need the corpora.

    AKIN=build/dev/cli/akin python3 tests/experiments/held_pages.py            exit status 1 if one differs, 77 without corpora
    AKIN=build/dev/cli/akin python3 tests/experiments/held_pages.py --write    rewrites outdated outputs

With names of pages (methods.md) only these. As on all pages, "…" stands for any text within a line: for times.
"""
import os
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests/e2e"))

import console_pages  # noqa: E402
from documented import Block  # noqa: E402

PAGES = ("experiments.md", "methods.md", "sentences.md")
console_pages.SECONDS = 1800  # some read all corpora


def of_another_program(_page: str, block: Block) -> bool:
    return not block.content.startswith("$ build/dev/tests/experiments/")


def main() -> int:
    os.environ.setdefault("AKIN_CORPORA", str(SOURCE / "build/corpora/corpora"))
    if not pathlib.Path(os.environ["AKIN_CORPORA"]).is_dir():
        print("no corpora (AKIN_CORPORA)")
        return 77
    names = [name for name in sys.argv[1:] if name != "--write"] or PAGES
    differing = []
    for path in (SOURCE / "docs" / name for name in names):
        page = console_pages.Page(path)
        try:
            text, complaints = page.rewritten(passed_over=of_another_program)
        finally:
            page.close()
        if "--write" in sys.argv:
            path.write_text(text, encoding="utf-8")
        differing += [f"{path.name}: {complaint}" for complaint in complaints]
    print("\n\n".join(differing) or f"{', '.join(names)}: what the programs print is shown")
    return 1 if differing and "--write" not in sys.argv else 0


sys.exit(main())
