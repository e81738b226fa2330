"""The reference page has everything that the description of the interface has.

    python3 tests/server/api/reference_page.py reference.md openapi.json
"""
import json
import pathlib
import re
import sys
import unittest

METHODS = ("get", "put", "post", "patch", "delete")


class ReferencePage(unittest.TestCase):
    page = description = None

    @classmethod
    def setUpClass(cls):
        cls.sections = {}  # by their headings
        for part in re.split(r"^##+ ", cls.page, flags=re.MULTILINE):
            heading, _, text = part.partition("\n")
            assert heading not in cls.sections, heading
            cls.sections[heading] = text

    def resolved(self, value: dict) -> dict:
        if "$ref" not in value:
            return value
        found = self.description
        for part in value["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return {**self.resolved(found), **value}

    def operations(self):
        for path, item in self.description["paths"].items():
            for method in METHODS:
                if method in item:
                    yield path, method, item[method], item.get("parameters", []) + item[method].get("parameters", [])

    def test_has_a_section_for_each_operation(self):
        self.assertGreater(len(list(self.operations())), 50)
        for path, method, operation, _ in self.operations():
            self.assertIn(f"`{method.upper()} {path}`\n", self.sections[operation["summary"]])

    def test_has_each_parameter_with_its_default(self):
        for _, _, operation, parameters in self.operations():
            for parameter in map(self.resolved, parameters):
                rows = [row for row in self.sections[operation["summary"]].splitlines() if row.startswith(f"| `{parameter['name']}` |")]
                self.assertEqual(len(rows), 1, (operation["summary"], parameter["name"]))
                default = self.resolved(parameter["schema"]).get("default")
                if default and not isinstance(default, bool):
                    self.assertIn(f"`{default}`", rows[0])

    def test_has_each_status_of_an_operation_or_of_all(self):
        shared = self.sections["Answers that any operation may give"]
        for _, _, operation, _ in self.operations():
            for status in operation["responses"]:
                self.assertRegex(self.sections[operation["summary"]] + shared, rf"(?m)^\| {status} \|")

    def test_has_each_scope(self):
        for _, _, operation, _ in self.operations():
            for scope in (scope for entry in operation["security"] for scope in entry.get("bearer", [])):
                self.assertIn(f"Scope: `{scope}`.", self.sections[operation["summary"]])

    def test_has_each_field_of_each_object(self):
        plain = {"Containment", "Count", "Share", "Uint32", "Moment"}  # their types are shown in their places
        for name, schema in self.description["components"]["schemas"].items():
            for entry in [schema, *schema.get("oneOf", [])]:
                for field in entry.get("properties", {}) if name not in plain else ():
                    self.assertIn(f"\n| `{field}` |", self.sections[name], name)

    def test_has_each_error_code(self):
        codes = self.description["components"]["schemas"]["Problem"]["properties"]["code"]
        codes = self.resolved(codes)["enum"]
        self.assertGreater(len(codes), 20)
        for code in codes:
            self.assertIn(f"`{code}`", self.page)

    def test_links_lead_to_its_headings(self):
        headings = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in self.sections}
        for target in re.findall(r"\]\(#([^)]*)\)", self.page):
            self.assertIn(target, headings)


if __name__ == "__main__":
    ReferencePage.page = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    ReferencePage.description = json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    unittest.main(argv=sys.argv[:1])
