"""The reference page: a section for each operation of a description, then the objects."""

import textwrap

COLUMNS = 120
METHODS = ("get", "put", "post", "patch", "delete")
# Problems of every operation: the page lists them once.
COMMON = ("400", "401", "403", "408", "413", "415", "417", "429", "431", "500", "501", "503")
# Header fields that any answer may have.
FIELDS_OF_ALL = ("X-Request-Id", "Akin-Staleness")


class Page:
    def __init__(self, description: dict):
        self.description = description
        self.lines: list[str] = []

    def add(self, *lines: str):
        self.lines.extend(lines)

    def resolved(self, value: dict) -> dict:
        """The target of a reference, merged with the entries next to the reference."""
        if "$ref" not in value:
            return value
        found = self.description
        for part in value["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return {**self.resolved(found), **{key: entry for key, entry in value.items() if key != "$ref"}}

    def table(self, head: tuple[str, ...], rows: list[tuple[str, ...]]):
        self.add("", "| " + " | ".join(head) + " |", "|" + "---|" * len(head))
        for row in rows:
            self.add("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |")


def filled(lines: list[str]) -> list[str]:
    """Rewraps paragraphs, so that no line is too wide; tables and headings do not change."""
    out, paragraph = [], []

    def end_paragraph():
        if paragraph:
            indent = "  " if paragraph[0].startswith("- ") else ""
            text = " ".join(line.strip() for line in paragraph)
            out.extend(textwrap.wrap(text, COLUMNS, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))
            paragraph.clear()

    for line in lines:
        if not line or line.startswith(("|", "#", "- ")):
            end_paragraph()
        if not line or line.startswith(("|", "#")):
            out.append(line)
        else:
            paragraph.append(line)
    end_paragraph()
    return out


def link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


def literal(value) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    return f"`{value}`" if value != "" else "empty"


def bounds(schema: dict, least: str, most: str, unit: str) -> str:
    if least in schema and most in schema:
        return f", {schema[least]} to {schema[most]}{unit}"
    if least in schema:
        return f", from {schema[least]}{unit}"
    return f", up to {schema[most]}{unit}" if most in schema else ""


PLAIN = {"Containment", "Count", "Share", "Uint32", "Moment"}  # the page shows their types instead of their names


def type_of(page: Page, schema: dict) -> str:
    name = schema.get("$ref", "").rpartition("/")[2]
    if name and name not in PLAIN:
        return link(name)
    schema = page.resolved(schema)
    if "const" in schema:
        return literal(schema["const"])
    if "enum" in schema:
        return ", ".join(literal(value) for value in schema["enum"])
    for joined in ("oneOf", "anyOf"):
        if joined in schema and "type" not in schema:
            return " or ".join(type_of(page, entry) for entry in schema[joined])
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(f"{entry}" for entry in kind)
    if kind == "array":
        return "array of " + type_of(page, schema["items"]) if isinstance(schema.get("items"), dict) else "array"
    if kind == "string":
        return ("time" if schema.get("format") == "date-time" else "string") + bounds(schema, "minLength", "maxLength", " characters")
    return kind + bounds(schema, "minimum", "maximum", "")


def properties(page: Page, schema: dict):
    rows = []
    for name, entry in schema["properties"].items():
        resolved = page.resolved(entry)
        default = literal(resolved["default"]) if "default" in resolved else ("required" if name in schema.get("required", []) else "")
        own = entry.get("description", "") if entry.get("$ref", "").rpartition("/")[2] not in PLAIN else resolved.get("description", "")
        rows.append((f"`{name}`", type_of(page, entry), default, own))
    page.table(("field", "type", "default", "meaning"), rows)


def shape(page: Page, media: str, schema: dict) -> str:
    return "lines, each " + type_of(page, schema["items"]) if "ndjson" in media else type_of(page, schema)


def body(page: Page, what: str, content: dict):
    for media, entry in content.items():
        schema = entry["schema"]
        page.add("", f"{what} `{media}`: {shape(page, media, schema)}")
        if schema.get("properties"):
            properties(page, schema)


def operation(page: Page, path: str, method: str, item: dict):
    description = item[method]
    page.add("", f"### {description['summary']}", "", f"`{method.upper()} {path}`")
    if "description" in description:
        page.add("", *description["description"].split("\n"))
    security = description["security"]
    scope = security[0]["bearer"][0] if security else None
    page.add("", f"Scope: `{scope}`." if scope else "No key is required.")
    rows = []
    for parameter in (page.resolved(entry) for entry in item.get("parameters", []) + description.get("parameters", [])):
        schema = page.resolved(parameter["schema"])
        default = "required" if parameter.get("required") else literal(schema["default"]) if "default" in schema else ""
        rows.append((f"`{parameter['name']}`", parameter["in"], type_of(page, parameter["schema"]), default, parameter.get("description", "")))
    if rows:
        page.table(("parameter", "in", "type", "default", "meaning"), rows)
    if "requestBody" in description:
        request = description["requestBody"]
        if request.get("description"):
            page.add("", "Body: " + request["description"] + ".")
        body(page, "Body", request["content"])
    answers(page, description["responses"])


def answers(page: Page, responses: dict):
    rows = []
    for status, entry in responses.items():
        if status in COMMON and "$ref" in entry:
            continue
        response = page.resolved(entry)
        fields = [f"`{name}`" for name in response.get("headers", {}) if name not in FIELDS_OF_ALL]
        shapes = []
        for media, content in response.get("content", {}).items():
            plain = media in ("application/json", "application/problem+json")
            shapes.append(shape(page, media, content["schema"]) + ("" if plain else f", `{media}`"))
        rows.append((status, response["description"], " or ".join(shapes), ", ".join(fields)))
    page.table(("status", "when", "body", "fields"), rows)


def reference_page(description: dict) -> str:
    page = Page(description)
    page.add(
        "# Reference of the HTTP interface",
        "",
        "The server makes this page and the OpenAPI 3.1 description at `/openapi.json` from the same source. Concepts and",
        "examples: [api.md](api.md).",
        "",
        *description["info"]["description"].split("\n"),
        "",
        "## Answers that any operation may give",
        "",
        "Every answer has the header field `X-Request-Id`; below `/v1/` those of a server whose database is a standby also have",
        "`Akin-Staleness`. Problems are [Problem](#problem) objects in `application/problem+json`. Only operations with a scope",
        "answer 401, 403 and 429. [errors.md](errors.md) explains the codes.",
    )
    shared = [(s, description["components"]["responses"][f"Problem{s}"]) for s in COMMON]
    page.table(
        ("status", "when", "codes", "fields"),
        [
            (
                status,
                response["description"],
                ", ".join(f"`{code}`" for code in response["content"]["application/problem+json"]["schema"]["properties"]["code"]["enum"]),
                ", ".join(f"`{name}`" for name in response["headers"] if name not in FIELDS_OF_ALL),
            )
            for status, response in shared
        ],
    )
    for tag in description["tags"]:
        page.add("", f"## {tag['name'].capitalize()}", "", tag["description"] + ".")
        for path, item in description["paths"].items():
            for method in METHODS:
                if method in item and tag["name"] in item[method]["tags"]:
                    operation(page, path, method, item)
    page.add("", "## Objects")
    for name, schema in sorted(description["components"]["schemas"].items()):
        if name in PLAIN:
            continue
        page.add("", f"### {name}")
        if "description" in schema:
            page.add("", *schema["description"].split("\n"))
        objects = [schema] if "properties" in schema else [e for e in schema.get("oneOf", []) if "properties" in e]
        for entry in objects:
            if entry is not schema and "description" in entry:
                page.add("", entry["description"] + ":")
            if entry["properties"]:
                properties(page, entry)
        if not objects:
            page.add("", type_of(page, schema) + ".")
    return "\n".join(filled(page.lines)) + "\n"
