"""Draws build/bench.json: plots.py BENCH.json FOLDER writes one SVG for each plot that has points. Both axes are logarithmic;
a goal is a dashed line. A series' label has its last value and, from three points on, the exponent with which it grows: that of
the power law with the least squared error in logarithms."""
import dataclasses
import json
import math
import pathlib
import re
import statistics
import sys
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 680, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 240, 40, 55
COLOURS = ["#1b6ca8", "#d1495b", "#2e8b57", "#8e5ea2", "#e08e0b", "#555555"]


@dataclasses.dataclass
class Series:
    """Points from the rows whose whole name matches; the pattern's group is x."""
    label: str
    pattern: str
    scale: float = 1.0  # of x


@dataclasses.dataclass
class Plot:
    file: str
    title: str
    x: str
    y: str
    series: list[Series]
    goals: list[tuple[str, float]] = dataclasses.field(default_factory=list)


SIZE = r"([\d.e+]+) GB of text: "
DOCUMENTS = r" at (\d+) documents"

PLOTS = [
    Plot("query", "Time of a query of 300 sentences", "documents of 150 features", "ms", [
        Series("p50, X > 3", "query p50" + DOCUMENTS + ", bound 3"),
        Series("p99, X > 3", "query p99" + DOCUMENTS + ", bound 3"),
        Series("p50, a tenth of it", "query p50" + DOCUMENTS + ", containment 0.1"),
        Series("p99, a tenth of it", "query p99" + DOCUMENTS + ", containment 0.1"),
        Series("PostgreSQL p50, X > 3", "PostgreSQL: query p50" + DOCUMENTS),
    ], [("goal of p50", 1.0), ("goal of p99", 10.0)]),
    Plot("load", "Bulk load, text to durable postings", "GB of text", "MB/s",
         [Series("akin, two cores", SIZE + "bulk load")], [("goal", 150.0)]),
    Plot("disk", "Disk without texts", "documents of 150 features", "bytes",
         [Series("a feature, everything", "disk of a feature" + DOCUMENTS),
          Series("a posting", "disk of a posting" + DOCUMENTS)], [("goal of a feature", 16.0), ("goal of a posting", 8.0)]),
    Plot("pairs", "All pairs", "documents of 150 features", "s", [Series("akin", "all pairs" + DOCUMENTS)]),
]


def points_of(rows: list[dict], series: Series) -> list[tuple[float, float]]:
    points = []
    for row in rows:
        match = re.fullmatch(series.pattern, row["name"])
        if match and row["value"] > 0:
            points.append((float(match.group(1)) * series.scale, row["value"]))
    return sorted(points)


def exponent(points: list[tuple[float, float]]) -> str:
    """", n^E" for points that grow by a power of x, "" where they are too few."""
    if len(points) < 3:
        return ""
    slope = statistics.linear_regression(*zip(*[(math.log(x), math.log(y)) for x, y in points])).slope
    return f", n^{slope:.2f}"


class Axis:
    """A logarithmic axis over whole decades of the values."""

    def __init__(self, values: list[float], begin: float, end: float) -> None:
        self.low = math.floor(math.log10(min(values)) + 1e-9)
        self.high = max(math.ceil(math.log10(max(values)) - 1e-9), self.low + 1)
        self.begin, self.end = begin, end

    def at(self, value: float) -> float:
        return self.begin + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.begin)

    def decades(self) -> list[int]:
        return list(range(self.low, self.high + 1))


def decade(power: int) -> str:
    if -4 <= power < 4:
        return f"{10 ** power:,}" if power >= 0 else f"{10.0 ** power:g}"
    return "10" + str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def text(x: float, y: float, content: str, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{escape(content)}</text>'


def label_places(wanted: list[float], gap: float) -> list[float]:
    """Heights near the wanted ones, so that no two labels overlap; in the order given."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    places = list(wanted)
    for before, after in zip(order, order[1:]):
        places[after] = max(places[after], places[before] + gap)
    return places


def draw(plot: Plot, rows: list[dict]) -> str | None:
    drawn = [(series, points) for series in plot.series if (points := points_of(rows, series))]
    if not drawn:
        return None
    everything = [point for _, points in drawn for point in points]
    x_axis = Axis([x for x, _ in everything], LEFT, WIDTH - RIGHT)
    y_axis = Axis([y for _, y in everything] + [goal for _, goal in plot.goals], HEIGHT - BOTTOM, TOP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
           'font-family="sans-serif" font-size="12" fill="#222">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           text(LEFT, 22, plot.title, "start", ' font-size="14" font-weight="bold"')]
    for power in x_axis.decades():
        x = x_axis.at(10.0 ** power)
        out.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        out.append(text(x, HEIGHT - BOTTOM + 18, decade(power)))
    for power in y_axis.decades():
        y = y_axis.at(10.0 ** power)
        out.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(text(LEFT - 8, y + 4, decade(power), "end"))
    out.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, plot.x))
    out.append(text(16, (TOP + HEIGHT - BOTTOM) / 2, plot.y, "middle", f' transform="rotate(-90 16 {(TOP + HEIGHT - BOTTOM) / 2:.1f})"'))

    labels: list[tuple[float, str, str]] = []
    for name, goal in plot.goals:
        y = y_axis.at(goal)
        out.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="#888" stroke-dasharray="5 4"/>')
        labels.append((y, f"{name}: {goal:g}", "#888"))
    for (series, points), colour in zip(drawn, COLOURS):
        path = " ".join(f"{x_axis.at(x):.1f},{y_axis.at(y):.1f}" for x, y in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x_axis.at(x):.1f}" cy="{y_axis.at(y):.1f}" r="3.5" fill="{colour}"/>' for x, y in points]
        labels.append((y_axis.at(points[-1][1]), f"{series.label}: {points[-1][1]:.3g}{exponent(points)}", colour))
    for place, (_, label, colour) in zip(label_places([y for y, _, _ in labels], 15), labels):
        out.append(text(WIDTH - RIGHT + 10, place + 4, label, "start", f' fill="{colour}"'))
    return "\n".join([*out, "</svg>", ""])


def main() -> None:
    rows = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))["rows"]
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for plot in PLOTS:
        drawing = draw(plot, rows)
        if drawing is None:
            print(f"{plot.file}: no such rows, nothing drawn")
            continue
        (folder / f"{plot.file}.svg").write_text(drawing, encoding="utf-8")
        print(f"wrote {folder / plot.file}.svg")


if __name__ == "__main__":
    main()
