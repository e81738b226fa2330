"""Holds exchanges of requests and answers against an OpenAPI 3.1 description, with an independent validator of JSON Schema."""
import json
import re
import urllib.parse

import jsonschema
import referencing
import referencing.jsonschema

PLACE = "urn:openapi"
# Fields of every HTTP answer, and those that browsers ask for: described in the text of the docs, not in the
# description.
# What filters of the tests' servers read: no description can name what an administrator configures.
FILTERED = {"application/x-tex"}
COMMON_FIELDS = re.compile(r"server|date|connection|vary|content-(type|length|encoding)|transfer-encoding|x-content-type-options|access-control-.*")


class Mismatch(Exception):
    """An exchange that the description does not allow."""


def close(value):
    """Lets objects have only the properties that are described. The description leaves them open, so that a later akin may add some;
    this one must name all that it has."""
    for entry in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        close(entry)
    if isinstance(value, dict) and isinstance(value.get("properties"), dict) and value.get("type") == "object":
        value.setdefault("additionalProperties", False)


def template_pattern(template: str) -> re.Pattern:
    """An id of a document and the name of a page may have slashes; no other part has."""
    parts = re.split(r"(\{[a-z]+\})", template)
    return re.compile("".join({"{": "[^/]+"}.get(part[:1], re.escape(part)) if part not in ("{id}", "{page}") else ".+" for part in parts))


