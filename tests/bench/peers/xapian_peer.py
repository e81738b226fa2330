"""Xapian on the same features: each is a term, CoordWeight counts how many of a query's terms a document has, and the cutoff keeps
documents with at least four. Engines count sets, so documents that reach X > 3 by repeated features are missed. The bindings
are Debian's, for the system's Python."""
import os
import shutil
import sys
import time

import exported

SYSTEM_PYTHON = "/usr/bin/python3"

try:
    import xapian
except ImportError:
    if os.path.realpath(sys.executable) == os.path.realpath(SYSTEM_PYTHON) or not os.path.exists(SYSTEM_PYTHON):
        exported.skip("Xapian's bindings are not installed (apt-get install python3-xapian)")
    os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])


def main() -> None:
    documents = exported.features("documents.tsv")
    queries = exported.features("queries.tsv")
    folder = exported.folder() / "xapian"
    shutil.rmtree(folder, ignore_errors=True)

    begun = time.monotonic()
    writer = xapian.WritableDatabase(str(folder), xapian.DB_CREATE)
    for number, features in documents.items():
        document = xapian.Document()
        for feature in features:
            document.add_boolean_term(str(feature))
        writer.replace_document(number + 1, document)
    writer.commit()
    writer.close()
    exported.row("Xapian: build", time.monotonic() - begun, "s", f"Xapian {xapian.version_string()}, from Python; "
                 f"{exported.size(folder) / sum(map(len, documents.values())):.1f} bytes a posting")

    database = xapian.Database(str(folder))
    milliseconds: list[float] = []
    found = set()
    for warm in (False, True):
        for number, features in queries.items():
            begun = time.monotonic()
            enquire = xapian.Enquire(database)
            enquire.set_weighting_scheme(xapian.CoordWeight())
            enquire.set_cutoff(0, 4)
            enquire.set_query(xapian.Query(xapian.Query.OP_OR, [str(feature) for feature in features]))
            hits = enquire.get_mset(0, len(documents))
            if warm:
                milliseconds.append((time.monotonic() - begun) * 1000)
                found.update((number, hit.docid - 1) for hit in hits)
    exported.row_of_queries("Xapian", milliseconds, "the query's terms and the search, warm, one core")
    exported.rows_of_documents_found("Xapian", found)


main()
