"""Builds the OpenAPI description of the HTTP interface and its reference page from the parts in this folder.

    python3 describe.py json VERSION FILE       the description, OpenAPI 3.1 as JSON
    python3 describe.py reference FILE          the reference page, in Markdown
    python3 describe.py parameters FILE         the parameters of each operation, as a table of C++
    python3 describe.py routes FILE             paths, methods and handlers, as a table of C++

The parts are OpenAPI in YAML with these abbreviations:

- `x-scope: S` in an operation: it requires an access key that allows S. Without it, no key is required.
- `x-problems: [404, …]` in an operation: it can answer these problems, in addition to those of every operation.
- `x-parameters: [S, …]` in an operation: it has the parameters of the set S in `x-parameter-sets`. In a schema: each of them is a
  property too; `x-form-parameters`: of a form.
- `x-runs: at_once|probe|stream` in an operation: how the server runs it (`Delivery`). `x-secret`: its answer holds a secret.
- `x-rest` in a parameter of a path: it takes the rest of the path, with slashes.
- `title` in an object among the variants of a schema: the name of that variant.
- `required: all` in a schema: all of its properties are required.
- A schema with properties says nothing of others: the server refuses them in a request, and answers may get new ones. (Generators
  take `additionalProperties: false` for a map.)
"""
import json
import pathlib
import sys

import yaml

from operations import METHODS, parameter_table, resolved, route_table
from reference import FIELDS_OF_ALL, reference_page

FOLDER = pathlib.Path(__file__).resolve().parent
INTERNAL = ("x-rest", "x-runs", "x-secret")


def merge(into: dict, part: dict, place: str = ""):
    """Adds the entries of `part` to `into`; entries that are in both must be objects."""
    for key, value in part.items():
        if key not in into:
            into[key] = value
        elif isinstance(into[key], dict) and isinstance(value, dict):
            merge(into[key], value, f"{place}/{key}")
        else:
            raise SystemExit(f"describe.py: {place}/{key} is defined in two parts")


def read_parts() -> dict:
    description = {}
    for part in [FOLDER / "base.yaml", *sorted(set(FOLDER.glob("*.yaml")) - {FOLDER / "base.yaml"})]:
        merge(description, yaml.safe_load(part.read_text(encoding="utf-8")))
    refuse_nulls(description)
    description = json.loads(json.dumps(description))  # aliases of an anchor become separate copies
    expand_sets(description, description["components"]["parameters"], description.pop("x-parameter-sets"))
    return description


def as_property(description: dict, parameter: dict) -> dict:
    """What a parameter is as a field of a body, which may leave it to the query: it has no default."""
    schema = {key: value for key, value in resolved(description, parameter["schema"]).items() if key != "default"}
    return {**schema, "description": parameter["description"]}


def expand_sets(value, parameters: dict, sets: dict, whole: dict | None = None):
    """Puts the parameters of a set where it is named."""
    whole = whole or value
    for entry in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        expand_sets(entry, parameters, sets, whole)
    if not isinstance(value, dict):
        return
    for key in ("x-parameters", "x-form-parameters"):
        names = [name for one in value.pop(key, []) for name in sets[one]]
        if names and "operationId" in value:
            value["parameters"] = [{"$ref": f"#/components/parameters/{name}"} for name in names] + value.get("parameters", [])
            continue
        for name in names:
            parameter = parameters[name]
            value["properties"].setdefault(parameter["name"], as_property(whole, parameter))


def without_internal(value):
    if isinstance(value, list):
        return [without_internal(entry) for entry in value]
    if isinstance(value, dict):
        return {key: without_internal(entry) for key, entry in value.items() if key not in INTERNAL}
    return value


def refuse_nulls(value, place: str = ""):
    """A comma in an unquoted description makes the words after it a key without a value."""
    if value is None:
        raise SystemExit(f"describe.py: {place} has no value; quote the text before it")
    for key, entry in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if key != "default":
            refuse_nulls(entry, f"{place}/{key}")


def expand_schemas(value):
    if isinstance(value, list):
        for entry in value:
            expand_schemas(entry)
    if not isinstance(value, dict):
        return
    if isinstance(value.get("properties"), dict):
        if value.get("required") == "all":
            value["required"] = list(value["properties"])
    if "type" not in value and words_of(value) and all(isinstance(word, str) for word in words_of(value)):
        value["type"] = "string"
    for name, entry in value.items():
        if name != "example":
            expand_schemas(entry)


