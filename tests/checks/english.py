"""Keeps phrases that are not English out of README.md and the pages beside it, docs/, the interface's description, and the comments and strings
(help, error messages) of the product's sources.

    python3 tests/checks/english.py ROOT

Every rule has a sample, which it must find. Code in pages may say anything; a page names a phrase by quoting it as code.
"""
import pathlib
import re
import sys

PRODUCT = ("base", "dict", "extract", "report", "morph", "index", "server", "lab", "cli")

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

# The same in pages only: what sends a reader back, and what tells the history of a figure.
PAGE_RULES = [
    (r"as above", "what is above", "before a number: as above"),
    (r"the same of", "what it is of", "the same of a collection in a database"),
    (r"of such an?", "of a … that …", "the hash of such a word"),
    (r"by the clock", "wall time, seconds", "0.6 s by the clock"),
    (r"an earlier build", "nothing: a page says what holds now", "An earlier build took 30 s"),
    (r"(takes?|took) as long as before", "takes as long", "these take as long as before"),
    (r"went from [\d.]+ to [\d.]+", "takes (the present figure)", "a search went from 34 to 4 ms"),
]
LONGEST_SENTENCE = 50  # words between full stops, colons and semicolons, apart from code: a reader loses the beginning

FOUND = [(re.compile(r"\b" + pattern.replace(" ", r"\s+") + r"\b", re.IGNORECASE), instead, sample)
         for pattern, instead, sample in RULES]
FOUND_IN_PAGES = [(re.compile(r"\b" + pattern.replace(" ", r"\s+") + r"\b", re.IGNORECASE), instead, sample)
                  for pattern, instead, sample in PAGE_RULES]

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


PARAGRAPH_END = re.compile(r"\n[ \t]*\n|\n(?=\s*(?:[-*]|\d+\.) |[|#<])")
SENTENCE_END = re.compile(r"(?<=[.!?:;])[)*\"]*\s+(?=\S)")


def long_sentences(name: str, page: str):
    """Of the prose of a page without its code; rows of tables and headings are left out."""
    at = 0
    for paragraph in PARAGRAPH_END.split(page):
        place = page.index(paragraph, at)
        at = place + len(paragraph)
        if paragraph.lstrip()[:1] in ("|", "#", "<"):
            continue
        for sentence in SENTENCE_END.split(re.sub(r"\]\([^)]*\)", "]", paragraph)):
            words = len(sentence.split())
            if words > LONGEST_SENTENCE:
                line = page.count("\n", 0, place) + 1
                yield f"{name}:{line}: a sentence of {words} words, '{' '.join(sentence.split()[:6])} …': divide it"


def complaints(name: str, text: str, pieces, rules):
    for start, words in pieces:
        for pattern, instead, _ in rules:
            for found in pattern.finditer(words):
                line = text.count("\n", 0, start) + words.count("\n", 0, found.start()) + 1
                yield f"{name}:{line}: '{' '.join(found[0].split())}': write {instead}"


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    all_rules = FOUND + FOUND_IN_PAGES
    wrong = [f"the rule for '{sample}' does not find it" for pattern, _, sample in all_rules if not pattern.search(sample)]
    pages = [*sorted(root.glob("*.md")), *sorted((root / "docs").glob("*.md"))]
    descriptions = sorted((root / "server").rglob("*.yaml"))
    sources = sorted(source for top in PRODUCT for ending in ("h", "cpp") for source in (root / top).rglob(f"*.{ending}"))
    for file in (*pages, *descriptions, *sources):
        text = file.read_text(encoding="utf-8")
        name = file.relative_to(root).as_posix()
        if file.suffix in (".h", ".cpp"):
            wrong += complaints(name, text, of_source(text), FOUND)
        else:
            wrong += complaints(name, text, of_page(text), all_rules)
        if file.suffix == ".md":
            wrong += [complaint for _, page in of_page(text) for complaint in long_sentences(name, page)]
    print("\n".join(wrong) or f"english: {len(all_rules)} rules hold in {len(pages) + len(descriptions) + len(sources)} files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
