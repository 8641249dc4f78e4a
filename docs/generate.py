"""Write the pages that follow from the code: docs/cli.md and docs/kernels.md.

    python docs/generate.py            # write them
    python docs/generate.py --check    # exit 1 if a committed page is stale

``./dev docs`` writes them; a test compares them with the code.
"""

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import typer
from typer.core import TyperGroup

FOLDER: Final = Path(__file__).resolve().parent
NOTE: Final = (
    "<!-- Written by docs/generate.py from the code; change the code, then ./dev docs. -->\n"
)


def commands() -> dict[str, typer.core.TyperCommand]:
    """Return the commands of ``scrubjay`` by name, in the order of its help."""
    from scrubjay.cli.app import app

    group = typer.main.get_command(app)
    if not isinstance(group, TyperGroup):
        raise SystemExit("scrubjay has lost its commands")
    return dict(group.commands)


def cli_page() -> str:
    """Describe every command: what it does, its arguments and options."""
    parts = [
        NOTE,
        "# The command line\n",
        (
            "Every command works in a pipe and in 80 columns. `scrubjay COMMAND --help` says the "
            "same as this page.\n"
        ),
    ]
    for name, command in commands().items():
        parts.append(f"## scrubjay {name}\n")
        parts.append(_prose(command.help or ""))
        rows = [_parameter(parameter) for parameter in command.params]
        if rows:
            parts.append(
                "| argument | meaning | default |\n|---|---|---|\n" + "\n".join(rows) + "\n"
            )
    return "\n".join(parts)


def _prose(text: str) -> str:
    """Turn a help text into Markdown: markup of the terminal goes, examples become code."""
    plain = re.sub(r"\[/?[a-z ]+\]", "", inspect.cleandoc(text.replace("\b", "")))
    out: list[str] = []
    code = False
    for line in plain.splitlines():
        example = line.startswith("  ")
        if code and line and not example:
            while out[-1] == "":
                out.pop()
            out += ["```", ""]
            code = False
        if example and not code:
            out.append("```sh")
            code = True
        if not (code and line == ""):
            out.append(line.removeprefix("  ") if example else line)
    if code:
        out.append("```")
    return "\n".join(out) + "\n"


def _parameter(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        name = parameter.name.upper()
    else:
        name = ", ".join([*parameter.opts, *parameter.secondary_opts])
    meaning = " ".join((parameter.help or "").split()).replace("|", "\\|")
    default = parameter.default
    shown = "" if default in (None, False, [], ()) or callable(default) else f"`{default}`"
    return f"| `{name}` | {meaning} | {shown} |"


def kernels_page() -> str:
    """Describe every kernel at the Python door: signature and contract."""
    from scrubjay import _kernels

    parts = [
        NOTE,
        "# Kernels\n",
        inspect.cleandoc(_kernels.__doc__ or "") + "\n",
        (
            "Each kernel has a definition in plain Python under `tests/reference/`, and the "
            "compiled one is tested against it on every instruction set the machine has.\n"
        ),
    ]
    for name, kernel in _public(_kernels):
        parts.append(f"## {name}\n")
        parts.append(f"```text\n{name}{inspect.signature(kernel)}\n```\n")
        parts.append("```text\n" + _contract(kernel) + "\n```\n")
    return "\n".join(parts)


def _public(module: object) -> Iterator[tuple[str, Callable[..., object]]]:
    for name in sorted(getattr(module, "__all__", ())):
        value = getattr(module, name)
        if inspect.isfunction(value):
            yield name, value


def _contract(kernel: object) -> str:
    """Return the docstring without its examples, which are run where they are written."""
    lines = inspect.cleandoc(inspect.getdoc(kernel) or "").splitlines()
    kept, example = [], False
    for line in lines:
        example = line.lstrip().startswith(">>>") or (example and line.strip() != "")
        if not example:
            kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


PAGES: Final[dict[str, Callable[[], str]]] = {"cli.md": cli_page, "kernels.md": kernels_page}


def stale() -> list[str]:
    """Name the committed pages that no longer say what the code says."""
    return [
        name
        for name, page in PAGES.items()
        if not (FOLDER / name).exists() or (FOLDER / name).read_text(encoding="utf-8") != page()
    ]


def main(arguments: list[str]) -> int:
    """Write the pages, or only check them."""
    if "--check" in arguments:
        names = stale()
        print("\n".join(f"stale: docs/{name}" for name in names) or "the pages are fresh")
        return 1 if names else 0
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), encoding="utf-8")
        print(f"wrote docs/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
