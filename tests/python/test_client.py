"""akin.Client and akin.AsyncClient against a server."""

import asyncio
import io
import json
import unittest

import akin
from akin.rest import models
from akin.rest.types import File
from package import SOURCE, PackageTest, story
from server_process import Server

METHODS = ("get", "put", "post", "patch", "delete")


class ClientTest(PackageTest):
    def setUp(self):
        super().setUp()
        self.server = Server(self)
        self.client = akin.Client(self.server.url)
        self.addCleanup(self.client.close)

    def test_both_clients_have_every_operation(self):
        description = json.loads((SOURCE / "build" / "dev" / "server" / "api" / "openapi.json").read_text(encoding="utf-8"))
        operations = [item[method] for item in description["paths"].values() for method in METHODS if method in item]
        for operation in operations:
            name = "".join("_" + letter.lower() if letter.isupper() else letter for letter in operation["operationId"])
            self.assertTrue(callable(getattr(akin.Client, name, None)), name)
            self.assertTrue(asyncio.iscoroutinefunction(getattr(akin.AsyncClient, name)), name)
        self.assertGreater(len(operations), 50)

    def test_documents_are_stored_found_and_deleted(self):
        self.client.put_collection("books", body=models.CollectionSettings())
        stored = self.client.put_document("books", "a/1", body=models.NewDocument(text=story(), title="Хамелеон"))
        self.assertEqual(stored.id, "a/1")
        self.assertEqual(self.client.get_document("books", "a/1").title, "Хамелеон")
        found = self.client.find_similar("books", body=models.TextQuery(text=story()[:3000]), limit=3)
        self.assertEqual([hit.id for hit in found.results], ["a/1"])
        self.assertTrue(self.client.delete_document("books", "a/1").deleted)

    def test_a_file_is_checked(self):
        self.client.put_collection("books", body=models.CollectionSettings())
        self.client.put_document("books", "a", body=models.NewDocument(text=story()))
        file = File(io.BytesIO(story().encode()), "essay.txt", "text/plain")
        check = self.client.check_text(body=models.CheckOfFile(file=file, collections=["books"]))
        self.assertEqual(check.sources_total, 1)

    def test_lines_and_texts_are_bytes_and_strings(self):
        self.client.put_collection("books", body=models.CollectionSettings())
        self.assertIn("akin_", str(self.client.get_metrics()))

    def test_a_problem_is_raised(self):
        with self.assertRaises(akin.ApiError) as raised:
            self.client.get_collection("nothing")
        self.assertEqual((raised.exception.status, str(raised.exception.problem.code)), (404, "not_found"))
        self.assertIn("nothing", str(raised.exception))

    def test_a_key_is_sent(self):
        key = self.client.create_key(body=models.NewKey(scopes=[models.Scope.ADMIN])).key
        with self.assertRaises(akin.ApiError) as raised:
            self.client.list_collections()
        self.assertEqual(raised.exception.status, 401)
        with akin.Client(self.server.url, key) as known:
            self.assertEqual(known.list_collections().total, 0)

    def test_calls_of_asyncio_run_together(self):
        async def fill() -> list[str]:
            async with akin.AsyncClient(self.server.url) as client:
                await client.put_collection("books", body=models.CollectionSettings())
                documents = [models.NewDocument(text=f"Text {number}.") for number in range(20)]
                await asyncio.gather(*(client.put_document("books", str(at), body=one) for at, one in enumerate(documents)))
                with self.assertRaises(akin.ApiError):
                    await client.get_document("books", "nobody")
                return [document.id for document in (await client.list_documents("books", limit=50)).documents]

        self.assertEqual(sorted(asyncio.run(fill()), key=int), list(map(str, range(20))))


if __name__ == "__main__":
    unittest.main()