def words_of(schema: dict) -> list[str]:
    return [schema["const"]] if "const" in schema else schema.get("enum", [])


def name_variants(schemas: dict):
    """Makes each object among the variants of a schema a schema with a name, which generators of clients need: its `title`, or that of
    the schema and its `kind` or `status`."""
    for name, schema in list(schemas.items()):
        variants = [one for one in schema.get("oneOf", []) if one.get("type") == "object"]
        if len(variants) < 2:
            continue
        for variant in variants:
            words = words_of(variant["properties"].get("kind", variant["properties"].get("status", {})))
            title = variant.pop("title", None)
            if title is None and not words:
                raise SystemExit(f"describe.py: a variant of {name} has no title")
            title = title or name + "".join(part.title() for part in words[0].split("_"))
            schemas[title] = dict(variant)
            variant.clear()
            variant["$ref"] = f"#/components/schemas/{title}"


def problem_response(status: str, problem: dict) -> dict:
    response = {
        "description": problem["description"],
        "content": {
            "application/problem+json": {
                "schema": {
                    "$ref": "#/components/schemas/Problem",
                    "properties": {"status": {"const": int(status)}, "code": {"enum": problem["codes"]}},
                }
            }
        },
    }
    headers = problem.get("headers", [])
    if headers:
        response["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in headers}
    return response


def has_problem(operation: dict, status: str, problem: dict) -> bool:
    if problem.get("named"):
        return int(status) in operation["x-problems"]
    return "x-scope" in operation or not problem.get("keys")


def expand_operation(operation: dict, problems: dict):
    responses = operation["responses"]
    for status, problem in problems.items():
        if status not in responses and has_problem(operation, status, problem):
            responses[status] = {"$ref": f"#/components/responses/Problem{status}"}
    operation["responses"] = dict(sorted(responses.items()))
    scope = operation.pop("x-scope", None)
    # The empty requirement: a server without keys requires none.
    operation["security"] = [{"bearer": [scope]}, {}] if scope else []
    body = operation.get("requestBody")
    if body:  # generators of clients that take one type take the first
        body["content"] = dict(sorted(body["content"].items(), key=lambda one: one[0] != "application/json"))
    del operation["x-problems"]


def responses_of(description: dict):
    yield from description["components"]["responses"].values()
    for path in description["paths"].values():
        for method in METHODS:
            yield from path.get(method, {}).get("responses", {}).values()


def describe(version: str) -> dict:
    description = without_internal(read_parts())
    description["info"]["version"] = version
    expand_schemas(description)
    name_variants(description["components"]["schemas"])
    problems = description.pop("x-problems")
    responses = description["components"]["responses"]
    for status, problem in problems.items():
        responses[f"Problem{status}"] = problem_response(status, problem)
    for path in description["paths"].values():
        for method in METHODS:
            if method in path:
                expand_operation(path[method], problems)
    for response in responses_of(description):
        if "$ref" not in response:
            for name in FIELDS_OF_ALL:
                response.setdefault("headers", {})[name] = {"$ref": f"#/components/headers/{name}"}
    order = {tag["name"]: place for place, tag in enumerate(description["tags"])}
    place = {path: order[next(item[m] for m in METHODS if m in item)["tags"][0]] for path, item in description["paths"].items()}
    description["paths"] = dict(sorted(description["paths"].items(), key=lambda item: place[item[0]]))
    return description


def main(arguments: list[str]) -> int:
    match arguments:
        case ["json", version, file]:
            text = json.dumps(describe(version), ensure_ascii=False, separators=(",", ":"))
            pathlib.Path(file).write_text(text + "\n", encoding="utf-8")
        case ["reference", file]:
            pathlib.Path(file).write_text(reference_page(describe("")), encoding="utf-8")
        case ["parameters", file]:
            pathlib.Path(file).write_text(parameter_table(read_parts()), encoding="utf-8")
        case ["routes", file]:
            pathlib.Path(file).write_text(route_table(read_parts()), encoding="utf-8")
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
