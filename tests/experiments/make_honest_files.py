#!/usr/bin/env python3
"""Writes honest files as LibreOffice, pandoc, LaTeX and Chromium write them, for honest_files.py.

Usage: make_honest_files.py [--texts N] FOLDER

N texts (12) in each of four languages, from the corpora that AKIN_CORPORA names, get what papers have: headings, notes,
tables, lists, formulas, code, links, letterspaced words, soft hyphens, quotations. Each is written by every program that
the machine has: soffice, pandoc, pdflatex, chromium.
"""

import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys

CORPORA = pathlib.Path(os.environ.get("AKIN_CORPORA") or "build/corpora/corpora")
SOURCES = {"ru": "ru-novels/eltec-rus", "en": "en-novels/eltec-eng", "de": "other-lang/eltec-deu", "uk": "other-lang/eltec-ukr"}
TITLES = {"ru": ("Введение", "Обзор литературы", "Выводы"), "en": ("Introduction", "Related work", "Conclusions"),
          "de": ("Einleitung", "Stand der Forschung", "Schluss"), "uk": ("Вступ", "Огляд літератури", "Висновки")}
BABEL = {"ru": ("T2A", "russian"), "en": ("T1", "english"), "de": ("T1", "ngerman"), "uk": ("T2A", "ukrainian")}
FORMATS_OF_OFFICE = ["docx", "odt", "doc", "rtf", "pdf"]
FORMATS_OF_PANDOC = ["docx", "odt", "rtf", "epub", "fb2", "html"]


def paragraphs_of(path: pathlib.Path, chance: random.Random, count: int) -> list[str]:
    """Successive paragraphs of a work without marks that Markdown reads."""
    found = [" ".join(one.split()) for one in path.read_text(encoding="utf-8").split("\n")]
    found = [one.translate(str.maketrans("*_`#<>[]|\\^~$@{}", " " * 16)) for one in found if 80 < len(one) < 1500]
    first = chance.randrange(max(1, len(found) - count))
    return found[first:first + count]


def markdown(lang: str, number: int, parts: list[str], spare: list[str]) -> str:
    """A paper of these paragraphs; which of the extras it has, from the spare ones, depends on its number."""
    words = " ".join(spare).split()
    title = " ".join(parts[0].split()[:6]).strip(".,;:!?")
    lines = ["---", f"title: '{title.replace(chr(39), '’')}'", f"lang: {lang}", f"author: 'N. N. {number}'", "---", ""]
    extras = {
        0: f"{spare[1]}[^1]\n\n[^1]: {' '.join(words[10:22])}, 1999, S. 12–15.",
        1: "| A | B | C |\n|---|---|---|\n" + "\n".join(f"| {n} | {words[n]} | {n * 3.14:.2f} |" for n in range(1, 8)),
        2: "\n".join(f"{n}. {' '.join(words[n * 8:n * 8 + 8])}" for n in range(1, 6)),
        3: "The sum $a_1 + b_2 = \\alpha^2$ and $$\\int_0^1 x^2\\,dx = \\frac{1}{3}$$",
        4: "```c\nint main(void) { return strcmp(argv[1], \"x\") == 0 ? 1 : 0; }\n```",
        5: f"[{words[3]}](https://example.org/a?b=c) and **{' '.join(words[5:9])}** and *{' '.join(words[9:15])}*.",
        6: " ".join(" ".join(word) for word in words[20:22]) + " " + spare[2],
        7: "> " + spare[3],
        8: " ".join(word[:3] + "\u00ad" + word[3:] if len(word) > 6 else word for word in spare[4].split()),
        9: f"«{spare[0]}»",
        10: "H~2~O, E = mc^2^, 25\u00a0°C, № 5, § 7, ½, x₁, a² — α, β, γ",
        11: "\n".join(f"- {' '.join(words[n * 5:n * 5 + 5])}" for n in range(3, 12)),
    }
    for at, part in enumerate(parts):
        if at % max(1, len(parts) // 3) == 0 and at // max(1, len(parts) // 3) < 3:
            lines += [f"# {TITLES[lang][at // max(1, len(parts) // 3)]}", ""]
        lines += [part, ""]
        if at % 4 == 1:
            lines += [extras[(number + at // 4) % len(extras)], ""]
    return "\n".join(lines)


def run(*command, cwd: pathlib.Path) -> bool:
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, check=False, timeout=600)
    if done.returncode != 0:
        print(f"{command[0]}: {done.stderr.decode(errors='replace')[-300:]}", file=sys.stderr)
    return done.returncode == 0


def with_pandoc(sources: list[pathlib.Path], folder: pathlib.Path):
    for form in FORMATS_OF_PANDOC:
        for source in sources:
            run("pandoc", "-s", source, "-o", folder / f"{source.stem}.{form}", cwd=folder)


def with_office(sources: list[pathlib.Path], folder: pathlib.Path):
    """From the DOCX that pandoc wrote, which LibreOffice writes again in its own way."""
    for form in FORMATS_OF_OFFICE:
        out = folder / form
        run("soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", form, "--outdir", out,
            *[source.parent.parent / "pandoc" / f"{source.stem}.docx" for source in sources], cwd=folder)
    shutil.rmtree(folder / "profile", ignore_errors=True)


def with_latex(sources: list[pathlib.Path], folder: pathlib.Path):
    for source in sources:
        encoding, babel = BABEL[source.stem[:2]]
        head = folder / "head.tex"
        head.write_text(f"\\usepackage[{encoding}]{{fontenc}}\n\\usepackage[{babel}]{{babel}}\n", encoding="utf-8")
        plain = source.read_text(encoding="utf-8").replace("\u00ad", "").replace(f"lang: {source.stem[:2]}\n", "")
        (folder / "in.md").write_text(plain, encoding="utf-8")
        if run("pandoc", "-s", folder / "in.md", "-H", head, "-o", folder / f"{source.stem}.tex", cwd=folder):
            run("pdflatex", "-interaction=nonstopmode", f"{source.stem}.tex", cwd=folder)
    for rest in [one for one in folder.iterdir() if one.suffix != ".pdf"]:
        rest.unlink()


def with_chromium(sources: list[pathlib.Path], folder: pathlib.Path):
    for source in sources:
        page = source.parent.parent / "pandoc" / f"{source.stem}.html"
        run("chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
            f"--print-to-pdf={folder / source.stem}.pdf", f"file://{page}", cwd=folder)
    shutil.rmtree(folder / "profile", ignore_errors=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=12, help="texts in each language")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    folder = options.folder.resolve()
    chance = random.Random(1)
    (folder / "source").mkdir(parents=True)
    sources = []
    for lang, below in SOURCES.items():
        works = sorted((CORPORA / below).glob("*.txt"))
        for number in range(options.texts):
            parts = paragraphs_of(works[number % len(works)], chance, 14 + 5)
            sources.append(folder / "source" / f"{lang}-{number:02}.md")
            sources[-1].write_text(markdown(lang, number, parts[:14], parts[14:]), encoding="utf-8")
    for program, write in (("pandoc", with_pandoc), ("soffice", with_office), ("pdflatex", with_latex), ("chromium", with_chromium)):
        if shutil.which(program) is None:
            print(f"{program} is not installed: left out", file=sys.stderr)
            continue
        (folder / program).mkdir()
        write(sources, folder / program)
        print(f"{program}: {sum(one.is_file() for one in (folder / program).rglob('*'))} files", file=sys.stderr)
    shutil.rmtree(folder / "source")
    return 0


if __name__ == "__main__":
    sys.exit(main())
