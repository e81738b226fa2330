"""Generates clients of the description by OpenAPI Generator, for Python and for typescript-fetch, and uses them: their calls are
answered, and their classes read the answers.

    AKIN=build/dev/cli/akin python3 openapi_generator.py JAR OPENAPI_JSON [TSC]

TSC compiles the client in TypeScript, without it only the one in Python is used.
"""
import contextlib
import pathlib
import shutil
import subprocess
import sys
import tempfile

from explore import TEXT, Server

SOURCES = pathlib.Path(__file__).resolve().parent / "openapi_generator"
# By default it leaves out the classes of forms, and refers to them all the same; and it renames properties, but looks for their new
# names in answers whose schema has variants.
TYPESCRIPT = ("typescript-fetch", "--global-property", "skipFormModel=false", "--additional-properties", "modelPropertyNaming=original")



def run(*command, folder: pathlib.Path | None = None) -> str:
    finished = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        raise SystemExit((finished.stdout + finished.stderr)[-4000:])
    return finished.stdout


def generate(jar: str, description: str, folder: pathlib.Path, generator: str, *more: str):
    run("java", "-jar", jar, "generate", "-i", description, "-g", generator, "-o", folder, *more)


@contextlib.contextmanager
def served(folder: pathlib.Path):
    server = Server(folder, False)
    try:
        yield server.url
    finally:
        server.close()


def use_python(url: str) -> int:
    import akin_generated as akin  # what generate() has made

    client = akin.ApiClient(akin.Configuration(host=url))
    collections, documents, search = akin.CollectionsApi(client), akin.DocumentsApi(client), akin.SearchApi(client)
    checks, tasks, watches = akin.ChecksApi(client), akin.TasksApi(client), akin.WatchesApi(client)
    calls = 0

    def expect(answer, holds):
        nonlocal calls
        if not holds:
            raise SystemExit(f"client in Python: {answer}")
        calls += 1
        return answer

    def answered(call, *arguments, holds=lambda answer: True, **fields):
        answer = call(*arguments, **fields)
        return expect(answer, holds(answer))

    answered(collections.put_collection, "letters", holds=lambda made: made.name == "letters")
    answered(collections.list_collections, holds=lambda listed: listed.collections[0].actual_instance.name == "books")
    document = akin.NewDocument(text=TEXT, title="Fox", metadata={"author": "N. N."})
    answered(documents.put_document, "letters", "a", document, holds=lambda stored: stored.id == "a")
    answered(documents.get_document, "letters", "a", holds=lambda one: (one.title, one.text) == ("Fox", TEXT))
    answered(documents.patch_document, "letters", "a", akin.DocumentPatch(title="Grapes"), holds=lambda one: one.title == "Grapes")
    added = answered(documents.add_document, "letters", akin.NewDocument(text=TEXT))
    answered(documents.delete_document, "letters", added.id, holds=lambda gone: gone.deleted)
    answered(documents.list_documents, "letters", holds=lambda listed: len(listed.documents) == 1)
    query = akin.Query(akin.TextQuery(text=TEXT))
    answered(search.find_similar, "letters", query, holds=lambda found: found.results[0].passages[0].a[0] == 0)
    across = akin.QueryAcross(akin.TextQueryAcross(text=TEXT, collections=["letters"]))
    answered(search.find_similar_across, across, holds=lambda found: len(found.results) == 1)
    answered(search.compare_texts, akin.TwoTexts(a=TEXT, b=TEXT), holds=lambda compared: compared.resemblance == 1)
    check = answered(checks.check_text, akin.NewCheck(collections=["letters"], text=TEXT), holds=lambda made: made.verdict == "refuse")
    answered(checks.get_check, check.id, holds=lambda read: read.reasons[0].actual_instance.kind == "share")
    named = akin.NewCheck(collections=["letters"], text=TEXT, policy=akin.PolicyChoice("default"))
    answered(checks.check_text, named, holds=lambda made: made.verdict == "refuse")
    answered(checks.list_checks, holds=lambda listed: len(listed.checks) == 2)
    answered(checks.list_policies, holds=lambda listed: listed.policies[0].name == "default")
    conditions = akin.PairsConditions(bound=1)
    task = answered(tasks.find_pairs, "letters", pairs_conditions=conditions, holds=lambda begun: begun.parameters.bound == 1)
    answered(tasks.get_task, task.id, holds=lambda read: read.type == "pairs")
    answered(tasks.list_tasks, holds=lambda listed: listed.tasks[0].id == task.id)
    answered(watches.put_watch, "letters", "fox", akin.NewWatch(text=TEXT), holds=lambda made: made.webhook is None)
    answered(watches.list_watches, "letters", holds=lambda listed: listed.watches[0].name == "fox")
    return calls


def main(jar: str, description: str, tsc: str = "") -> int:
    jar, description = str(pathlib.Path(jar).resolve()), str(pathlib.Path(description).resolve())
    with tempfile.TemporaryDirectory(prefix="akin-generated-") as place:
        folder = pathlib.Path(place)
        generate(jar, description, folder / "python", "python", "--package-name", "akin_generated")
        sys.path.insert(0, str(folder / "python"))
        with served(folder / "server") as url:
            print(f"{use_python(url)} calls and their answers fit the client for Python")
        if tsc:
            generate(jar, description, folder / "typescript" / "generated", *TYPESCRIPT)
            for name in ("smoke.ts", "tsconfig.json"):
                shutil.copyfile(SOURCES / name, folder / "typescript" / name)
            run(pathlib.Path(tsc).resolve(), "--project", "tsconfig.json", folder=folder / "typescript")
            with served(folder / "server-of-typescript") as url:
                print(run("node", "out/smoke.js", url, TEXT, folder=folder / "typescript"), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
