"""What Schemathesis must know about akin: lines of JSON, and which things exist; at names made up everything is 404."""
import json
import re
import zlib

import schemathesis

from contract import close

LINES = "application/x-ndjson"
KNOWN = {"collection": "books", "id": "note-1", "policy": "default"}
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


@schemathesis.serializer(LINES)
def write_lines(context, value):
    lines = value if isinstance(value, list) else [value]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@schemathesis.deserializer(LINES)
def read_lines(context, response):
    return [json.loads(line) for line in response.content.decode().split("\n") if line]


@schemathesis.hook
def before_load_schema(context, raw_schema):
    close(raw_schema)


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    if not path_parameters:
        return path_parameters
    removes = context.operation.method.upper() == "DELETE"
    for name, known in KNOWN.items():
        value = path_parameters.get(name)
        # Only valid requests are replaced, and existing things are not removed.
        if isinstance(value, str) and NAME.fullmatch(value) and not (removes and name == list(path_parameters)[-1]):
            if zlib.crc32(value.encode()) % 4:
                path_parameters[name] = known
    return path_parameters
