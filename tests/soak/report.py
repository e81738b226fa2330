"""The figures of a run: what was asked, how long it took, what memory and disk did meanwhile."""
import json
import os
import pathlib
import threading
import time

# A figure is flat if the line fitted to the last three quarters of its samples rises, from the first of them
# to the last, by no more than this share of their mean, or by no more than this much. Less than a minute
# shows only the start.
FLAT_SECONDS = 60
FLAT_SHARE = 0.1
FLAT_RISE = {"anonymous": 16 << 20, "mapped": 16 << 20, "disk": 16 << 20, "files": 8, "threads": 4}


class Monitor(threading.Thread):
    """Looks at the server every `pause` seconds, and holds the load at `share` of one core, if that is given:
    server and this program together."""

    def __init__(self, shared, pause: float, share: float | None):
        super().__init__(name="monitor", daemon=True)
        self.shared = shared
        self.pause = pause
        self.share = share
        self.begin = time.monotonic()
        self.samples = []
        self.cpu = (0.0, 0.0, self.begin)

    def run(self):
        next_sample = 0.0
        while not self.shared.stopping.wait(1.0):
            try:
                now = self.shared.server.watch()
            except (OSError, AttributeError, IndexError):
                continue  # it is being started
            self.throttle(now["cpu"])
            elapsed = time.monotonic() - self.begin
            if elapsed >= next_sample:
                next_sample = elapsed + self.pause
                self.samples.append({"seconds": round(elapsed, 1), **now, "disk": self.shared.server.disk(),
                                     "start": self.shared.server.starts, **self.shared.figures()})

    def throttle(self, server_cpu: float):
        if self.share is None:
            return
        now, own = time.monotonic(), time.process_time()
        used = max(0.0, server_cpu - self.cpu[0]) + own - self.cpu[1]
        share = used / (now - self.cpu[2])
        self.cpu = (server_cpu, own, now)
        change = min(max(share / self.share, 0.8), 1.25)
        self.shared.pause = min(max(self.shared.pause, 0.01) * change, 5.0)


def fitted_growth(samples, name: str) -> dict:
    """Least squares over the last three quarters."""
    last = samples[len(samples) // 4:]
    if len(last) < 3:
        return {}
    xs, ys = [s["seconds"] for s in last], [s[name] for s in last]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs)
    seconds = xs[-1] - xs[0]
    growth = slope * seconds
    flat = growth <= max(FLAT_SHARE * mean_y, FLAT_RISE[name]) if seconds >= FLAT_SECONDS else None
    return {"seconds": round(seconds), "mean": round(mean_y), "growth": round(growth), "flat": flat}


def merges(samples) -> int:
    """Merges that packed recent postings, as far as samples show them: at least so many."""
    counts = [s.get("recent_postings", 0) for s in samples]
    return sum(later < former for former, later in zip(counts, counts[1:]))


def percentile(ordered, share: float) -> float:
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2) if ordered else None


def make(shared, monitor, options, ended: bool) -> dict:
    tally = shared.tally
    samples = list(monitor.samples)
    with tally.lock:
        operations = {}
        for name in sorted(tally.outcomes):
            ordered = sorted(tally.seconds[name])
            operations[name] = {
                **tally.outcomes[name],
                "p50_ms": percentile(ordered, 0.5), "p99_ms": percentile(ordered, 0.99),
                "max_ms": percentile(ordered, 1.0),
            }
        kinds = {kind for counts in tally.outcomes.values() for kind in counts}
        totals = {kind: sum(counts[kind] for counts in tally.outcomes.values()) for kind in sorted(kinds)}
        # A server that was killed begins with little memory: only the time after its last start shows how it
        # grows.
        last = [s for s in samples if s["start"] == shared.server.starts]
        return {
            "ended": ended, "seconds": round(time.monotonic() - monitor.begin), "seed": options.seed,
            "documents": samples[-1].get("documents") if samples else None,
            "wrong": tally.wrong, "judged": tally.judged, "examples": list(tally.examples),
            "outcomes": totals, "failures": list(tally.failures), "operations": operations,
            "kills": shared.server.starts - 1, "merges_at_least": merges(samples),
            "flat": {name: fitted_growth(last, name) for name in FLAT_RISE},
            "samples": samples,
        }


def write(path: pathlib.Path, report: dict):
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(part, path)


def mib(count) -> str:
    return f"{count / (1 << 20):.1f} MiB"


def table(report: dict) -> str:
    lines = [
        f"{report['seconds']} s, {report['documents']} documents, {report['kills']} kills, seed {report['seed']}",
        f"wrong answers: {report['wrong']} of {report['judged']} judged",
        "requests: " + ", ".join(f"{count} {kind}" for kind, count in report["outcomes"].items()),
        f"merges seen: at least {report['merges_at_least']}",
        "",
        f"{'operation':18} {'ok':>7} {'p50 ms':>8} {'p99 ms':>8} {'max ms':>8}  others",
    ]
    for name, figures in report["operations"].items():
        rest = {kind: n for kind, n in figures.items() if kind != "ok" and not kind.endswith("_ms")}
        times = " ".join(f"{figures[k] if figures[k] is not None else '-':>8}" for k in ("p50_ms", "p99_ms", "max_ms"))
        lines.append(f"{name:18} {figures.get('ok', 0):7} {times}  "
                     + ", ".join(f"{n} {kind}" for kind, n in rest.items()))
    samples = report["samples"]
    if samples:
        lines += ["", f"{'at s':>7} {'anonymous':>12} {'mapped':>12} {'disk':>12} {'files':>6} {'threads':>8} {'runs':>5}"]
        step = max(1, len(samples) // 12)
        for s in samples[::step]:
            lines.append(f"{s['seconds']:7.0f} {mib(s['anonymous']):>12} {mib(s['mapped']):>12} {mib(s['disk']):>12} "
                         f"{s['files']:6} {s['threads']:8} {s.get('runs', '-'):>5}")
    for name, fit in report["flat"].items():
        if fit:
            shown = str if name in ("files", "threads") else mib
            lines.append(f"{name}: {shown(fit['mean'])} on average, the fitted line rises by {shown(fit['growth'])} in "
                         f"{fit['seconds']} s: " + {True: "flat", False: "NOT FLAT", None: "too short to judge"}[fit["flat"]])
    lines += [f"WRONG {example}" for example in report["examples"]]
    lines += [f"failed {failure}" for failure in report["failures"]]
    return "\n".join(lines) + "\n"
