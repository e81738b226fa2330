"""The blocks of the documentation's pages, and why some of their commands are run by no test.

A block of commands is `console`, with the output that tests compare (console_pages.py), or `sh`: with an `http` block below it
it is a request, which tests/server/api_docs.py compares; without one it must be listed here. The other languages hold no
commands.
"""
import dataclasses
import re

LANGUAGES = {
    "console": "commands", "sh": "commands", "http": "answer",
    "text": "text", "json": "text", "toml": "text", "yaml": "text", "ini": "text", "python": "text",
    "nginx": "text", "caddyfile": "text", "apache": "text",  # tests/e2e/test_proxy.py runs them
}  # fmt: skip
HTTP_PAGES = ("api.md", "errors.md", "checks.md", "gate.md", "watches.md")  # in the order in which they are run, over one server

AS_ROOT = "needs root and systemd: tests/package/run does it in a clean Debian"
CORPORA = "needs the corpora, and "
HELD = "needs the corpora: tests/experiments/held_pages.py compares it where they are"
STANDBY = "needs standby servers: tests/e2e/test_failover.py and test_standby.py have some"
# Page, and the first line of the block: why no test runs it.
NOT_RUN: dict[str, dict[str, str]] = {
    "api.md": {
        'curl -H "Authorization: Bearer $AKIN_KEY" http://127.0.0.1:7878/v1/collections':
            "with a key the page's other examples would need one, too: tests/e2e/test_client.py uses keys",
        "curl http://127.0.0.1:7878/v1/collections/books/upload \\":
            "its files are the reader's own: tests/e2e/test_upload.py sends such forms by curl",
        "openapi-generator-cli generate -i http://127.0.0.1:7878/openapi.json -g typescript-fetch -o akin-client \\":
            "comes from Maven: tests/contract/openapi_generator.py generates with these options",
    },
    "checks.md": {
        "curl http://127.0.0.1:7878/v1/checks -F file=@thesis.pdf -F collections=theses -F owner=ivanova":
            "its files are the reader's own: tests/e2e/test_newcomer.py sends both forms by curl",
        "akin templates --collection theses --policy theses":
            "needs a collection with a form in it: tests/e2e/test_templates.py runs both commands",
        'curl -s "http://127.0.0.1:7878/v1/checks/$CHECK/certificate" -o certificate.json':
            "its signature is another each time: tests/e2e/test_check.py runs both commands",
    },
    "CONTRIBUTING.md": {
        "tools/install-packages test": "installs and builds for many minutes: it is how the tests themselves are built",
        "build/dev/tests/morph/morph_test --gtest_filter='SentenceEnd.*'": "runs tests: ctest runs all of them",
    },
    "development.md": {
        "tools/install-packages test": "installs and builds for many minutes: it is how the tests themselves are built",
        "cmake --preset release && cmake --build --preset release && (cd build/release && cpack -G DEB)": "tests/package/run does it",
        "cmake --preset edit && cmake --build --preset edit --target server_threads_test": "builds akin once more",
        "AKIN_KILLS=50 build/dev/tests/index/index_test --gtest_filter='*KilledMerge*'": "takes minutes: ctest runs it with 5 kills",
        "AKIN=build/dev/cli/akin python3 tests/e2e/configuration_page.py":
            "rewrites a page: tests/e2e/test_config.py compares it with what would be written",
        "AKIN=build/dev/cli/akin python3 tests/e2e/console_pages.py docs/cli.md":
            "rewrites pages: tests/e2e/test_pages.py and tests/server/api_docs.py compare them with what would be written",
    },
    "dictionaries.md": {
        "apt-get install hunspell-fr           # as root": "installs a package: tests look up words of other languages",
    },
    "evaluation.md": {
        "python3 tests/experiments/evaluation.py build/release/cli/akin":
            CORPORA + "measures for minutes: tests/e2e/test_evaluate.py runs each of its commands on small sets",
    },
    "experiments.md": {
        f"$ build/dev/tests/experiments/paper_2009 {name}": HELD
        for name in ("table", "editions", "fragments")
    },
    "failover.md": {
        "akin serve --store 'postgres://akin@db1,db2/library?target_session_attrs=read-write&connect_timeout=3'": STANDBY,
        "akin serve --store 'postgres://akin@db1,db2/library?target_session_attrs=prefer-standby&connect_timeout=3'": STANDBY,
    },
    "methods.md": {
        "$ build/dev/tests/experiments/measure_collisions": HELD,
    },
    "python.md": {
        "pip install './python[parquet,warc]' pandas datasets": "installs packages: ./test python installs the package as it is",
        "akin-python lines crawl.warc.gz shard.parquet | akin dedup - --out kept.jsonl.zst":
            "needs the package's own packages: tests/python/test_files.py prints such files",
        "export AKIN_LIBRARY=/usr/lib/akin/libakin_features.so": "needs the Debian package, which tests/package/run installs",
        "spark-submit python/examples/spark_pairs.py corpus.parquet result 0.5":
            "needs Spark and Ray: ./test clusters runs both examples",
    },
    "scale.md": {
        "export AKIN_STORE=opensearch+http://127.0.0.1:9200/library": "needs a cluster: tests/e2e/test_cluster.py runs its commands",
    },
    "sentences.md": {"$ build/dev/tests/experiments/measure_boundaries": HELD},
    "service.md": {
        "apt install ./akin_0.1.0_amd64.deb": AS_ROOT,
        "akin config check /etc/akin/akin.toml && systemctl restart akin": AS_ROOT,
        "runuser -u akin -- akin stats --config /etc/akin/akin.toml": AS_ROOT,
        "runuser -u akin -- akin verify --collection books --config /etc/akin/akin.toml": AS_ROOT,
        "systemctl stop akin": AS_ROOT,
        "systemctl enable --now akin-backup.timer akin-restore-drill.timer": AS_ROOT,
        "podman build --format docker -t akin .": "needs podman: tests/package/container builds and runs it where podman works",
    },
    "store.md": {
        "export DB='postgres://akin@db.example.org/library'            # a database of its own":
            "placeholders: the tests put the addresses of servers of their own into these variables",
        'akin store roles | psql "$SUPERUSER"                    # the roles of readers and writers':
            "needs servers with passwords: tests/e2e/test_setup.py runs it on some",
    },
    "supplements.md": {
        "build/dev/tests/experiments/measure_lemmas --worst 12 build/corpora/corpora/ud/ru_gsd-ud-dev.conllu": CORPORA + "their treebanks",
    },
}


@dataclasses.dataclass(frozen=True)
class Block:
    """A block between fences; `answered`: an `http` block follows it."""

    language: str
    content: str
    text: str
    line: int
    answered: bool


def blocks_of(page: str) -> list[Block]:
    found = list(re.finditer(r"^```(\w*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    return [
        Block(block[1], block[2], block[0], page.count("\n", 0, block.start()) + 1, page.startswith("\n\n```http\n", block.end()))
        for block in found
    ]


def key_of(block: Block) -> str:
    """Its first line."""
    return block.content.partition("\n")[0]


def not_run(page: str, block: Block) -> bool:
    return key_of(block) in NOT_RUN.get(page, {})
