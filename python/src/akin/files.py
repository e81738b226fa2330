"""Parquet files and web archives as lines of JSON."""

import datetime
import json
import pathlib
from collections.abc import Iterator
from typing import Any

PARQUET = (".parquet", ".pq")
WARC = (".warc", ".warc.gz", ".warc.zst", ".wet", ".wet.gz", ".wet.zst")


def is_parquet(path: pathlib.Path) -> bool:
    return path.name.endswith(PARQUET)


def is_warc(path: pathlib.Path) -> bool:
    return path.name.endswith(WARC)


def documents(path: pathlib.Path) -> Iterator[dict[str, Any]]:
    """The documents of a file, by its ending: the rows of Parquet, the pages of a web archive, or lines of JSON.

    Raises ValueError for another ending.
    """
    if is_parquet(path):
        import pyarrow.parquet

        with pyarrow.parquet.ParquetFile(path) as file:
            for batch in file.iter_batches():
                yield from batch.to_pylist()
    elif is_warc(path):
        yield from pages(path)
    elif path.suffix in (".jsonl", ".ndjson"):
        with path.open(encoding="utf-8") as file:
            yield from map(json.loads, file)
    else:
        raise ValueError(f"{path}: its name ends with none of {', '.join((*PARQUET, *WARC))}, .jsonl, .ndjson")


def pages(path: pathlib.Path) -> Iterator[dict[str, Any]]:
    """The pages of a web archive that have text: of responses the text of HTML or plain text, of conversions their text.

    `id` is the record's, `url` the address, `date` the time of the request.
    """
    from fastwarc.warc import ArchiveIterator, WarcRecordType
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    wanted = WarcRecordType.response | WarcRecordType.conversion
    with path.open("rb") as file:
        for record in ArchiveIterator(file, record_types=wanted):
            http = record.http_headers
            if http is not None and http.status_code != 200:
                continue
            kind = (record.http_content_type if http is not None else record.headers.get("Content-Type", "text/plain")) or ""
            kind = kind.partition(";")[0].strip().lower()
            if kind not in ("text/html", "application/xhtml+xml", "text/plain"):
                continue
            body = record.reader.read()
            charset = record.http_charset if http is not None else "utf-8"
            text = bytes_to_str(body, charset or detect_encoding(body) or "utf-8")
            if kind != "text/plain":
                text = extract_plain_text(text, main_content=False)
            if not text.strip():
                continue
            date = record.record_date
            yield {
                "id": record.record_id,
                "url": record.headers.get("WARC-Target-URI"),
                "date": date.astimezone(datetime.timezone.utc).isoformat() if date else None,
                "text": text,
            }
