"""Checks that includes follow the arrows lab -> cli -> server -> index -> morph -> dict -> base, with extract beside morph, and the
floors inside each of them."""
import collections
import pathlib
import sys

import includes as project

def floors(below: set[str], *names: str) -> dict[str, set[str]]:
    """Rooms one above another: each may include itself, those before it, and what is below them all."""
    return {name: below | set(names[: place + 1]) for place, name in enumerate(names)}


def rooms(tree: dict[str, set[str]]) -> set[str]:
    return set(tree)


BASE = floors(set(), "base")
DICT = floors(rooms(BASE), "dict/fold", "dict/table", "dict/read", "dict/stem", "dict/compile", "dict/ask/compounds", "dict/ask",
              "dict")
MORPH = floors(rooms(BASE) | rooms(DICT), "morph/sentences", "morph/normalize", "morph/words", "morph/disguise",
               "morph/features", "morph/signatures", "morph/schemes", "morph/align")
EXTRACT = floors(rooms(BASE), "extract", "extract/formats", "extract/plain", "extract/html", "extract/client")
CHILD = floors(rooms(EXTRACT) | rooms(BASE), "extract/child", "extract/child/page", "extract/child/office", "extract/child/program")
TEXT = rooms(BASE) | rooms(DICT) | rooms(MORPH)
INDEX = floors(TEXT, "index/codec", "index/overlap", "index/store", "index/pairs", "index/search", "index/write", "index/collection",
               "index/copy")
LMDB = floors(TEXT | rooms(INDEX), "index/lmdb/env", "index/lmdb/tables", "index/lmdb/postings", "index/lmdb/documents",
              "index/lmdb/search", "index/lmdb/store", "index/lmdb/folder", "index/lmdb")
PG = floors(TEXT | rooms(INDEX), "index/pg/client", "index/pg/tables", "index/pg/postings", "index/pg/documents", "index/pg/servers",
            "index/pg")
OPENSEARCH = floors(TEXT | rooms(INDEX), "index/opensearch/client", "index/opensearch/documents", "index/opensearch/catalog",
                    "index/opensearch")
ENGINES = ("index/lmdb/", "index/pg/", "index/opensearch/")
STORED = TEXT | rooms(INDEX) | {"index"} | rooms(LMDB) | rooms(PG) | rooms(OPENSEARCH)
OPEN = {"index": STORED}
FFI = {"ffi": TEXT | {"index/codec", "ffi"}}
WATCH = STORED | rooms(EXTRACT) | {"server/ingest", "server/json", "server/filter", "server/state", "server/outbound", "server/watch"}
TRADES = WATCH | {"server/access", "server/audit", "server/check", "server/desk", "server/gate", "server/judge", "server/metrics",
                  "server/tables", "server/tasks"}
API = floors(TRADES, "server/api/write", "server/api", "server/api/read", "server/search", "server/run", "server/api/routes")
FRAME = TRADES | rooms(API) | {"cli/frame"}
COMMAND = floors(FRAME | {"server/http", "cli/dedup"}, "cli/commands", "cli/commands/common", "cli/commands/serve", "cli/commands/store",
                 "cli/commands/documents", "cli/commands/search", "cli/commands/pairs", "cli/commands/dedup", "cli/commands/stream")
COMMANDS = FRAME | {"server/http", "cli/dedup"} | rooms(COMMAND)
LAB = floors(COMMANDS, "lab/judge", "lab/evaluate", "lab/commands", "lab")
LAB["lab/judge"] = TEXT | {"server/json", "server/judge", "lab/judge"}
LAB["lab/evaluate"] = STORED | {"server/json", "server/tables", "lab/evaluate"}
ALLOWED = BASE | DICT | MORPH | EXTRACT | CHILD | INDEX | LMDB | PG | OPENSEARCH | OPEN | FFI | API | COMMAND | LAB | {
    "server/ingest": STORED | rooms(EXTRACT) | {"server/json", "server/ingest"},
    "server/filter": TEXT | rooms(INDEX) | {"server/json", "server/filter"},
    "server/json": STORED | {"server/json"},
    "server/state": STORED | {"server/state"},
    "server/outbound": rooms(BASE) | {"server/json", "server/outbound"},
    "server/watch": WATCH,
    "server/audit": STORED | {"server/json", "server/state", "server/audit"},
    "server/access": STORED | {"server/json", "server/state", "server/audit", "server/access"},
    "server/check": STORED | rooms(EXTRACT) | {"server/json", "server/filter", "server/state", "server/audit", "server/check"},
    "server/gate": STORED | {"server/json", "server/state", "server/gate"},
    "server/metrics": STORED | {"server/metrics"},
    "server/desk": STORED | rooms(EXTRACT) | {"server/json", "server/check", "server/desk"},
    "server/tasks": STORED | {"server/json", "server/state", "server/tasks"},
    "server/http": TRADES | rooms(API) | {"server/http"},
    "cli/dedup": FRAME | {"cli/dedup"},
    "server/judge": STORED | {"server/json", "server/state", "server/judge"},
    "server/tables": STORED | {"server/json", "server/state", "server/tables"},
    "cli/frame": FRAME,
    "cli": COMMANDS | {"cli"},
    "report": {"report"},
}
FORBIDDEN_LIBRARIES = {
    "nlohmann/": {"index/lmdb/folder", "index/opensearch/client", "server/json"},
    "boost/beast": {"server/http"},
    "boost/asio": {"server/http"},
    "openssl/": {"base", "index/lmdb/folder", "server/access", "server/http", "server/outbound"},
    "systemd/": {"server/http"},
    "prometheus/": {"server/metrics"},
    "lmdb.h": {"index/lmdb/env"},
    "libpq-fe.h": {"index/pg/client"},
    "hunspell/": {"dict/stem"},
    "libsvm/": {"server/judge"},
    "cld2/": {"server/check"},
    "libxml/": {"report", "extract", "extract/html", "extract/child", "extract/child/office", "extract/child/program", "server/ingest"},
    "bzlib.h": {"server/ingest"},
    # GPL, or for files of strangers: in the program akin-extract only.
    "PDFDoc.h": {"extract/child/page"},
    "TextOutputDev.h": {"extract/child/page"},
    "OutputDev.h": {"extract/child/page"},
    "archive.h": {"extract/child"},
    "seccomp.h": {"extract/child"},
    # LGPL, or for texts of strangers: in the program akin-report only.
    "cairo-pdf.h": {"report"},
    "pango/": {"report"},
    "qpdf/": {"report"},
    # The clients that call webhooks and clusters; the server's own protocol is in server/http.
    "curl/": {"index/opensearch/client", "server/outbound"},
}
# Inside index: an engine is included by itself alone, and by the one source that opens catalogs.
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
                if own and not own.endswith(".inc") and folder_of(own) not in allowed:
                    wrong.append(f"{place}: {folder} may not include {own}")
                for prefix, users in FORBIDDEN_LIBRARIES.items():
                    if library and library.startswith(prefix) and folder not in users:
                        wrong.append(f"{place}: <{library}> belongs to {', '.join(sorted(users))}")
            length = len(source.read_text(encoding="utf-8").splitlines())
            if length > 400:
                wrong.append(f"{source.relative_to(root)}: {length} lines, the house rule is 400")
    for header in headers_with({"lmdb.h", "index/lmdb/env/lmdb.h"}, includes):
        if header != "lmdb.h" and not header.startswith("index/lmdb/"):
            wrong.append(f"{header}: it brings lmdb.h to those who include it; only headers of index/lmdb may")
    print("\n".join(wrong) or "layers: every include follows the arrows")
    return 1 if wrong else 0


sys.exit(main())
