"""Writes the rows of build/bench.json into a page: tables.py BENCH.json PAGE.md replaces the text between the lines
<!-- bench:begin --> and <!-- bench:end --> by the machine, the plots (all of the folder PAGE/) and a table."""
import json
import pathlib
import sys

BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"


def number(value: float) -> str:
    """Four digits at most; whole numbers in full."""
    if value == int(value) and abs(value) < 1e12:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}" if abs(value) >= 0.001 else f"{value:.2e}"


def row_line(row: dict) -> str:
    goal = "" if row["goal"] is None else f"{number(row['goal'])} {'met' if row['met'] else '**missed**'}"
    cells = [row["name"], f"{number(row['value'])} {row['unit']}", goal, row["yardstick"]]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def block(results: dict, plots: list[pathlib.Path]) -> str:
    machine = ", ".join(f"{name} {value}" if name != "processor" else value for name, value in results["machine"].items())
    pictures = [f"![{plot.stem}]({plot.parent.name}/{plot.name})" for plot in plots]
    return "\n".join([f"Machine: {machine}.", "", *pictures, *([""] if pictures else []),
                      "| what | value | goal | beside it, in the same run |", "|---|---|---|---|", *(row_line(row) for row in results["rows"])])


def main() -> int:
    results = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    page = pathlib.Path(sys.argv[2])
    text = page.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        print(f"{page}: there must be one {BEGIN} and behind it one {END}", file=sys.stderr)
        return 2
    plots = sorted(page.with_suffix("").glob("*.svg"))
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n{block(results, plots)}\n{END}{after}", encoding="utf-8")
    print(f"wrote {len(results['rows'])} rows into {page}")
    return 0


sys.exit(main())
