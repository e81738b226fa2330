"""./bench build [PRESET]: what building akin costs, from an empty folder and without a compiler cache, and what one changed
source costs after that. Prints CPU time (user and system, of all processes), wall time, steps, and the slowest steps.

PRESET is release (the default: the product without tests, as ./quickstart builds it), or dev, fuzz …: all that ./test builds
of it. Figures of two runs can be compared only on the same machine, with nothing else running.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = {"fuzz": "fuzz_targets", "asan": "unit_tests", "tsan": "threads_tests"}


def measured(*command: str) -> tuple[float, float]:
    """Seconds of CPU and of wall time."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"CCACHE_DISABLE": "1"}, capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(done.stdout[-4000:] + done.stderr[-4000:])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.monotonic() - began


def steps(build: pathlib.Path) -> list[tuple[float, str]]:
    """Seconds and output of every step of ninja's last build."""
    rows = [line.split("\t") for line in (build / ".ninja_log").read_text().splitlines() if not line.startswith("#")]
    return sorted(((int(end) - int(begin)) / 1000, output) for begin, end, _, output, _ in rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="./bench build", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("preset", nargs="?", default="release")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at once (as many as processors)")
    parser.add_argument("--touch", default="index/lmdb/search/search.cpp", metavar="FILE", help="the source of the second measurement")
    parser.add_argument("--slowest", type=int, default=10, metavar="N", help="how many steps are listed (10)")
    parser.add_argument("-D", action="append", default=[], metavar="NAME=VALUE", help="a setting for CMake")
    options = parser.parse_args()
    if not (ROOT / options.touch).is_file():
        parser.error(f"there is no {options.touch}")

    build = ROOT / "build" / "measured"
    shutil.rmtree(build, ignore_errors=True)
    settings = [f"-D{one}" for one in options.D]
    if options.preset == "release":
        settings.insert(0, "-DAKIN_TESTS=OFF")
    command = ["cmake", "--build", str(build), "-j", str(options.jobs)]
    if options.preset in TARGETS:
        command += ["--target", TARGETS[options.preset]]
    try:
        cpu, wall = measured("cmake", "--preset", options.preset, "-B", str(build), "-DCMAKE_CXX_COMPILER_LAUNCHER=", *settings)
        print(f"configure   {cpu:7.1f} s CPU {wall:7.1f} s wall")
        cpu, wall = measured(*command)
        all_steps = steps(build)
        print(f"build       {cpu:7.1f} s CPU {wall:7.1f} s wall, {len(all_steps)} steps, {options.jobs} jobs"
              f" ({cpu / 60:.2f} CPU minutes)")
        os.utime(ROOT / options.touch)
        before = len((build / ".ninja_log").read_text().splitlines())
        again_cpu, again_wall = measured(*command)
        again = len((build / ".ninja_log").read_text().splitlines()) - before
        print(f"one source  {again_cpu:7.1f} s CPU {again_wall:7.1f} s wall, {again} steps ({options.touch} touched)")
        print("slowest steps of the build, wall time:")
        for seconds, output in all_steps[: -options.slowest - 1 : -1]:
            print(f"  {seconds:6.1f} s  {output}")
    finally:
        shutil.rmtree(build, ignore_errors=True)


main()
