"""Naming: what a procedure is called and when it applies, from the user's words that led to it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrubjay.base.stems import STOP_WORDS, stem
from scrubjay.policies.consolidation.generalise import Parameter

__all__ = ["name_of", "triggers_of"]

_WORD = re.compile(r"[A-Za-z]{3,}")
_ACTIONS = (
    "add archive backup build cancel clean clear close compare configure convert copy create debug "
    "delete deploy diagnose disable drain enable export find fix flush grant import install "
    "investigate launch merge migrate move open patch process publish purge rebuild recover refresh "
    "reindex reload remove rename renew reopen repair replace report reset resize resolve restart "
    "restore resume retry return revert revoke rollback rotate scale schedule send ship start stop "
    "switch sync test unblock undo update upgrade verify"
).split()
_FILLER = frozenset(
    "another again also please look good agreed think time this that thanks leave alone until tonight "
    "today tomorrow morning evening now just need want would could customers say said yes right same "
    "like know find get see help let make thing things something one two three first last next".split()
)
_MAX_NOUNS = 3
_MAX_TRIGGERS = 5
_MAX_TRIGGER_CHARS = 120


def name_of(
    triggers: Sequence[Sequence[str]], tools: Sequence[str], parameters: Sequence[Parameter]
) -> str:
    """Return a name like ``repair-stalled-worker``.

    The verb is the action most tasks were asked with, else the last one a tool is named after;
    the rest are words that most tasks share, without values of parameters.

    >>> name_of([["The worker is stalled, repair it"], ["Repair the stalled worker"]], ["ping"], [])
    'repair-stalled-worker'
    """
    texts = [_without_values(" ".join(said), parameters) for said in triggers]
    words = [_WORD.findall(text.casefold()) for text in texts]
    forms: dict[str, str] = {}
    places: dict[str, list[float]] = {}
    for said in words:
        for at, word in enumerate(said):
            root = stem(word)
            forms.setdefault(root, word)
            if root not in {stem(w) for w in said[:at]}:
                places.setdefault(root, []).append(at / len(said))
    most = len(texts) // 2 + 1
    common = [root for root, seen in places.items() if len(seen) >= most]
    actions = {stem(word): word for word in _ACTIONS}
    asked = sorted((r for r in common if r in actions), key=lambda r: (-len(places[r]), r))
    verb = actions[asked[0]] if asked else _tool_verb(tools)
    named = [r for r in common if r not in actions and forms[r] not in _FILLER]
    named = [r for r in named if forms[r] not in STOP_WORDS and r not in STOP_WORDS]
    named.sort(key=lambda r: (-len(places[r]), sum(places[r]) / len(places[r]), r))
    chosen = sorted(
        named[:_MAX_NOUNS],
        key=lambda r: (not forms[r].endswith("ed"), sum(places[r]) / len(places[r]), r),
    )
    nouns = [forms[r] for r in chosen] or [tools[-1].replace("_", "-")]
    return "-".join([verb, *nouns])[:60]


def triggers_of(
    triggers: Sequence[Sequence[str]], parameters: Sequence[Parameter], name: str
) -> tuple[str, ...]:
    """Return the occasions of a procedure: its name in words, and what users said, with slots."""
    out = [name.replace("-", " ")]
    for said in triggers:
        for text in said[-1:]:
            first = " ".join(text.split())
            if len(first) <= _MAX_TRIGGER_CHARS:
                out.append(_without_values(first, parameters, slots=True))
    return tuple(dict.fromkeys(out))[:_MAX_TRIGGERS]


def _without_values(text: str, parameters: Sequence[Parameter], *, slots: bool = False) -> str:
    for parameter in parameters:
        replacement = f"${{{parameter.name}}}" if slots else " "
        for value in sorted(set(parameter.values), key=len, reverse=True):
            text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", lambda _: replacement, text)  # noqa: B023
    return text


def _tool_verb(tools: Sequence[str]) -> str:
    for tool in reversed(tools):
        for word in _WORD.findall(tool.casefold()):
            if word in _ACTIONS:
                return word
    return "do"
