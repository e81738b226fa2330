"""Whether the changelog names each change of the interface's description since the last version: tests/contract/description.txt has a
line for each of its parts as it was then.

    python3 tests/contract/description_changes.py NOW.json CHANGELOG.md [--all]     what the changelog does not name, or all changes
    python3 tests/contract/description_changes.py NOW.json --write                  when a version is released

A part is an operation, parameter, body, status, schema or field. The changelog names it if its unreleased section has the path, or
the name of the parameter, schema or field, in backticks. Exits with 1 if it does not name one.
"""
import hashlib
import json
import pathlib
import re
import sys

RELEASED = pathlib.Path(__file__).with_name("description.txt")
METHODS = ("get", "put", "post", "patch", "delete")
WORDS = {"description", "summary", "example", "title", "examples"}  # what people read


def plain(value):
    """A schema without what people read, and with its lists of names in order."""
    if isinstance(value, dict):
        kept = {key: plain(entry) for key, entry in sorted(value.items()) if key not in WORDS or not isinstance(entry, str)}
        # These follow from the rest, and were not always written.
        if kept.get("additionalProperties") is False:
            del kept["additionalProperties"]
        if kept.get("type") == "string" and ("enum" in kept or "const" in kept):
            del kept["type"]
        kept.pop("discriminator", None)
        return kept
    if isinstance(value, list):
        return sorted((plain(entry) for entry in value), key=str)
    return value


def parts(description: dict) -> dict[str, str]:
    """A digest of each part, by where it is: "operation/GET /v1/tasks/parameter/wait" with tabs for slashes."""
    components = description["components"]
    found = {}

    def note(*place, value):
        found["\t".join(place)] = hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]

    for path, item in description["paths"].items():
        for method in METHODS:
            if method not in item:
                continue
            operation, place = item[method], ("operation", f"{method.upper()} {path}")
            note(*place, value=operation.get("security"))
            for one in item.get("parameters", []) + operation.get("parameters", []):
                one = components["parameters"][one["$ref"].rsplit("/", 1)[1]] | one if "$ref" in one else one
                note(*place, "parameter", one["name"], value=plain({key: one.get(key) for key in ("in", "required", "schema")}))
            for media, body in operation.get("requestBody", {}).get("content", {}).items():
                note(*place, "body", media, value=plain(body["schema"]))
            for status, answer in operation["responses"].items():
                note(*place, "status", status, value=plain(answer.get("content", {})))
    for name, schema in components["schemas"].items():
        note("schema", name, value=plain({key: entry for key, entry in schema.items() if key != "properties"}))
        for field, entry in schema.get("properties", {}).items():
            note("schema", name, "field", field, value=plain(entry))
    return found


def changes(old: dict[str, str], new: dict[str, str]):
    """Each change as its place and what it is; what is in something added or removed is not listed again."""
    for line in sorted(set(old) | set(new)):
        place = line.split("\t")
        whole = "\t".join(place[:2])
        if old.get(line) != new.get(line) and (len(place) == 2 or (whole in old and whole in new)):
            yield place, "removed" if line not in new else "added" if line not in old else "changed"


def named_in(changelog: str) -> set[str]:
    section = re.split(r"^## ", changelog, flags=re.MULTILINE)[1]
    return {word for quoted in re.findall(r"`([^`]+)`", section) for word in [quoted, *re.findall(r"[\w./:{}…-]+", quoted)]}


def is_named(place: list[str], names: set[str]) -> bool:
    path = re.sub(r"\{collection\}", "{c}", place[1].split()[-1])
    shorter = ["…" + path[at:] for at in range(len(path)) if path[at] == "/"]
    verb = path.rsplit("/", 1)[-1] if ":" in path else path  # as it was spelt: documents:bulk
    return any(word in names for word in (*place[1:], path, verb, place[1].split()[-1], *shorter))


def main(arguments: list[str]) -> int:
    now = parts(json.loads(pathlib.Path(arguments[0]).read_text(encoding="utf-8")))
    if arguments[1] == "--write":
        RELEASED.write_text("".join(f"{digest} {place}\n" for place, digest in sorted(now.items())), encoding="utf-8")
        return 0
    old = {place: digest for digest, _, place in (line.partition(" ") for line in RELEASED.read_text(encoding="utf-8").splitlines())}
    names = named_in(pathlib.Path(arguments[1]).read_text(encoding="utf-8"))
    missing = 0
    for place, what in changes(old, now):
        named = is_named(place, names)
        missing += not named
        if not named or "--all" in arguments:
            print(" ".join(place), what + ("" if named else ": the changelog does not name it"))
    print(f"{sum(1 for _ in changes(old, now))} changes of the description, {missing} not named by the changelog")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
