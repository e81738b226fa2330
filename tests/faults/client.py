"""Requests of the scripts in this folder, and the files that they send."""
import http.client
import io
import json
import zipfile


class Answer:
    """Status and content of an answer; status 0 and what happened if none came."""

    def __init__(self, status: int, content: bytes, headers=None):
        self.status, self.content, self.headers = status, content, headers or {}

    @property
    def json(self):
        return json.loads(self.content)

    def __repr__(self) -> str:
        return f"{self.status} {self.content[:300].decode(errors='replace')}"


class Client:
    """One connection, made again after it broke."""

    def __init__(self, server, timeout: float = 60, source: str = "127.0.0.1", takes_parts: bool = False):
        """`takes_parts`: an answer that broke off counts for what arrived of it."""
        self.server, self.timeout, self.source, self.takes_parts = server, timeout, source, takes_parts
        self.connection = None

    def ask(self, method: str, path: str, body=None, kind: str = "application/json", **headers) -> Answer:
        """A dict or list goes as JSON, a str in UTF-8; `path` begins after /v1 unless it is /livez, /readyz or of the desk."""
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        if isinstance(body, str):
            body = body.encode()
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            fields["Content-Type"] = kind
        try:
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=self.timeout,
                                                             source_address=(self.source, 0))
            self.connection.request(method, path if path.startswith(("/livez", "/readyz", "/desk/")) else "/v1" + path, body, fields)
            answer = self.connection.getresponse()
            return Answer(answer.status, answer.read(), answer.headers)
        except http.client.IncompleteRead as failure:
            self.close()
            return Answer(answer.status if self.takes_parts else 0, failure.partial, answer.headers)
        except (OSError, http.client.HTTPException) as failure:
            self.close()
            return Answer(0, repr(failure).encode())

    def must(self, method: str, path: str, body=None, kind: str = "application/json", **headers) -> Answer:
        answer = self.ask(method, path, body, kind, **headers)
        if answer.status not in (200, 201, 202):
            raise RuntimeError(f"{method} {path}: {answer}")
        return answer

    def put_text(self, collection: str, name: str, text: str, **headers) -> Answer:
        return self.ask("PUT", f"/collections/{collection}/documents/{name}", text, "text/plain; charset=utf-8", **headers)

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None


def docx(text: str) -> bytes:
    """A DOCX of one paragraph, always the same bytes for a text; `text` has no markup but entities."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in (
            ("_rels/.rels", '<Relationships><Relationship Target="word/document.xml" Type="t/officeDocument"/></Relationships>'),
            ("word/document.xml", f'<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>'),
        ):
            package.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()
