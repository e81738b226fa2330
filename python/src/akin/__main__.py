"""python3 -m akin lines FILE…: Parquet files and web archives as lines of JSON, for a pipe into akin."""

import argparse
import pathlib
import sys

from . import files, program


def main() -> int:
    parser = argparse.ArgumentParser(prog="akin-python", description="Parquet files and web archives as lines of JSON")
    commands = parser.add_subparsers(required=True)
    lines = commands.add_parser("lines", help="print the documents of files as lines of JSON")
    lines.add_argument("file", nargs="+", type=pathlib.Path, help="Parquet, WARC or WET, also compressed")
    try:
        for path in parser.parse_args().file:
            for row in files.documents(path):
                sys.stdout.buffer.write(program.json_line(row))
    except BrokenPipeError:
        return 1
    except (OSError, ValueError) as error:
        print(f"akin-python: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
