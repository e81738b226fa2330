"""Opens the report of a text of a million words with 10,000 passages of 50 sources at the desk, in Chromium, and reads in it.

    large_report.py --akin AKIN

The time is that of the page's main thread and of the server's threads, whatever else the machine does; that until the first
paint is of both. The memory is what the page's process has for itself, after scrolling 120 windows and following 20 links to
matches. Then each kind of switch is pressed, and each filter chosen: until the page shows it, and until what is out of sight
has followed. Prints one JSON object, and exits with 1 if a figure exceeds its limit.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

import browser  # noqa: E402
from server_process import ServerProcess  # noqa: E402

SOURCES, PASSAGES, WORDS, SCROLL_STEPS, JUMPS = 50, 200, 24, 120, 20
LIMITS = {"first_paint": 1.0, "open": 1.8, "server_open": 1.0, "scroll": 1.2, "megabytes": 250.0, "slowest_switch": 0.25, "slowest_rest": 0.25}
SHOWN = "new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
IDLE = "new Promise(done => setTimeout(() => requestIdleCallback(done), 300))"
FRAME = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
PRESSED = {
    "source_off": "#source-3 button", "source_on": "#source-3 button",
    "match_off": "section[id^=p] button", "match_on": "section[id^=p] button",
}
CHOSEN = {
    "one_source": {"source": "3"}, "all_sources": {"source": "0"}, "long_matches": {"words": "24"}, "no_matches": {"words": "99"},
    "all_matches": {"words": "0"}, "without_quoted": {"hide_quoted": True}, "without_referenced": {"hide_referenced": True}, "without_bibliography": {"hide_bibliography": True},
    "one_class": {"class": "quotation"}, "all_classes": {"class": ""}, "one_year": {"from": "2020", "to": "2020"},
    "all_years": {"from": "", "to": ""},
}


class Texts:
    def __init__(self):
        self.chance = random.Random(47)
        syllables = [first + second for first in "bcdfghklmnprstvz" for second in "aeiou"]
        self.known = ["".join(self.chance.choices(syllables, k=self.chance.randrange(2, 5))) for _ in range(30_000)]
        self.passages = [[self.words(WORDS) for _ in range(PASSAGES)] for _ in range(SOURCES)]

    def words(self, count: int) -> str:
        """Sentences of twelve words."""
        words = self.chance.choices(self.known, k=count)
        return " ".join(" ".join(words[at : at + 12]).capitalize() + "." for at in range(0, count, 12))

    def source(self, number: int) -> str:
        return "\n\n".join(f"{passage} {self.words(60)}" for passage in self.passages[number])

    def submission(self) -> str:
        all_passages = [passage for of_source in self.passages for passage in of_source]
        self.chance.shuffle(all_passages)
        return "\n\n".join(f"{self.words(50)} {passage} {self.words(26)}" for passage in all_passages)


class Desk:
    def __init__(self, akin: str, folder: pathlib.Path):
        self.server = ServerProcess([akin, "serve", "--data", folder / "data", "--log-level", "off"])
        texts = Texts()
        self.ask("PUT", "/v1/collections/sources")
        for number in range(SOURCES):
            self.ask("PUT", f"/v1/collections/sources/documents/source-{number}", texts.source(number))
        check = json.loads(self.ask("POST", "/v1/checks?collections=sources&title=A%20million%20words", texts.submission()))
        self.passages = sum(len(source["passages"]) for source in check["sources"])
        self.words = check["query"]["words"]
        self.path = f"/desk/checks/{check['id']}"

    def ask(self, method: str, path: str, text: str | None = None) -> bytes:
        kind = {} if text is None else {"Content-Type": "text/plain; charset=utf-8"}
        request = urllib.request.Request(self.server.url + path, text and text.encode(), kind, method=method)
        with urllib.request.urlopen(request, timeout=3600) as answer:
            return answer.read()

    def cpu(self) -> float:
        fields = pathlib.Path(f"/proc/{self.server.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main_thread(page: browser.Browser) -> float:
    """Seconds of processor time."""
    metrics = page.call("Performance.getMetrics")["metrics"]
    return next(one["value"] for one in metrics if one["name"] == "ThreadTime")


def memory_of(page: browser.Browser) -> float:
    """Megabytes of the largest renderer of this browser that no other process has."""
    most = 0
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
            if str(page.profile).encode() in command and b"--type=renderer" in command:
                lines = (process / "status").read_text().splitlines()
                most = max(most, *(int(line.split()[1]) for line in lines if line.startswith("RssAnon")))
        except OSError:
            continue
    return most / 1024


def first_paint(desk: Desk) -> float:
    """Seconds of processor time until the reader sees the beginning of the report: of the server, and of the page's thread."""
    with browser.Browser() as page:
        begun = desk.cpu()
        events = page.trace(lambda: page.go(desk.server.url + desk.path))
        paint = next(event for event in events if event["name"] == "firstContentfulPaint")
        thread = (paint["pid"], paint["tid"])
        tasks = [event for event in events if event["name"].endswith("::RunTask") and (event["pid"], event["tid"]) == thread]
        return desk.cpu() - begun + sum(task.get("tdur", 0) for task in tasks if task["ts"] < paint["ts"]) / 1e6


