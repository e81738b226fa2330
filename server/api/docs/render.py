"""Renders the project's documentation as the pages that a server offers at /docs/, in a C++ source.

    python3 render.py DOCS FILE PAGE…      DOCS is the folder docs/, FILE the source to write, PAGE a page made elsewhere

A page NAME.md becomes /docs/NAME, README.md the page /docs/ itself; pictures and examples keep their names. Links between pages
lead to the rendered pages. A link to a file outside DOCS, which is not served, is replaced by its words.
"""
import html
import pathlib
import posixpath
import re
import sys

from markdown_it import MarkdownIt
from markdown_it.token import Token

TYPES = {".svg": "image/svg+xml", ".webp": "image/webp", ".csv": "text/csv; charset=utf-8", ".py": "text/plain; charset=utf-8", ".css": "text/css; charset=utf-8"}
HTML = "text/html; charset=utf-8"
STYLE = pathlib.Path(__file__).with_name("style.css")
SECTIONS_LISTED = 4  # a page with this many sections or more begins with a list of them
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · akin</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<header><a href="./">akin: documentation</a></header>
<main>
{body}</main>
</body>
</html>
"""


def page_name(file: str) -> str:
    """The path of a page below /docs/."""
    return "" if file == "README.md" else file.removesuffix(".md")


def files_beside(docs: pathlib.Path) -> list[str]:
    """The files that are served in addition to the pages, as paths below /docs/."""
    return sorted(path.relative_to(docs).as_posix() for path in docs.rglob("*") if path.suffix in TYPES)


def slug(title: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def served(target: str, pages: set[str], files: set[str]) -> str | None:
    """The target of a page's link on the server; None if the target is not served."""
    if re.match(r"[a-z]+:", target) or target.startswith("#"):
        return target
    path, hash_mark, anchor = target.partition("#")
    path = posixpath.normpath(path)
    if path in pages:
        return (page_name(path) or "./") + hash_mark + anchor
    return path + hash_mark + anchor if path in files else None


def relink(children: list[Token], pages: set[str], files: set[str]) -> list[Token]:
    kept, open_links = [], []
    for token in children:
        if token.type == "link_open":
            target = served(token.attrs["href"], pages, files)
            open_links.append(target is not None)
            if target is not None:
                token.attrs["href"] = target
        if token.type == "link_open" and not open_links[-1]:
            continue
        if token.type == "link_close" and not open_links.pop():
            continue
        if token.type == "html_inline" and token.content.startswith("<!--"):
            continue
        kept.append(token)
    return kept


def words(inline: Token) -> str:
    return "".join(child.content for child in inline.children if child.type in ("text", "code_inline"))


def anchor_headings(tokens: list[Token]) -> list[tuple[str, str]]:
    """Adds anchors to the headings. Returns the sections (headings of the second level) with their anchors."""
    used: dict[str, int] = {}
    sections = []
    for token, inline in zip(tokens, tokens[1:]):
        if token.type != "heading_open":
            continue
        anchor = slug(words(inline))
        used[anchor] = used.get(anchor, -1) + 1
        if used[anchor]:
            anchor += f"-{used[anchor]}"
        token.attrs["id"] = anchor
        if token.tag == "h2":
            sections.append((anchor, words(inline)))
    return sections


def anchor_codes(tokens: list[Token]):
    """Adds an anchor to the first row of each error code: the `type` of a problem points to it."""
    used = set()
    for row, _, inline in zip(tokens, tokens[1:], tokens[2:]):
        if row.type != "tr_open" or inline.type != "inline":
            continue
        code = re.fullmatch(r"`([a-z0-9_]+)`", inline.content)
        if code and code[1] not in used:
            used.add(code[1])
            row.attrs["id"] = code[1]


def contents(sections: list[tuple[str, str]]) -> str:
    if len(sections) < SECTIONS_LISTED:
        return ""
    entries = "".join(f'<li><a href="#{html.escape(anchor)}">{html.escape(title)}</a></li>\n' for anchor, title in sections)
    return f"<nav><ul>\n{entries}</ul></nav>\n"


def render(file: str, markdown: str, pages: set[str], files: set[str]) -> str:
    parser = MarkdownIt("commonmark", {"html": True, "xhtmlOut": False}).enable("table")
    tokens = [token for token in parser.parse(markdown) if not (token.type == "html_block" and token.content.startswith("<!--"))]
    for token in tokens:
        if token.type == "inline":
            token.children = relink(token.children, pages, files)
        elif token.attrs.pop("style", None) == "text-align:right":  # the pages' policy forbids styles of elements
            token.attrs["class"] = "number"
    sections = anchor_headings(tokens)
    if file == "errors.md":
        anchor_codes(tokens)
    title = next(words(inline) for token, inline in zip(tokens, tokens[1:]) if token.type == "heading_open")
    # The list of sections comes before the first of them.
    first = next((at for at, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"), len(tokens))
    parts = [parser.renderer.render(part, parser.options, {}) for part in (tokens[:first], tokens[first:])]
    return PAGE.format(title=html.escape(title), body=parts[0] + contents(sections) + parts[1])


def literal(content: str | bytes) -> str:
    if isinstance(content, str):
        return f'R"akin-file({content})akin-file"sv'
    return '"' + "".join(f"\\{byte:03o}" for byte in content) + '"sv'


def entry(path: str, media: str, content: str | bytes) -> str:
    return f'    {{"{path}", "{media}",\n     {literal(content)}}},\n'


def file_content(path: pathlib.Path) -> str | bytes:
    return path.read_bytes() if path.suffix == ".webp" else path.read_text(encoding="utf-8")


def main(docs_folder: str, out: str, *made: str):
    docs = pathlib.Path(docs_folder)
    pages = {path.name: path.read_text(encoding="utf-8") for path in [*docs.glob("*.md"), *map(pathlib.Path, made)]}
    files = files_beside(docs)
    entries = {page_name(name): (HTML, render(name, text, set(pages), set(files))) for name, text in pages.items()}
    entries.update({name: (TYPES[pathlib.Path(name).suffix], file_content(docs / name)) for name in files})
    entries["style.css"] = (TYPES[".css"], STYLE.read_text(encoding="utf-8"))
    table = "".join(entry(path, *entries[path]) for path in sorted(entries))
    pathlib.Path(out).write_text(
        '#include "server/api/embedded.h"\n\nnamespace akin::api {\n\nnamespace {\n\nusing namespace std::literals;\n\n'
        f"constexpr EmbeddedFile kDocs[] = {{\n{table}}};\n\n}}  // namespace\n\n"
        "std::span<const EmbeddedFile> docs_files() noexcept { return kDocs; }\n\n}  // namespace akin::api\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
