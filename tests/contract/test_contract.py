"""The validator sees what it is there to see."""
import copy
import json
import unittest

from contract import Contract, Mismatch

DESCRIPTION = {
    "openapi": "3.1.0",
    "paths": {
        "/things/{id}": {
            "get": {
                "operationId": "getThing",
                "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 9}}],
                "responses": {
                    "200": {
                        "description": "",
                        "headers": {
                            "X-Total-Count": {"required": True, "schema": {"type": "integer"}},
                            "X-Age": {"schema": {"type": "number", "minimum": 0}},
                        },
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}},
                    }
                },
            }
        }
    },
    "components": {
        "responses": {},
        "schemas": {
            "Thing": {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
        },
    },
}
RIGHT = {
    "request": {"method": "GET", "target": "/things/x/y?limit=9", "headers": [], "body": None},
    "answer": {"status": 200, "headers": [["content-type", "application/json"], ["x-total-count", "1"], ["x-age", "0.5"]], "body": '{"a": 1}'},
}


class ContractTest(unittest.TestCase):
    def test_takes_what_is_declared(self):
        Contract(DESCRIPTION).check(RIGHT)

    def test_refuses_what_is_not(self):
        wrongs = {
            "status": {"answer": {"status": 201}},
            "missing field": {"answer": {"body": "{}"}},
            "unknown field": {"answer": {"body": json.dumps({"a": 1, "b": 2})}},
            "content type": {"answer": {"headers": [["content-type", "text/plain"], ["x-total-count", "1"]]}},
            "missing header": {"answer": {"headers": [["content-type", "application/json"]]}},
            "unknown header": {"answer": {"headers": [*RIGHT["answer"]["headers"], ["x-other", "1"]]}},
            "header that is not a number": {"answer": {"headers": [*RIGHT["answer"]["headers"][:2], ["x-age", "new"]]}},
            "header out of range": {"answer": {"headers": [*RIGHT["answer"]["headers"][:2], ["x-age", "-1"]]}},
            "unknown parameter": {"request": {"target": "/things/x?other=1"}},
            "parameter out of range": {"request": {"target": "/things/x?limit=10"}},
        }
        for name, change in wrongs.items():
            exchange = copy.deepcopy(RIGHT)
            for part, fields in change.items():
                exchange[part].update(fields)
            with self.subTest(name), self.assertRaises(Mismatch):
                Contract(DESCRIPTION).check(exchange)


if __name__ == "__main__":
    unittest.main()
