"""Checks that includes follow the arrows server -> index -> morph -> dict -> base, with extract beside morph, and those inside of
index and server."""
import collections
import pathlib
import sys

import includes as project

INDEX = {"base", "dict", "morph", "index"}
WATCH = INDEX | {"extract", "server/ingest", "server/json", "server/filter", "server/state", "server/watch"}
API = WATCH | {"server/access", "server/check", "server/gate", "server/metrics", "server/tasks", "server/api"}
FRAME = API | {"server/cli/frame"}
COMMANDS = FRAME | {"server/http", "server/lab/evaluate", "server/cli/commands"}
ALLOWED = {
    "base": {"base"},
    "dict": {"base", "dict"},
    "morph": {"base", "dict", "morph"},
    "index": INDEX,
    "extract": {"base", "extract"},
    "extract/child": {"base", "extract", "extract/child"},
    "server/ingest": INDEX | {"extract", "server/json", "server/ingest"},
    "server/filter": {"base", "morph", "index", "server/json", "server/filter"},
    "server/json": INDEX | {"server/json"},
    "server/state": INDEX | {"server/state"},
    "server/watch": WATCH,
    "server/access": INDEX | {"server/json", "server/state", "server/access"},
    "server/check": INDEX | {"extract", "server/json", "server/filter", "server/state", "server/check"},
    "server/gate": INDEX | {"server/json", "server/state", "server/gate"},
    "server/metrics": INDEX | {"server/metrics"},
    "server/tasks": INDEX | {"server/json", "server/state", "server/tasks"},
    "server/lab/judge": {"base", "dict", "morph", "server/json", "server/lab/judge"},
    "server/lab/evaluate": INDEX | {"server/json", "server/lab/evaluate"},
    "server/api": API,
    "server/http": API | {"server/http"},
    "server/cli": COMMANDS | {"server/cli/lab"},
    "server/cli/frame": FRAME,
    "server/cli/commands": COMMANDS,
    "server/cli/lab": COMMANDS | {"server/lab/evaluate", "server/lab/judge", "server/cli/lab"},
}
FORBIDDEN_LIBRARIES = {
    "nlohmann/": {"index", "server/json"},
    "boost/beast": {"server/http"},
    "boost/asio": {"server/http"},
    "openssl/": {"base", "index", "server/access", "server/http", "server/watch"},
    "systemd/": {"server/http"},
    "prometheus/": {"server/metrics"},
    "lmdb.h": {"index"},
    "libpq-fe.h": {"index"},
    "hunspell/": {"dict"},
    "libsvm/": {"server/lab/judge"},
    "libxml/": {"extract", "extract/child", "server/ingest"},
    "bzlib.h": {"server/ingest"},
    # GPL, or for files of strangers: in the program akin-extract only.
    "PDFDoc.h": {"extract/child"},
    "TextOutputDev.h": {"extract/child"},
    "OutputDev.h": {"extract/child"},
    "archive.h": {"extract/child"},
    "seccomp.h": {"extract/child"},
    # The client that calls webhooks; the server's own protocol is in server/http.
    "curl/": {"server/watch"},
}
# Inside index: an engine is included by itself alone, and by the one source that opens catalogs.
ENGINES = ("index/lmdb/", "index/pg/")
OPENS_ENGINES = "index/open_catalog.cpp"


def folder_of(path: str) -> str:
    """The room of a file: the longest folder that has arrows of its own; a file beside such folders is in none."""
    folder = path.rpartition("/")[0]
    while folder and folder not in ALLOWED:
        folder = folder.rpartition("/")[0]
    return folder


def crosses_engines(path: str, included: str) -> bool:
    return any(
        included.startswith(engine) and path.startswith("index/") and not path.startswith(engine) and path != OPENS_ENGINES
        for engine in ENGINES
    )


def headers_with(headers: set[str], includes: dict[str, set[str]]) -> list[str]:
    """The given headers, and those that include one of them, directly or through others."""
    included_by = project.turned_round(includes)
    return sorted(project.reached(headers, lambda one: (path for path in included_by[one] if path.endswith(".h"))))


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    wrong = []
    includes = collections.defaultdict(set)
    for folder, allowed in ALLOWED.items():
        for source in sorted((root / folder).rglob("*")):
            if source.suffix not in {".h", ".cpp"} or folder_of(source.relative_to(root).as_posix()) != folder:
                continue
            for number, own, library in project.includes_of(source):
                path = source.relative_to(root).as_posix()
                includes[path].add(own or library)
                place = f"{path}:{number}"
                if own and crosses_engines(path, own):
                    wrong.append(f"{place}: {own} is for its own engine and for {OPENS_ENGINES}")
                if own and folder_of(own) not in allowed:
                    wrong.append(f"{place}: {folder} may not include {own}")
                for prefix, users in FORBIDDEN_LIBRARIES.items():
                    if library and library.startswith(prefix) and folder not in users:
                        wrong.append(f"{place}: <{library}> belongs to {', '.join(sorted(users))}")
            length = len(source.read_text(encoding="utf-8").splitlines())
            if length > 400:
                wrong.append(f"{source.relative_to(root)}: {length} lines, the house rule is 400")
    for header in headers_with({"lmdb.h", "index/lmdb/lmdb.h"}, includes):
        if header != "lmdb.h" and not header.startswith("index/lmdb/"):
            wrong.append(f"{header}: it brings lmdb.h to those who include it; only headers of index/lmdb may")
    print("\n".join(wrong) or "layers: every include follows the arrows")
    return 1 if wrong else 0


sys.exit(main())
