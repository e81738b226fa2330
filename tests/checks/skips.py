"""Which tests may skip on this machine: a reason that is not listed, or whose lack is none here, is a failure."""
import ctypes
import functools
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def always() -> bool:
    """A row of a table of tests that is about something else."""
    return True


def no_corpora() -> bool:
    folder = os.environ.get("AKIN_CORPORA") or ROOT / "build" / "corpora" / "corpora"
    return not pathlib.Path(folder).is_dir()


def lacks(flag: str) -> bool:
    """Whether the processor lacks it."""
    cpuinfo = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    return re.search(rf"^flags\b.*\b{flag}", cpuinfo, re.MULTILINE) is None


def no_landlock() -> bool:
    # landlock_create_ruleset, asked for its version
    return ctypes.CDLL(None, use_errno=True).syscall(444, None, ctypes.c_size_t(0), ctypes.c_uint32(1)) < 1


def fails(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode != 0
    except OSError:
        return True


def no_small_disk() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        return fails("unshare", "-m", "mount", "-t", "tmpfs", "-o", "size=1m", "none", folder)


def another_postgresql() -> bool:
    """The system's release has another version; where none is, tools/install-packages has not done what it should."""
    found = {path.name for path in pathlib.Path("/usr/lib/postgresql").glob("*")}
    return bool(found) and "15" not in found


def temporary_files_in_memory() -> bool:
    done = subprocess.run(["stat", "-f", "-c", "%T", tempfile.gettempdir()], capture_output=True, text=True, check=False)
    return done.stdout.strip() in {"tmpfs", "ramfs"}


def no_opensearch() -> bool:
    return not (ROOT / "build" / "contract" / "opensearch" / "OpenSearchNode.class").exists()


MAY_SKIP = [
    (r"no corpora|AKIN_CORPORA|there is no .*corpora", no_corpora),
    (r"SSE4\.2", functools.partial(lacks, "sse4_2")),
    (r"AVX2", functools.partial(lacks, "avx2")),
    (r"AVX-?512", functools.partial(lacks, "avx512bw")),
    (r"Landlock", no_landlock),
    (r"network namespaces cannot be made", functools.partial(fails, "unshare", "-n", "true")),
    (r"mounting a small disk is not permitted", no_small_disk),
    (r"the system keeps the file's pages", temporary_files_in_memory),
    (r"PostgreSQL 15 is not installed", another_postgresql),
    (r"the jars of OpenSearch are not there", no_opensearch),
    (r"no Python here has SciPy", lambda: importlib.util.find_spec("scipy") is None),
    (r"curl is not installed", lambda: shutil.which("curl") is None),
    (r"another byte order", lambda: sys.byteorder != "little"),
    (r"the machine was faster than the signal", always),
    (r"is about LMDB's files|folders of generations are LMDB's|^of zstd$|stem\(\) is empty under COMPLEXPREFIXES", always),
]


@functools.cache
def may_skip(reason: str) -> bool:
    return any(re.search(pattern, reason) and here() for pattern, here in MAY_SKIP)
