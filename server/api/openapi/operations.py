"""Makes the tables of C++ that serve what the description says: the parameters of each operation, and the routes.

An operation's handler is the function that is called like its operationId: `list_keys` answers `listKeys`.
"""
import re

KINDS = {"integer": "integer", "number": "share", "boolean": "flag", "array": "list", "string": "text"}
METHODS = ("get", "put", "post", "patch", "delete")


def resolved(description: dict, value: dict) -> dict:
    while "$ref" in value:
        found = description
        for part in value["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        value = {**found, **{key: entry for key, entry in value.items() if key != "$ref"}}
    return value


def handler_of(operation: dict) -> str:
    return re.sub("([A-Z])", lambda letter: "_" + letter[0].lower(), operation["operationId"])


def quoted(text) -> str:
    text = str(text).lower() if isinstance(text, bool) else str(text)
    return '"' + text.strip().replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def declared(description: dict, parameter: dict) -> str:
    schema = resolved(description, parameter["schema"])
    kind = "word" if "enum" in schema else "object" if "contentMediaType" in schema else KINDS[schema.get("type", "string")]
    if kind == "integer" and "maximum" not in schema or kind == "share" and (schema["minimum"], schema["maximum"]) != (0, 1):
        raise SystemExit(f"describe.py: the parameter {parameter['name']} has no range that the server knows")
    least, most = (schema["minimum"], schema["maximum"]) if kind == "integer" else (0, 0)
    words = ",".join(schema.get("enum", schema.get("items", {}).get("enum", [])))
    absent = schema.get("default", "")
    fields = (quoted(parameter["name"]), f"Kind::{kind}", least, most, quoted(",".join(absent) if kind == "list" else absent), quoted(words),
              quoted(parameter["description"]))
    return "{" + ", ".join(map(str, fields)) + "}"


def operations(description: dict):
    """Path, the parameters of the path, method, operation."""
    for path, item in description["paths"].items():
        for method in METHODS:
            if method in item:
                yield path, item.get("parameters", []), method, item[method]


def parameter_table(description: dict) -> str:
    arrays, rows = [], []
    for _, _, _, operation in operations(description):
        given = [resolved(description, one) for one in operation.get("parameters", [])]
        entries = [declared(description, one) for one in given if one["in"] == "query"]
        name = handler_of(operation)
        if entries:
            arrays.append(f"constexpr DeclaredParameter of_{name}[] = {{\n    " + ",\n    ".join(entries) + "};\n")
        rows.append(f'{{"{name}", {"of_" + name if entries else "{}"}}}')
    return (
        '#include <string_view>\n#include <span>\n#include <utility>\n\n#include "server/api/declared_parameter.h"\n\n'
        "namespace akin::api {\n\nnamespace {\n\nusing Kind = ParameterKind;\n\n" + "\n".join(arrays) + "\n"
        "constexpr std::pair<std::string_view, std::span<const DeclaredParameter>> kOperations[] = {\n    " + ",\n    ".join(rows) + "};\n\n"
        "}  // namespace\n\nstd::span<const DeclaredParameter> parameters_of(std::string_view operation) noexcept {\n"
        "  for (const auto& [name, parameters] : kOperations) {\n    if (name == operation) return parameters;\n  }\n  return {};\n}\n\n"
        "}  // namespace akin::api\n"
    )


def method_row(description: dict, method: str, operation: dict) -> str:
    name = handler_of(operation)
    runs = operation.get("x-runs", "worker")
    handlers = f"nullptr, {name}" if runs == "stream" else f"{name}, nullptr"
    scope = f"Scope::{operation['x-scope']}" if "x-scope" in operation else "kAnyone"
    given = [resolved(description, one)["name"] for one in operation.get("parameters", [])]
    creation = "none" if "Idempotency-Key" not in given else "secret" if operation.get("x-secret") else "thing"
    return f'{{"{method.upper()}", {scope}, {handlers}, Delivery::{runs}, Creation::{creation}, "{name}"}}'


def route_table(description: dict) -> str:
    declarations, methods, patterns = [], {}, {}
    for path, parameters, method, operation in operations(description):
        stream = operation.get("x-runs") == "stream"
        answer = "std::optional<Response>" if stream else "Response"
        more = ", BodySource& body, AnswerSink& sink" if stream else ""
        declarations.append(f"[[nodiscard]] Result<{answer}> {handler_of(operation)}(const Call& call{more});")
        methods.setdefault(path, []).append(method_row(description, method, operation))
        rest = any(resolved(description, one).get("x-rest") for one in parameters + operation.get("parameters", []))
        patterns[path] = path[:-1] + "*}" if rest else path
    routes = [f'Route{{"{patterns[path]}", {{{{{", ".join(rows)}}}}}}}' for path, rows in methods.items()]
    return (
        '#include <optional>\n#include <span>\n\n#include "server/api/route.h"\n\nnamespace akin::api {\n\n' + "\n".join(declarations)
        + "\n\nstd::span<const Route> interface_routes() noexcept {\n  static constexpr Route kRoutes[] = {\n      "
        + ",\n      ".join(routes) + "};\n  static_assert(fit_captures(kRoutes));\n  return kRoutes;\n}\n\n}  // namespace akin::api\n"
    )