def switches(page: browser.Browser, desk: Desk) -> dict:
    """What each takes until the page shows what it changes in view, then elsewhere, and the server to keep one."""
    figures = {"slowest_rest": 0.0}

    def took(script: str) -> float:
        begun = main_thread(page)
        page.run(f"{script}; {SHOWN}")
        shown = main_thread(page)
        page.run(IDLE)
        figures["slowest_rest"] = max(figures["slowest_rest"], main_thread(page) - shown)
        return shown - begun

    begun = desk.cpu()
    for revision, (name, button) in enumerate(PRESSED.items(), 1):
        figures[name] = took(f"document.querySelector('{button}').click()")
        page.wait_for(f"document.querySelector('#switch [name=revision]').value == {revision}")
    figures["server_keep"] = (desk.cpu() - begun) / len(PRESSED)
    for name, fields in CHOSEN.items():
        settings = "".join(
            f"fields.{field}.checked = true;" if value is True else f"fields['{field}'].value = '{value}';" for field, value in fields.items()
        )
        figures[name] = took(f"{{ const form = document.querySelector('form[method=get]'), fields = form.elements; {settings} form.requestSubmit(); }}")
    figures["slowest_switch"] = max(figures[name] for name in [*PRESSED, *CHOSEN])
    return figures


def measure(desk: Desk) -> dict:
    figures = {"words": desk.words, "passages": desk.passages, "first_paint": first_paint(desk)}
    with browser.Browser() as page:
        page.call("Performance.enable", timeDomain="threadTicks")
        begun = desk.cpu()
        page.go(desk.server.url + desk.path)
        figures["open"] = main_thread(page)
        figures["server_open"] = desk.cpu() - begun
        figures["marks"] = page.run("document.querySelectorAll('mark').length")
        begun = main_thread(page)
        for part in ("#source-1", ".text"):
            page.run(f"document.querySelector('{part}').scrollIntoView(); {FRAME}")
            for _ in range(SCROLL_STEPS // 2):
                page.run(f"scrollBy(0, innerHeight); {FRAME}")
        figures["scroll"] = main_thread(page) - begun
        begun = main_thread(page)
        for number in range(500, desk.passages, desk.passages // JUMPS):
            page.run(f"document.getElementById('m{number}').scrollIntoView(); {FRAME}")
        figures["jumps"] = main_thread(page) - begun
        figures["megabytes"] = memory_of(page)
        figures |= switches(page, desk)
        of_server = desk.cpu()
        page.go(f"{desk.server.url}{desk.path}?source=3")
        figures["open_one_source"] = main_thread(page)
        figures["server_open_one_source"] = desk.cpu() - of_server
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--akin", required=True, type=os.path.abspath)
    arguments = parser.parse_args()
    if browser.program() is None:
        print("skipped: Chromium is not installed")
        return 0
    folder = pathlib.Path(tempfile.mkdtemp(prefix="akin-large-report-"))
    desk = Desk(arguments.akin, folder)
    try:
        figures = measure(desk)
    finally:
        desk.server.close()
        shutil.rmtree(folder, ignore_errors=True)
    figures = {name: round(value, 3) for name, value in figures.items()}
    wrong = [f"{name}: {figures[name]} is over {limit}" for name, limit in LIMITS.items() if figures[name] > limit]
    if figures["passages"] != SOURCES * PASSAGES:
        wrong.append(f"{figures['passages']} passages, not {SOURCES * PASSAGES}")
    print(json.dumps({**figures, "limits": LIMITS, "wrong": wrong}, indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
