"""Parquet files and web archives as lines of JSON, and files that one run writes at a time."""

import contextlib
import datetime
import gzip
import io
import json
import os
import pathlib
import re
import warnings
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

PARQUET = (".parquet", ".pq")
# Of a page, decompressed.
MOST_BYTES = 256 << 20
# The head of a chunk of a body.
CHUNK = re.compile(rb"([0-9a-fA-F]{1,8})[ \t]*(?:;[^\r\n]*)?\r\n")
WARC = (".warc", ".warc.gz", ".warc.zst", ".wet", ".wet.gz", ".wet.zst")


def is_parquet(path: pathlib.Path) -> bool:
    return path.name.endswith(PARQUET)


def check_not_read(out: pathlib.Path, read: Iterable[pathlib.Path]) -> None:
    """Raises ValueError if `out` is one of the files that are read, which it would replace."""
    if out.is_file() and any(path.is_file() and path.samefile(out) for path in read):
        raise ValueError(f"{out}: is a file that is read: what is dropped would be gone; name another file")


def is_warc(path: pathlib.Path) -> bool:
    return path.name.endswith(WARC)


@contextlib.contextmanager
def opened_parquet(path: pathlib.Path, columns: Iterable[str] = ()) -> Iterator[Any]:
    """A Parquet file. Raises KeyError if it lacks a column, ValueError if it is damaged; both name the file."""
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            for column in set(columns) - set(file.schema_arrow.names):
                raise KeyError(f"{path}: has no column {column!r}")
            yield file
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error


def documents(path: pathlib.Path) -> Iterator[dict[str, Any]]:
    """The documents of a file, by its ending: the rows of Parquet, the pages of a web archive, or lines of JSON.

    Raises ValueError for another ending, and for a file that is damaged or cut off.
    """
    try:
        if is_parquet(path):
            import pyarrow.parquet

            with pyarrow.parquet.ParquetFile(path) as file:
                for batch in file.iter_batches():
                    yield from batch.to_pylist()
        elif is_warc(path):
            yield from pages(path)
        elif path.suffix in (".jsonl", ".ndjson"):
            with path.open(encoding="utf-8-sig") as file:
                yield from map(json.loads, filter(str.strip, file))
        else:
            raise ValueError(f"its name ends with none of {', '.join((*PARQUET, *WARC))}, .jsonl, .ndjson")
    except (EOFError, OSError, ValueError, zlib.error) as error:
        if isinstance(error, OSError) and error.filename is not None:
            raise
        raise ValueError(f"{path}: {error}") from error


def pages(path: pathlib.Path) -> Iterator[dict[str, Any]]:
    """The pages of a web archive that have text: of responses the text of HTML or plain text, of conversions their text.

    `id` is the record's, `url` the address, `date` the time of the request. Pages whose content cannot be decoded are left out,
    with a warning of their number. Raises EOFError, OSError or zlib.error for an archive that is damaged or cut off.
    """
    from fastwarc.warc import ArchiveIterator, WarcRecordType
    from resiliparse.extract.html2text import extract_plain_text

    wanted = WarcRecordType.response | WarcRecordType.conversion
    left_out = 0
    with _archive(path) as file:
        for record in ArchiveIterator(file, record_types=wanted):
            length = record.content_length
            http = record.http_headers
            if http is not None and http.status_code != 200:
                continue
            kind = (record.http_content_type if http is not None else record.headers.get("Content-Type", "text/plain")) or ""
            kind = kind.partition(";")[0].strip().lower()
            if kind not in ("text/html", "application/xhtml+xml", "text/plain"):
                continue
            body = record.reader.read()
            if len(body) < length:
                raise EOFError("the archive is cut off")
            try:
                body = _content(body, http.asdict() if http is not None else {})
            except (OSError, ValueError, zlib.error):
                left_out += 1
                continue
            text = _text(body, record.http_charset if http is not None else "utf-8")
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
    if left_out:
        warnings.warn(f"{path}: pages left out, as their content cannot be decoded: {left_out}", stacklevel=2)


def _archive(path: pathlib.Path) -> Any:
    """The records of an archive, of gzip decompressed: FastWARC takes one that is cut off for one that ends."""
    with path.open("rb") as file:
        begin = file.read(2)
    if not begin:
        raise EOFError("the archive is empty")
    return gzip.open(path) if begin == b"\x1f\x8b" else path.open("rb")


def _content(body: bytes, fields: dict[str, str]) -> bytes:
    """The content of a response as it was before it was coded for the transfer. Crawlers such as wget and Heritrix keep what they
    received; others decode it and leave the fields as they were."""
    from fastwarc.stream_io import BrotliReader

    coded = {name.lower(): value.lower() for name, value in fields.items()}
    if "chunked" in coded.get("transfer-encoding", "") and CHUNK.match(body):
        body = b"".join(_chunks(body))
    coding = coded.get("content-encoding", "").strip()
    if coding in ("gzip", "x-gzip", "deflate") and body[:1] in (b"\x1f", b"\x78"):
        unpacked = zlib.decompressobj(32 + zlib.MAX_WBITS)
        body = unpacked.decompress(body, MOST_BYTES)
        if not unpacked.eof:
            raise ValueError("is cut off, or too large")
    elif coding == "br" and body.lstrip()[:1] != b"<":
        body = BrotliReader(io.BytesIO(body)).read()
    elif coding in ("zstd", "compress"):
        raise ValueError(coding)
    return body


def _chunks(body: bytes) -> Iterator[bytes]:
    """RFC 9112, section 7.1."""
    at = 0
    while (head := CHUNK.match(body, at)) and (size := int(head[1], 16)):
        at = head.end() + size + 2
        if at > len(body):
            raise ValueError("is cut off")
        yield body[head.end() : at - 2]
    if head is None:
        raise ValueError("is damaged")


def _text(body: bytes, charset: str | None) -> str:
    """By the charset of the response if browsers know it, else by what the bytes look like."""
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding, map_encoding_to_html5

    known = map_encoding_to_html5(charset.strip("\"' "), fallback_utf8=False) if charset else None
    return bytes_to_str(body, known or detect_encoding(body) or "utf-8")


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
