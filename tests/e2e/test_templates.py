"""Templates that akin proposes, and that count only once somebody accepts them."""
import json
import re
import unittest
import urllib.parse

from program import LIBRARY, story
from test_desk import FORM, Visitor

DECLARATION = (
    "Настоящим подтверждаю, что представленная работа выполнена мною самостоятельно, что все заимствования из печатных и электронных "
    "источников снабжены надлежащими ссылками, что текст ранее никуда не сдавался и что содержание записанного на приложенный диск "
    "файла полностью совпадает с переплетённым экземпляром, который хранится на кафедре."
)
IMPRINT = (
    "Отпечатано в университетской типографии на офсетной бумаге гарнитурой академическая, тираж сто двадцать экземпляров, заказ "
    "принят весной, а подписан к печати осенью того же года по распоряжению учёного совета."
)
THESES, WITH_IMPRINT = 30, 12


class TemplatesTest(Visitor):
    def setUp(self):
        super().setUp()
        self.made("PUT", "/v1/collections/theses", {})
        text = " ".join(" ".join(story(path.name).split()) for path in sorted(LIBRARY.glob("chekhov-*.txt")))
        size = len(text) // THESES
        self.theses = []
        for number in range(THESES):
            own = text[number * size:(number + 1) * size]
            half = own.index(". ", size // 2) + 2
            thesis = f"{own[:half]}\n\n{DECLARATION}\n\n{own[half:]}" + (f"\n\n{IMPRINT}" if number % 2 == 0 and number < 2 * WITH_IMPRINT else "")
            self.theses.append(thesis)
            self.made("PUT", f"/v1/collections/theses/documents/thesis-{number:02}", {"text": thesis})

    def made(self, method: str, path: str, body=None) -> dict:
        status, _, answer = self.ask(method, path, b"" if body is None else json.dumps(body).encode(), "application/json" if body is not None else "")
        self.assertLess(status, 300, answer)
        return json.loads(answer)

    def proposed(self, **asked) -> list[dict]:
        return self.made("GET", "/v1/collections/theses/templates?" + urllib.parse.urlencode(asked))["templates"]

    def is_mostly(self, proposal: dict, passage: str):
        """The passage, without the words at its ends that are in no feature of its own."""
        text = " ".join(proposal["text"].split())
        self.assertIn(text, passage)
        self.assertGreater(len(text), 0.8 * len(passage))

    def test_what_more_documents_have_is_proposed_with_their_number(self):
        (declaration,) = self.proposed(more_than=20)
        self.is_mostly(declaration, DECLARATION)
        self.assertEqual(declaration["documents"], sum(DECLARATION in thesis for thesis in self.theses))
        text = self.made("GET", f"/v1/collections/theses/documents/{declaration['id']}")["text"]
        begin, end = declaration["range"]
        self.assertEqual(text[begin:end], declaration["text"])
        first, second = self.proposed(more_than=WITH_IMPRINT - 1)
        self.assertEqual((first["text"], second["documents"]), (declaration["text"], WITH_IMPRINT))
        self.is_mostly(second, IMPRINT)
        self.assertEqual(len(self.proposed(more_than=WITH_IMPRINT)), 1)  # more than, not as many
        self.assertEqual(self.proposed(more_than=THESES), [])
        self.assertEqual(len(self.proposed(more_than=WITH_IMPRINT - 1, limit=1)), 1)
        self.assertEqual(self.ask("GET", "/v1/collections/theses/templates?more_than=0")[0], 400)

    def test_a_text_that_must_not_be_shown_is_not_proposed(self):
        self.made("PUT", "/v1/collections/theses", {"restricted": True})
        self.assertEqual(self.proposed(more_than=20), [])

    def share(self) -> float:
        words = "Здесь моя собственная работа, которую я написал сам за одну зиму, не заглядывая ни в какие книги. "
        return self.made("POST", "/v1/checks", {"collections": ["theses"], "policy": "forms", "text": words + DECLARATION})["share"]

    def test_an_accepted_proposal_is_left_out_and_not_proposed_again(self):
        self.made("PUT", "/v1/policies/forms", {})
        self.proposed(more_than=20, policy="forms")
        self.assertGreater(self.share(), 0.5)  # a proposal changes nothing
        flags = ("--collection", "theses", "--more-than", WITH_IMPRINT - 1, "--policy", "forms")
        listed = self.akin("templates", *flags, code=0).out
        self.assertRegex(listed, rf"1\. \d+ words in {THESES} documents, first thesis-00 [\s\S]*2\. \d+ words in {WITH_IMPRINT} documents")
        self.assertIn("'3' is not the number of a proposal", self.akin("templates", *flags, "--accept", "3", code=2).err)
        self.assertIn("policy 'forms' has 1 template", self.akin("templates", *flags, "--accept", "1", code=0).out)
        self.assertLess(self.share(), 0.05)
        (left,) = self.proposed(more_than=WITH_IMPRINT - 1, policy="forms")
        self.is_mostly(left, IMPRINT)
        self.assertIn("name the policy", self.akin("templates", "--collection", "theses", "--accept", "1", code=2).err)
        log = [json.loads(line) for line in self.akin("audit", "export", code=0).out.splitlines()]
        self.assertEqual([entry["action"] for entry in log if entry["about"] == "forms"], ["policy.created", "policy.changed"])

    def test_an_administrator_accepts_and_removes_templates_at_the_desk(self):
        self.made("PUT", "/v1/policies/forms", {})
        page = self.page("/desk/rules/forms?collection=theses&more_than=20")
        (proposal,) = self.proposed(more_than=20)
        self.assertIn(f"documents {THESES}: {proposal['text'][:100]}", page)
        self.assertGreater(self.share(), 0.5)

        def apply(**chosen):
            body = urllib.parse.urlencode({"do": "templates", **chosen}).encode()
            status, fields, answer = self.ask("POST", "/desk/rules/forms", body, FORM, Origin=f"http://127.0.0.1:{self.server.port}")
            self.assertEqual((status, fields.get("location")), (303, "/desk/rules/forms#templates"), answer)

        def boxes() -> list[str]:
            return re.findall(r'name="kept" value="(\w+)" checked', self.page("/desk/rules/forms"))

        apply(template=proposal["text"])
        self.assertLess(self.share(), 0.05)
        self.assertIn("No passage is in so many documents.", self.page("/desk/rules/forms?collection=theses&more_than=20"))
        (kept,) = boxes()
        apply(listed=kept, kept=kept)
        self.assertEqual(len(self.made("GET", "/v1/policies/forms")["exclude"]["templates"]), 1)
        apply(template=IMPRINT)  # of somebody who has not seen the first
        self.assertEqual(len(boxes()), 2)
        apply(listed=kept)  # of somebody who has not seen the second
        (left,) = self.made("GET", "/v1/policies/forms")["exclude"]["templates"]
        self.assertEqual(left["text"], IMPRINT)
        self.assertGreater(self.share(), 0.5)


if __name__ == "__main__":
    unittest.main()
