"""The tables of docs/configuration.md, made from what `akin config show --json` says of every setting.

    AKIN=build/dev/cli/akin python3 tests/e2e/configuration_page.py    rewrites them
"""
import json
import os
import pathlib
import subprocess

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "configuration.md"
MARK = "<!-- every setting -->\n"


def cell(text: str) -> str:
    """A bar would end the cell, and "<!--" start a comment."""
    return text.replace("|", "\\|").replace("<", "\\<")


def tables(settings: list[dict]) -> str:
    out, last = "", None
    for one in settings:
        section, _, key = one["key"].rpartition(".")
        if section != last:
            out += f"\n## [{section}]\n" if section else "\n## All commands\n"
            out += "\n| key | variable | value | default | meaning |\n|---|---|---|---|---|\n"
            last = section
        default = "not set" if one["default"] is None else "`" + cell(json.dumps(one["default"], ensure_ascii=False)) + "`"
        out += f"| `{key}` | `{one['variable']}` | {cell(one['form'])} | {default} | {cell(one['meaning'])} |\n"
    return out


def main() -> None:
    environment = {name: value for name, value in os.environ.items() if name == "AKIN" or not name.startswith("AKIN_")}
    shown = subprocess.run([os.environ["AKIN"], "config", "show", "--json"], check=True, capture_output=True, env=environment)
    before = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    PAGE.write_text(before + MARK + tables(json.loads(shown.stdout)["settings"]), encoding="utf-8")


if __name__ == "__main__":
    main()
