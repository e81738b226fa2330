"""Generates a Python client of the description by openapi-python-client, and uses it: its calls are answered, and its
classes read the answers.

    AKIN=build/dev/cli/akin python3 generated_client.py GENERATOR OPENAPI_JSON

No operation may be missing but those with lines of JSON, which generators do not know.
"""
import importlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile

from explore import TEXT, Server

METHODS = ("get", "put", "post", "patch", "delete")


def generate(generator: str, description: str, folder: pathlib.Path) -> list[str]:
    """The modules of the client, one for each operation."""
    command = [generator, "generate", "--path", description, "--output-path", str(folder / "akin_client"), "--meta", "none"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise SystemExit(finished.stdout + finished.stderr)
    return [file.stem for file in (folder / "akin_client" / "api").glob("*/*.py") if file.stem != "__init__"]


def operations(description: str) -> set[str]:
    paths = json.loads(pathlib.Path(description).read_text(encoding="utf-8"))["paths"]
    return {item[method]["operationId"] for item in paths.values() for method in METHODS if method in item}


def expect(condition: bool, what):
    if not condition:
        raise SystemExit(f"generated client: {what}")


class Calls:
    """Calls operations by their names, and expects the status."""

    def __init__(self, client):
        self.client = client

    def __call__(self, status: int, name: str, *arguments, **fields):
        answer = importlib.import_module(f"akin_client.api.{name}").sync_detailed(*arguments, client=self.client, **fields)
        expect(answer.status_code == status, f"{name}: {answer.status_code} {answer.content!r}")
        expect(answer.parsed is not None, f"{name}: the answer was not read")
        return answer.parsed


def use(server: Server):
    models = importlib.import_module("akin_client.models")
    client = importlib.import_module("akin_client").Client(base_url=server.url)
    call = Calls(client)
    call(201, "collections.put_collection", "letters", body=models.CollectionSettings())
    stored = call(201, "documents.put_document", "letters", "a", body=models.NewDocument(text=TEXT, title="Fox"))
    expect(stored.id == "a", stored)
    expect(call(200, "documents.get_document", "letters", "a").title == "Fox", "title")
    patched = call(200, "documents.patch_document", "letters", "a", body=models.DocumentPatch(title="Grapes"))
    expect(patched.title == "Grapes", patched)
    added = call(201, "documents.add_document", "letters", body=models.NewDocument(text=TEXT))
    call(200, "documents.delete_document", "letters", added.id)
    expect(call(200, "documents.list_documents", "letters").total == 1, "documents")
    found = call(200, "search.find_similar", "letters", body=models.TextQuery(text=TEXT))
    expect(found.total == 1 and found.results[0].id == "a", found)
    expect(found.results[0].passages[0].a[0] == 0, found.results[0].passages)
    compared = call(200, "search.compare_texts", body=models.TwoTexts(a=TEXT, b=TEXT))
    expect(compared.resemblance == 1, compared)
    file = importlib.import_module("akin_client.types").File(io.BytesIO(TEXT.encode()), "essay.txt", "text/plain")
    form = call(201, "checks.check_text", body=models.CheckOfFile(file=file, collections=["letters"], title="Essay"))
    expect((form.title, form.sources_total) == ("Essay", 1), form)
    check = call(201, "checks.check_text", body=models.NewCheck(collections=["letters"], text=TEXT))
    expect(str(check.verdict) == "refuse", check.verdict)
    expect(call(200, "checks.list_checks").total == 2, "checks")
    task = call(202, "tasks.find_pairs", "letters", body=models.PairsConditions(bound=1))
    expect(call(200, "tasks.get_task", task.id).id == task.id, "task")
    call(404, "collections.get_collection", "nothing")
    key = call(201, "keys.create_key", body=models.NewKey(scopes=[models.Scope.ADMIN]))
    known = importlib.import_module("akin_client").AuthenticatedClient(base_url=server.url, token=key.key)
    call(401, "collections.list_collections")
    expect(Calls(known)(200, "collections.list_collections").total == 2, "collections")
    expect(Calls(known)(200, "documents.delete_document", "letters", "a").deleted is True, "deleted")


def main(generator: str, description: str) -> int:
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        modules = generate(generator, description, folder)
        missing = len(operations(description)) - len(modules)
        expect(missing == 0, f"{missing} operations were not generated")
        sys.path.insert(0, place)
        server = Server(folder / "server", False)
        try:
            use(server)
        finally:
            server.close()
    print(f"{len(modules)} operations were generated; calls and answers of 17 fit")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
