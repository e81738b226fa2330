"""Requests a second of /livez beside a Beast server that answers a constant, in turns, under wrk.

    python3 tests/bench/http/measure.py build/release [--seconds S] [--rounds N] [--connections C] [--io-threads T]
"""
import argparse
import contextlib
import http.client
import pathlib
import re
import socket
import statistics
import subprocess
import tempfile


@contextlib.contextmanager
def running(command: list, pattern: str, **how):
    """Starts a server and returns the port that its first line prints."""
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, **how)
    try:
        yield int(re.search(pattern, process.stdout.readline().decode()).group(1))
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


def load(port: int, connections: int, seconds: int) -> tuple[float, str]:
    """Requests a second and the 99th percentile of the latency."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", f"http://127.0.0.1:{port}/livez"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in told or "Socket errors" in told:
        raise SystemExit(told)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", told).group(1)), re.search(r"99%\s+(\S+)", told).group(1)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("build", type=pathlib.Path)
    arguments.add_argument("--seconds", type=int, default=5)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--connections", type=int, default=64)
    arguments.add_argument("--idle", type=int, default=0, help="connections that say nothing meanwhile")
    arguments.add_argument("--io-threads", type=int, default=1)
    options = arguments.parse_args()
    constant = [options.build / "tests/bench/http/constant_server", options.io_threads]
    akin = [options.build / "cli/akin", "serve", "--lang", "", "--listen", "127.0.0.1:0",
            "--io-threads", options.io_threads]
    rates = {"constant": [], "akin": []}
    tails = {"constant": [], "akin": []}
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        # A file, as journald's socket would be: the lines are really written.
        log = stack.enter_context(open(pathlib.Path(folder) / "log", "wb"))
        ports = {
            "constant": stack.enter_context(running(constant, r"(\d+)")),
            "akin": stack.enter_context(running([*akin, "--data", folder], r":(\d+)\s*$", stderr=log)),
        }
        idle = [socket.create_connection(("127.0.0.1", ports["akin"])) for _ in range(options.idle)]
        for _ in range(options.rounds):
            for name, port in ports.items():
                rate, tail = load(port, options.connections, options.seconds)
                rates[name].append(rate)
                tails[name].append(tail)
        for connection in idle:
            connection.close()
        connection = http.client.HTTPConnection("127.0.0.1", ports["akin"])
        connection.request("GET", "/livez")
        assert connection.getresponse().status == 200
        connection.close()
    for name, measured in rates.items():
        print(f"{name:9} {statistics.median(measured):9.0f} requests/s (median of {len(measured)}), "
              f"p99 {', '.join(tails[name])}")
    ratios = [own / floor for own, floor in zip(rates["akin"], rates["constant"])]
    print(f"akin / constant: {statistics.median(ratios):.2f} (from {min(ratios):.2f} to {max(ratios):.2f})")


main()
