"""Parquet files and web archives as lines of JSON, and files that one run writes at a time."""

import contextlib
import datetime
import json
import os
import pathlib
from collections.abc import Iterator
from typing import Any, BinaryIO

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


@contextlib.contextmanager
def written_alone(path: pathlib.Path) -> Iterator[BinaryIO]:
    """An empty file that gets the name `path` at the end, unless an exception ends it. Raises BlockingIOError if another run is
    writing it; the system ends that when the other process dies."""
    part = path.with_name(path.name + ".tmp")
    with _locked(part, path) as file:
        try:
            file.truncate()
            yield file
            file.flush()
            part.replace(path)
        except BaseException:
            part.unlink()
            raise


def _locked(part: pathlib.Path, path: pathlib.Path) -> BinaryIO:
    import fcntl

    while True:
        file = os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT, 0o644), "r+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file.fileno()), part.stat()):
                return file
        except FileNotFoundError:  # whoever had the lock has renamed it
            pass
        except BlockingIOError as error:
            file.close()
            reason = "is being written already (wait until the other run has ended, or name another file)"
            raise BlockingIOError(error.errno, reason, str(path)) from None
        file.close()
