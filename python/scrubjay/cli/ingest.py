"""``scrubjay ingest``: transcripts in, with a progress bar on a terminal and silence in a pipe."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from scrubjay.base.errors import InvalidArgumentError, TranscriptError
from scrubjay.cli.options import (
    CreateOption,
    DirOption,
    EmbedderOption,
    JsonOption,
    ScopeOption,
    TenantOption,
    open_memory,
)
from scrubjay.cli.screen import console, count, one_line, print_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scrubjay.policies.ingest import IngestProgress, IngestReport
    from scrubjay.serve.values import Json

__all__ = ["register"]

FORMATS: Final = ("auto", "openai", "claude_code", "chatgpt", "locomo", "plain")
SUFFIXES: Final = (".jsonl", ".json", ".jsonl.gz", ".json.gz")
LISTED_PROBLEMS: Final = 20
LEFT_OUT: Final = 1
"""Exit code when a file among several was no transcript; the others were read."""


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("ingest")(ingest)


def ingest(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH…", help="Files, or folders of such files.")
    ],
    *,
    directory: DirOption = Path("scrubjay.memory"),
    tenant: TenantOption = "default",
    create: CreateOption = False,
    embedder: EmbedderOption = "static",
    scope: ScopeOption = None,
    form: Annotated[
        str, typer.Option("--format", "-f", help="One of " + ", ".join(FORMATS) + ".")
    ] = "auto",
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first malformed line, exit code 2.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Read transcripts of conversations into the memory.

    Knows OpenAI-style messages, Claude Code sessions, ChatGPT exports, LoCoMo and plain
    {role, content, time} lines, gzipped or not. What was read before is skipped; a file that grew
    goes on where it stopped. Malformed lines are counted and listed. A file among several that
    is no transcript is left out, and the exit code is 1.

    For example:

      scrubjay ingest ~/.claude/projects/*/*.jsonl

      scrubjay ingest conversations.json --format chatgpt --scope me/chat
    """
    if form not in FORMATS:
        msg = f"ingest: unknown format, got {form!r:.60}, expected one of {', '.join(FORMATS)}"
        raise InvalidArgumentError(msg)
    files = _files_of(paths)
    reports: list[IngestReport] = []
    left_out: list[tuple[Path, str]] = []
    with open_memory(
        directory, tenant=tenant, embedder=embedder, must_exist=False, create=create
    ) as memory:
        for number, file in enumerate(files, start=1):
            label = f"{number}/{len(files)} {file.name}"
            try:
                with _progress(label, quiet=as_json) as on_progress:
                    report = memory.ingest(
                        file, format=form, scope=scope, strict=strict, on_progress=on_progress
                    )
            except TranscriptError as error:
                if strict or len(files) == 1:
                    raise
                left_out.append((file, str(error)))
            else:
                reports.append(report)
    if as_json:
        print_json([_as_json(report) for report in reports])
    else:
        _tell(reports, directory)
    for file, reason in left_out:
        typer.echo(f"scrubjay: left out {file}: {one_line(reason, 200)}", err=True)
    if left_out:
        raise typer.Exit(LEFT_OUT)


def _files_of(paths: Sequence[Path]) -> list[Path]:
    """Return the files named and those inside the folders named, in a stable order.

    Raises:
        TranscriptError: a folder holds none.
        StorageError: a path is not there; nothing was made or read.
    """
    from scrubjay.policies.intake import checked_file

    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = _inside(path)
            if not inside:
                msg = (
                    f"ingest: the folder holds no transcript, got {str(path)!r}, expected files "
                    f"ending in {', '.join(SUFFIXES)}"
                )
                raise TranscriptError(msg)
            files.extend(inside)
        else:
            files.append(checked_file("ingest", path))
    return files


def _inside(folder: Path) -> list[Path]:
    """Return what looks like a transcript in or below a folder; a memory's own files do not."""
    found = sorted(path for path in folder.rglob("*") if path.name.endswith(SUFFIXES))
    memories = {path.parent for path in found if path.name == "scrubjay.json"}
    return [path for path in found if memories.isdisjoint(path.parents)]


@contextmanager
def _progress(label: str, *, quiet: bool) -> Iterator[Callable[[IngestProgress], None] | None]:
    """Yield a listener that draws a bar on stderr, or None where nobody watches."""
    screen = console(stderr=True)
    if quiet or not screen.is_terminal:
        yield None
        return
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=screen, transient=True) as bar:
        task = bar.add_task(one_line(label, 30), total=None, rate="")

        def on_progress(step: IngestProgress) -> None:
            elapsed_s = bar.tasks[0].elapsed or 0.0
            rate = f"{step.stored / elapsed_s:,.0f} turns/s" if elapsed_s > 0 else ""
            bar.update(task, total=step.total_bytes, completed=step.position, rate=rate)

        yield on_progress


def _tell(reports: Sequence[IngestReport], directory: Path) -> None:
    screen = console()
    for report in reports:
        parts = [count(report.stored, "turn") + " stored"]
        if report.repeated:
            parts.append(f"{report.repeated:,} known before")
        if report.skipped:
            parts.append(f"{report.skipped:,} read before")
        if report.problem_count:
            parts.append(f"{report.problem_count:,} malformed")
        screen.print(f"{report.path} ({report.format}): {', '.join(parts)}", soft_wrap=True)
        for problem in report.problems[:LISTED_PROBLEMS]:
            screen.print(f"  line {problem.line}: {one_line(problem.reason, 160)}", soft_wrap=True)
        hidden = report.problem_count - min(len(report.problems), LISTED_PROBLEMS)
        if hidden > 0:
            screen.print(f"  and {hidden:,} more; --json lists them", soft_wrap=True)
    total = sum(report.stored for report in reports)
    screen.print(f"{count(total, 'turn')} went into {directory}", soft_wrap=True)


def _as_json(report: IngestReport) -> Json:
    return {
        "path": report.path,
        "format": report.format,
        "stored": report.stored,
        "repeated": report.repeated,
        "skipped": report.skipped,
        "problem_count": report.problem_count,
        "problems": [{"line": p.line, "reason": p.reason} for p in report.problems],
    }
