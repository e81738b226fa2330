"""Keeps phrases that are not English out of README.md, docs/, the interface's description, and the comments and strings
(help, error messages) of the product's sources.

    python3 tests/checks/english.py ROOT

Every rule has a sample, which it must find. Code in pages may say anything; a page names a phrase by quoting it as code.
"""
import pathlib
import re
import sys

PRODUCT = ("base", "dict", "morph", "index", "server")

# What is not written, what is written instead, and a sample.
RULES = [
    (r"(tell|tells|told|telling)", "reports, prints, lists, says, distinguishes", "what failed is told on stderr"),
    (r"whoever", "anyone who, a process that", "locked by whoever writes"),
    (r"(those|he) who", "users that, processes that", "for those who read it"),
    (r"anew", "again, from scratch", "open it anew"),
    (r"(?<!there\s)(is|are|was|were) no(?! (such|longer|less|more|worse|further|\w+er (than|within)))", "is not a",
     "a name that is no collection's"),
    (r"(that|which) (is|are) none", "malformed, not a", "a filter that is none"),
    (r"leaves? to (write|read|switch|drop|build)", "permission to", "leave to write"),
    (r"(has|have|had) not (a|an|the|as|its|any)", "does not have", "a file that has not its name yet"),
    (r"(knows?|knew) not", "does not know", "a phase that akin knows not"),
    (r"what is behind", "the rest, what follows", "what is behind is dropped"),
    (r"(one|each) behind (the other|another)", "one after another", "fields one behind another"),
    (r"stands(?! for)", "is, is stored, appears", "the list stands in the block"),
    (r"stands for it", "represents it", "the number that stands for it"),
    (r"goes on", "continues", "the load goes on"),
    (r"at hand", "current", "the list at hand"),
    (r"at the door", "at the gate byte", "writers wait at the door"),
    (r"by this name", "with this name", "there is none by this name"),
    (r"(is|are) had", "is obtained", "the lock is had at once"),
    (r"not to be (had|reached)", "cannot be obtained, is unreachable", "a shard that is not to be reached"),
    (r"lest", "so that … not", "it waits, lest it fail"),
    (r"so it is with", "the same applies to", "so it is with groups"),
    (r"this is so (where|when|if)", "this applies when", "This is so where texts are kept"),
    (r"compared are", "the comparison uses", "Compared are the numbers"),
    (r"(is|are) heeded", "is respected, applies", "the variable is heeded"),
]

FOUND = [(re.compile(r"\b" + pattern.replace(" ", r"\s+") + r"\b", re.IGNORECASE), instead, sample)
         for pattern, instead, sample in RULES]

TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"|'
    r"(?<![0-9A-Fa-f])'(?:[^'\\\n]|\\.)+'", re.DOTALL)
COMMENT_MARK = re.compile(r"^\s*///?<?|^\s*/?\*+/?", re.MULTILINE)


def of_source(text: str):
    """(start, words) of each run of comments and of each string; strings one after another are one."""
    start, end, kind, words = 0, 0, "", ""
    for token in TOKEN.finditer(text):
        this = token[0]
        if this[0] == "'":
            continue
        this_kind = "comment" if this[0] == "/" else "string"
        if this_kind == "comment":
            this = COMMENT_MARK.sub("", this)
        else:
            this = this[this.index('"') + 1:-1].replace("\\n", " ")
        if kind == this_kind and not text[end:token.start()].strip():
            gap = text.count("\n", end, token.start())
            words += ("\n" * gap if kind == "comment" else "") + this
        else:
            yield start, words
            start, words, kind = token.start(), this, this_kind
        end = token.end()
    yield start, words


def of_page(text: str):
    """The page without its code."""
    blank = lambda code: re.sub(r"[^\n]", " ", code[0])
    text = re.sub(r"^ *```.*?^ *```", blank, text, flags=re.DOTALL | re.MULTILINE)
    yield 0, re.sub(r"`[^`\n]*`", blank, text)


def complaints(name: str, text: str, pieces):
    for start, words in pieces:
        for pattern, instead, _ in FOUND:
            for found in pattern.finditer(words):
                line = text.count("\n", 0, start) + words.count("\n", 0, found.start()) + 1
                yield f"{name}:{line}: '{' '.join(found[0].split())}': write {instead}"


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    wrong = [f"the rule for '{sample}' does not find it" for pattern, _, sample in FOUND if not pattern.search(sample)]
    pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    descriptions = sorted((root / "server").rglob("*.yaml"))
    sources = sorted(source for top in PRODUCT for ending in ("h", "cpp") for source in (root / top).rglob(f"*.{ending}"))
    for file in (*pages, *descriptions, *sources):
        text = file.read_text(encoding="utf-8")
        pieces = of_source(text) if file.suffix in (".h", ".cpp") else of_page(text)
        wrong += complaints(file.relative_to(root).as_posix(), text, pieces)
    print("\n".join(wrong) or f"english: {len(RULES)} rules hold in {len(pages) + len(descriptions) + len(sources)} files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
