"""python3 -m akin: Parquet files and web archives as lines of JSON for a pipe into akin, and pages of stories from its streams."""

import argparse
import pathlib
import sys
import warnings

from . import files, program
from .story import story_of_state


def main() -> int:
    parser = argparse.ArgumentParser(prog="akin-python", description="What goes into akin, and what comes out")
    commands = parser.add_subparsers(required=True, dest="command")
    lines = commands.add_parser("lines", help="print the documents of files as lines of JSON")
    lines.add_argument("file", nargs="+", type=pathlib.Path, help="Parquet, WARC or WET, also compressed")
    page = commands.add_parser("story", help="print the page of a story's chain: who took what from whom, and when")
    page.add_argument("state", type=pathlib.Path, help="folder of akin stream --state")
    page.add_argument("id", help="of any document of the story")
    given = parser.parse_args()
    warnings.formatwarning = lambda message, *_, **__: f"akin-python: {message}\n"
    try:
        if given.command == "story":
            sys.stdout.buffer.write(story_of_state(given.state, given.id).page().encode())
            return 0
        for path in given.file:
            for row in files.documents(path):
                sys.stdout.buffer.write(program.json_line(row))
    except BrokenPipeError:
        return 1
    except (OSError, ValueError, program.ProgramError) as error:
        print(f"akin-python: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
