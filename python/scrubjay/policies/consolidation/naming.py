"""Naming: what a procedure is called and when it applies, from the user's words that led to it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrubjay.base.stems import STOP_WORDS, stem
from scrubjay.policies.consolidation.generalise import Parameter
from scrubjay.policies.consolidation.lexicon import word_list, word_set
from scrubjay.policies.consolidation.sentences import expand, sentences_of

__all__ = ["name_of", "triggers_of"]

_WORD = re.compile(r"[A-Za-z]{3,}")
_ACTIONS = word_list(
    "add archive backup build cancel clean clear close compare configure convert copy create "
    "debug delete deploy diagnose disable drain enable export find fix flush grant import install "
    "investigate launch merge migrate move open patch process publish purge rebuild recover "
    "refresh reindex reload remove rename renew reopen repair replace report reset resize resolve "
    "restart restore resume retry return revert revoke rollback rotate scale schedule send ship "
    "start stop switch sync test unblock undo update upgrade verify"
)
_FILLER = word_set(
    "another again also please look good agreed think time this that thanks leave alone until "
    "tonight today tomorrow morning evening now just need want would could customers say said yes "
    "right same like know find get see help let make thing things something one two three first "
    "last next"
)
_MAX_NOUNS = 3
_MAX_TRIGGERS = 5
_MAX_TRIGGER_CHARS = 120


def name_of(
    triggers: Sequence[Sequence[str]], tools: Sequence[str], parameters: Sequence[Parameter]
) -> str:
    """Return a name like ``repair-stalled-worker``.

    The verb is the action that half the tasks were asked with, else the last one a tool is named
    after; the rest are words that most tasks share, without values of parameters.

    >>> name_of([["The worker is stalled, repair it"], ["Repair the stalled worker"]], ["ping"], [])
    'repair-stalled-worker'
    """
    texts = [_without_values(expand(" ".join(said)), parameters) for said in triggers]
    words = [_words(text) for text in texts]
    forms: dict[str, str] = {}
    places: dict[str, list[float]] = {}
    for said in words:
        for at, word in enumerate(said):
            root = stem(word)
            forms.setdefault(root, word)
            if root not in {stem(w) for w in said[:at]}:
                places.setdefault(root, []).append(at / len(said))
    actions = {stem(word): word for word in _ACTIONS}
    asked = [r for r in places if r in actions and 2 * len(places[r]) >= len(texts)]
    asked.sort(key=lambda r: (-len(places[r]), places[r], r))
    verb = actions[asked[0]] if asked else _tool_verb(tools)
    named = [r for r in places if 2 * len(places[r]) > len(texts) and r not in actions]
    named = [r for r in named if not {r, forms[r]} & (STOP_WORDS | _FILLER)]
    named.sort(key=lambda r: (-len(places[r]), _mean(places[r]), r))
    chosen = sorted(
        named[:_MAX_NOUNS], key=lambda r: (not forms[r].endswith("ed"), _mean(places[r]), r)
    )
    nouns = [forms[r] for r in chosen] or [tools[-1].replace("_", "-")]
    return "-".join([verb, *nouns])[:60]


def triggers_of(
    triggers: Sequence[Sequence[str]], parameters: Sequence[Parameter], name: str
) -> tuple[str, ...]:
    """Return when a procedure applies: its name in words, and what users said, with slots.

    Of each task the sentence that shares most words with the name.
    """
    wanted = {stem(word) for word in name.split("-")}
    out = [name.replace("-", " ")]
    for said in triggers:
        sentences = [s.text for turn in said for s in sentences_of(turn)]
        fitting = [s for s in sentences if len(s) <= _MAX_TRIGGER_CHARS]
        if fitting:
            best = max(fitting, key=lambda s: len({stem(w) for w in _words(s)} & wanted))
            out.append(_without_values(best, parameters, slots=True))
    return tuple(dict.fromkeys(out))[:_MAX_TRIGGERS]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _mean(places: Sequence[float]) -> float:
    return sum(places) / len(places)


def _without_values(text: str, parameters: Sequence[Parameter], *, slots: bool = False) -> str:
    """Return text with the values of parameters blanked, or replaced by their slots."""
    names = {value: p.name for p in reversed(parameters) for value in p.values}
    if not names:
        return text
    longest_first = sorted(names, key=lambda value: (-len(value), value))
    pattern = rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)"
    return re.sub(pattern, lambda m: f"${{{names[m[0]]}}}" if slots else " ", text)


def _tool_verb(tools: Sequence[str]) -> str:
    for tool in reversed(tools):
        for word in _words(tool):
            if word in _ACTIONS:
                return word
    return "do"
