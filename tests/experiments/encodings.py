#!/usr/bin/env python3
"""Measures how often --encoding auto finds the encoding of a text, by language.

Usage: encodings.py [--akin PROGRAM] [--letters N] FOLDER

FOLDER has a text in UTF-8 for each language, named by its code: cs.txt, ru.txt. The first N characters of each are written
in the encodings that the language was written in before UTF-8, and read by akin. Printed is a line for each language: the
encodings that are read right, and those that are not, with what comes instead. Characters that an encoding lacks are
left out of the text, and an encoding that lacks more than 3 % of them is not tried.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAST_SHARE = 0.97
WESTERN = ["windows-1252", "iso-8859-15", "ibm850"]
CENTRAL = ["windows-1250", "iso-8859-2", "ibm852"]
BALTIC = ["windows-1257", "iso-8859-13"]
ENCODINGS = {  # of each language before UTF-8
    "ar": ["windows-1256", "iso-8859-6"],
    "bg": ["windows-1251", "iso-8859-5", "ibm866"],
    "cs": CENTRAL,
    "da": WESTERN,
    "de": WESTERN,
    "el": ["windows-1253", "iso-8859-7"],
    "eo": ["iso-8859-3"],
    "es": WESTERN,
    "et": BALTIC,
    "fi": WESTERN,
    "fr": WESTERN,
    "ga": WESTERN,
    "he": ["windows-1255", "iso-8859-8"],
    "hr": CENTRAL,
    "hu": CENTRAL,
    "it": WESTERN,
    "ja": ["shift_jis", "euc-jp", "iso-2022-jp"],
    "ko": ["euc-kr"],
    "lt": BALTIC,
    "lv": BALTIC,
    "mt": ["iso-8859-3"],
    "pl": CENTRAL,
    "pt": WESTERN,
    "ro": ["windows-1250", "iso-8859-16", "ibm852"],
    "ru": ["windows-1251", "koi8-r", "ibm866", "iso-8859-5", "mac-cyrillic"],
    "sk": CENTRAL,
    "sl": CENTRAL,
    "sv": WESTERN,
    "th": ["tis-620"],
    "tr": ["windows-1254", "iso-8859-9"],
    "uk": ["windows-1251", "koi8-u", "iso-8859-5", "ibm866"],
    "vi": ["windows-1258"],
    "zh": ["gb18030", "big5"],
}


def written(text: str, encoding: str) -> bytes | None:
    """The text in an encoding, without the few characters that it lacks; nothing if they are not few."""
    data = text.encode(encoding, "ignore")
    return data if len(data.decode(encoding)) >= LEAST_SHARE * len(text) else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--akin", default=str(ROOT / "build/dev/cli/akin"), help="the program akin")
    parser.add_argument("--letters", type=int, default=2000, help="characters of each text")
    parser.add_argument("folder", type=pathlib.Path, help="folder of texts in UTF-8, LANGUAGE.txt")
    options = parser.parse_args()
    texts: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as made:
        for language, encodings in ENCODINGS.items():
            path = options.folder / f"{language}.txt"
            text = path.read_text(encoding="utf-8")[: options.letters].strip() if path.exists() else ""
            for encoding in encodings if text else []:
                data = written(text, encoding)
                if data is not None:
                    name = f"{language} {encoding}.txt"
                    pathlib.Path(made, name).write_bytes(data)
                    texts[name] = data.decode(encoding)
        base = [options.akin, "--data", made + "/data"]
        command = [*base, "index", made, "--encoding", "auto", "--scheme", "sentences", "--json"]
        subprocess.run(command, capture_output=True, check=False)
        lines = subprocess.run([*base, "export"], capture_output=True, check=True).stdout.splitlines()
        read = {document["id"]: document["text"] for document in map(json.loads, lines)}
    right = 0
    for language in ENCODINGS:
        names = [name for name in texts if name.startswith(language + " ")]
        wrong = [name for name in names if read.get(name, "").split() != texts[name].split()]
        right += len(names) - len(wrong)
        for name in wrong:
            print(f"{name.removesuffix('.txt')}: {read.get(name, 'refused')[:60]!r}")
    print(f"{right} of {len(texts)} are read right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
