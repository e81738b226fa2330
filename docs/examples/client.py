#!/usr/bin/env python3
"""A client of akin in Python's standard library: posts a text and tells in words what was found.

    client.py URL COLLECTION FILE [--bound N]      for instance: client.py http://127.0.0.1:7878 library essay.txt
"""
import argparse
import json
import sys
import urllib.error
import urllib.parse
import urllib.request


def call(method: str, url: str, body: bytes | None = None, content_type: str = "text/plain") -> dict:
    """One request; returns the answer's object, or ends the program with the server's own words."""
    request = urllib.request.Request(url, data=body, method=method)
    if body is not None:
        request.add_header("Content-Type", content_type)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        sys.exit(f"client.py: {method} {url}: {error.code} {error.read().decode()}")
    except urllib.error.URLError as error:
        sys.exit(f"client.py: {method} {url}: {error.reason}")


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def shorten(text: str, width: int = 300) -> str:
    """One line of at most `width` characters, cut in the middle."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    return line[: width // 2].rstrip() + " […] " + line[-width // 2 :].lstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description="Which stored documents share text with FILE?")
    parser.add_argument("url")
    parser.add_argument("collection")
    parser.add_argument("file")
    parser.add_argument("--bound", type=int, default=3)
    options = parser.parse_args()

    base = f"{options.url}/v1/collections/{urllib.parse.quote(options.collection, safe='')}"
    with open(options.file, "rb") as file:
        body = file.read()
    text = body.decode()  # offsets are code points, as Python's own string indices
    answer = call("POST", f"{base}/similar?bound={options.bound}", body, "text/plain; charset=utf-8")

    query = answer["query"]
    print(f"Your text has {plural(query['sentences'], 'sentence')}, that is {plural(query['features'], 'sentence pair')}.")
    print(f"{plural(answer['total'], 'stored document')} shared more than {answer['bound']} of them.")
    for hit in answer["results"]:
        print(
            f"\n{hit['id']}: {plural(hit['x'], 'sentence pair')} in common, "
            f"{hit['containment']:.0%} of your text, {hit['contained']:.0%} of that document."
        )
        stored = call("GET", f"{base}/documents/{urllib.parse.quote(hit['id'], safe='')}")["text"]
        for number, passage in enumerate(hit["passages"], 1):
            (a_begin, a_end), (b_begin, b_end) = passage["a"], passage["b"]
            print(f"\n  Passage {number}, {plural(passage['features'], 'pair')}, characters {a_begin}-{a_end} of your text:")
            print(f"    {shorten(text[a_begin:a_end])}")
            print(f"  stands at characters {b_begin}-{b_end} of {hit['id']} as:")
            print(f"    {shorten(stored[b_begin:b_end])}")


if __name__ == "__main__":
    main()
