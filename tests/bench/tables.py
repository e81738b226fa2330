"""Writes the rows of build/bench.json beside a page: tables.py BENCH.json PAGE.md makes PAGE/results.csv, and replaces the text
between the lines <!-- bench:begin --> and <!-- bench:end --> of the page by the machine and the plots (all of the folder PAGE/)."""
import csv
import json
import pathlib
import sys

BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"


def number(value: float) -> str:
    """Four digits at most; whole numbers in full."""
    if value == int(value) and abs(value) < 1e12:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}" if abs(value) >= 0.001 else f"{value:.2e}"


def csv_row(row: dict) -> list[str]:
    goal = "" if row["goal"] is None else number(row["goal"])
    met = "" if row["goal"] is None else "met" if row["met"] else "missed"
    return [row["name"], number(row["value"]), row["unit"], goal, met, row["yardstick"]]


def block(results: dict, plots: list[pathlib.Path]) -> str:
    machine = ", ".join(f"{name} {value}" if name != "processor" else value for name, value in results["machine"].items())
    return "\n".join([f"Machine: {machine}.", "", *(f"![{plot.stem}]({plot.parent.name}/{plot.name})" for plot in plots)])


def main() -> int:
    results = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    page = pathlib.Path(sys.argv[2])
    text = page.read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        print(f"{page}: there must be one {BEGIN} and behind it one {END}", file=sys.stderr)
        return 2
    folder = page.with_suffix("")
    with (folder / "results.csv").open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["what", "value", "unit", "goal", "met", "beside it, in the same run"])
        table.writerows(csv_row(row) for row in results["rows"])
    plots = sorted(folder.glob("*.svg"))
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n{block(results, plots)}\n{END}{after}", encoding="utf-8")
    print(f"wrote {len(results['rows'])} rows into {folder}/results.csv")
    return 0


sys.exit(main())
