"""tantivy on the same features: each is a term, a query asks for documents that have at least four of its terms. Engines count
sets, so documents that reach X > 3 by repeated features are missed. Runs in a virtual environment of its own."""
import shutil
import time

import exported

exported.need_packages("tantivy")
import tantivy  # noqa: E402

MEMORY = 512 << 20  # of the writer, bytes


def main() -> None:
    documents = exported.features("documents.tsv")
    queries = exported.features("queries.tsv")
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("number", stored=True, fast=True)
    builder.add_text_field("features", tokenizer_name="whitespace", index_option="basic")
    schema = builder.build()
    folder = exported.folder() / "tantivy"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()

    begun = time.monotonic()
    index = tantivy.Index(schema, path=str(folder))
    writer = index.writer(MEMORY)
    for number, features in documents.items():
        writer.add_document(tantivy.Document(number=number, features=" ".join(map(str, features))))
    writer.commit()
    writer.wait_merging_threads()
    exported.row("tantivy: build", time.monotonic() - begun, "s", f"{tantivy.__version__}, from Python, on its own threads; "
                 f"{exported.size(folder) / sum(map(len, documents.values())):.1f} bytes a posting")

    index.reload()
    searcher = index.searcher()
    should = tantivy.Occur.Should
    milliseconds: list[float] = []
    found = set()
    for warm in (False, True):
        for number, features in queries.items():
            begun = time.monotonic()
            terms = [(should, tantivy.Query.term_query(schema, "features", str(feature), "basic")) for feature in features]
            hits = searcher.search(tantivy.Query.boolean_query(terms, minimum_number_should_match=4), limit=len(documents), count=False).hits
            if warm:
                milliseconds.append((time.monotonic() - begun) * 1000)
                numbers = searcher.fast_field_values("number", [address for _, address in hits])
                found.update((number, document) for document in numbers)
    exported.row_of_queries("tantivy", milliseconds, "the query's terms and the search, warm, one core")
    exported.rows_of_documents_found("tantivy", found)


main()
