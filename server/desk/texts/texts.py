"""Writes the table of the desk's languages as C++ from one YAML file a language, which all have the same texts.

Usage: texts.py OUTPUT FILE… (the first file is that of a reader who wants none of the languages)
"""
import pathlib
import sys

import yaml


def literal(text: str) -> str:
    """A string of C++; what is not ASCII stays as it is."""
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\u00a0": "\\u00a0"}
    return '"' + "".join(escapes.get(c, c) for c in text) + '"'


def value(text: str | dict[str, str] | list[str]) -> str:
    """A list has texts that are their own names."""
    if isinstance(text, str):
        return literal(text)
    if isinstance(text, list):
        text = dict(zip(text, text))
    return "{" + ", ".join(f"{{{literal(name)}, {literal(shown)}}}" for name, shown in text.items()) + "}"


def shape(texts: dict) -> list:
    return [(name, None if isinstance(text, str) else list(text)) for name, text in texts.items()]


def main(output: str, *files: str):
    languages = {pathlib.Path(file).stem: yaml.safe_load(pathlib.Path(file).read_text(encoding="utf-8")) for file in files}
    (first, model), *others = languages.items()
    for name, texts in others:
        for expected, found in zip(shape(model) + [None], shape(texts) + [None]):
            if expected != found:
                sys.exit(f"{name}.yaml has {found} where {first}.yaml has {expected}: all languages have the same texts in one order")
    code = '#include "server/desk/words.h"\n\nnamespace akin::desk {\n\nconst std::vector<const Words*>& languages() {\n'
    for name, texts in languages.items():
        fields = "".join(f"      .{field} = {value(text)},\n" for field, text in texts.items())
        code += f"  static const Words {name}{{\n{fields}  }};\n"
    pointers = ", ".join(f"&{name}" for name in languages)
    code += f"  static const std::vector<const Words*> all = {{{pointers}}};\n  return all;\n}}\n\n}}  // namespace akin::desk\n"
    pathlib.Path(output).write_text(code, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