class Contract:
    def __init__(self, description: dict):
        close(description)
        self.description = description
        resource = referencing.Resource.from_contents(description, referencing.jsonschema.DRAFT202012)
        self.registry = referencing.Registry().with_resource(PLACE, resource)
        concrete_first = sorted(description["paths"], key=lambda path: (path.count("{"), -len(path)))
        self.templates = [(template_pattern(path), path) for path in concrete_first]
        self.seen: dict[tuple[str, str], int] = {}  # (operationId, status)

    def resolved(self, value: dict) -> dict:
        while "$ref" in value:
            found = self.description
            for part in value["$ref"].removeprefix("#/").split("/"):
                found = found[part.replace("~1", "/").replace("~0", "~")]
            value = found
        return value

    def validate(self, value, schema: dict, what: str):
        def placed(entry):
            """References are within the description."""
            if isinstance(entry, dict):
                return {k: PLACE + v if k == "$ref" else placed(v) for k, v in entry.items()}
            return [placed(inner) for inner in entry] if isinstance(entry, list) else entry

        validator = jsonschema.Draft202012Validator(
            placed(schema), registry=self.registry, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
        )
        for failure in validator.iter_errors(value):
            deepest = jsonschema.exceptions.best_match([failure])
            raise Mismatch(f"{what}: at {deepest.json_path}: {deepest.message[:400]}")

    def template_of(self, path: str) -> str | None:
        return next((told for pattern, told in self.templates if pattern.fullmatch(path)), None)

    def check(self, exchange: dict):
        request, answer = exchange["request"], exchange["answer"]
        path = urllib.parse.urlsplit(request["target"]).path
        method = "get" if request["method"] == "HEAD" else request["method"].lower()
        template = self.template_of(path) or self.template_of(path.removesuffix("/"))
        if template is None:
            # A target that is not understood is refused before its path is looked for.
            return self.check_response(answer, self.problem(400 if answer["status"] == 400 else 404), request)
        item = self.description["paths"][template]
        if method not in item:
            return self.check_not_offered(answer, item, request)
        operation = item[method]
        response = operation["responses"].get(str(answer["status"]))
        if response is None:
            raise Mismatch(f"status {answer['status']} is not declared")
        self.check_response(answer, self.resolved(response), request)
        if answer["status"] < 300:
            self.check_request(request, item, operation, "ndjson" in dict(answer["headers"]).get("content-type", ""))
        seen = (operation["operationId"], str(answer["status"]))
        self.seen[seen] = self.seen.get(seen, 0) + 1

    def problem(self, status: int) -> dict:
        return self.description["components"]["responses"][f"Problem{status}"]

    def check_not_offered(self, answer: dict, item: dict, request: dict):
        if request["method"] == "OPTIONS" and answer["status"] == 204:
            return  # CORS
        offered = {name.upper() for name in item if name != "parameters"}
        if answer["status"] != 405:
            # A request that is not understood is refused before its method is looked at.
            return self.check_response(answer, self.problem(400 if answer["status"] == 400 else 405), request)
        allow = dict(answer["headers"]).get("allow", "")
        if {name.strip() for name in allow.split(",")} - {"HEAD"} != offered:
            raise Mismatch(f"Allow is {allow!r}, not {offered}")
        self.validate(json.loads(answer["body"]), {"$ref": "#/components/schemas/Problem"}, "body")

    def check_response(self, answer: dict, response: dict, request: dict):
        fields = dict(answer["headers"])
        declared = {name.lower(): self.resolved(told) for name, told in response.get("headers", {}).items()}
        for name, value in fields.items():
            if name not in declared and not COMMON_FIELDS.fullmatch(name):
                raise Mismatch(f"field {name} is not declared")
        for name, told in declared.items():
            if name not in fields:
                if told.get("required"):
                    raise Mismatch(f"field {name} is missing")
                continue
            self.validate_text(fields[name], told["schema"], f"field {name}")
        if request["method"] != "HEAD":
            self.check_body(answer, fields.get("content-type", "").partition(";")[0].strip(), response.get("content", {}))

    def check_body(self, answer: dict, media: str, content: dict):
        body = answer.get("body")
        if not content:
            if body:
                raise Mismatch("a body where none is declared")
            return
        if "*/*" in content:
            return
        if media not in content:
            raise Mismatch(f"content type {media!r} is not declared")
        if content[media]["schema"].get("format") == "binary":
            return
        if body is None:
            raise Mismatch("the body is missing or no UTF-8")
        told = content[media]
        if "ndjson" in media:
            self.validate([json.loads(line) for line in body.split("\n") if line], told["schema"], "body")
        elif "json" in media:
            self.validate(json.loads(body), told["schema"], "body")

    def check_request(self, request: dict, item: dict, operation: dict, answers_each: bool):
        """What the server took must be what the description lets clients send. `answers_each`: it may have refused parts of it."""
        parameters = [self.resolved(entry) for entry in item.get("parameters", []) + operation.get("parameters", [])]
        known = {entry["name"]: entry["schema"] for entry in parameters if entry["in"] == "query"}
        query = urllib.parse.urlsplit(request["target"]).query
        for name, value in urllib.parse.parse_qsl(query, keep_blank_values=True):
            if name not in known:
                raise Mismatch(f"query parameter {name} was taken, and is not declared")
            self.validate_text(value, known[name], f"query parameter {name}")
        body = request.get("body")
        media = dict(request["headers"]).get("content-type", "").partition(";")[0].strip().lower()
        if not body:
            return
        content = operation.get("requestBody", {}).get("content")
        if content is None:
            raise Mismatch("a body was taken, and none is declared")
        if media not in content and media not in FILTERED:
            raise Mismatch(f"a body of type {media!r} was taken, and is not declared")
        if media == "application/json" and not answers_each:
            self.validate(json.loads(body), content[media]["schema"], "body of the request")

    def validate_text(self, text: str, schema: dict, what: str):
        """The value of a parameter or a field is text; its schema says what it stands for."""
        resolved = {**self.resolved(schema), **{key: value for key, value in schema.items() if key != "$ref"}}
        kind = resolved.get("type")
        try:
            value = {
                "boolean": lambda: {"true": True, "false": False}[text],
                "integer": lambda: int(text),
                "number": lambda: float(text),
                "array": lambda: text.split(","),
            }.get(kind, lambda: text)()
        except (KeyError, ValueError):
            raise Mismatch(f"{what}: {text!r} is not of type {kind}") from None
        self.validate(value, schema, what)
