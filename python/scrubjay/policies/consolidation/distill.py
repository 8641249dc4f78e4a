"""Distill: tool sequences that worked more than once become skills with typed parameters.

A skill is proposed from two episodes that end well and share their moves. It is trusted once three
or more support it and each of them, held out, is replayed by the skill made from the others, and
all were asked for by a user. Calls that failed and what set them right become its recovery.
Nothing is ever run, and nothing a tool printed enters a skill.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from scrubjay.base.errors import NotFoundError
from scrubjay.base.ids import format_id, parse_id
from scrubjay.base.ports import Store
from scrubjay.base.trace import Engram, Skill, SkillStep
from scrubjay.policies.consolidation.alignment import (
    Cluster,
    clusters_of,
    common_subsequence,
    positions_in,
    working_steps,
)
from scrubjay.policies.consolidation.generalise import (
    Parameter,
    Template,
    generalise,
    schema_of,
    unify,
)
from scrubjay.policies.consolidation.naming import name_of, triggers_of
from scrubjay.policies.consolidation.plan import PlannedSkill
from scrubjay.policies.consolidation.tasks import Step, Task, tasks_of

__all__ = ["Distilled", "distill"]

TRUSTED_SUCCESSES = 3
MAX_TASKS_KEPT = 300
"""Tasks that later cycles compare with; older ones have had their chance."""

MAX_SKILL_BYTES = 4096
_MIN_FAILED_SHARE = 0.6
_WORKED = "exit_code == 0"
_NO_ERROR = "is_error == false"


class Distilled(NamedTuple):
    """Skills to keep, and the new list of tasks by ids (None: unchanged)."""

    skills: tuple[PlannedSkill, ...]
    tasks: str | None


def distill(store: Store, groups: Sequence[Sequence[Engram]], *, known: str | None) -> Distilled:
    """Compare the tasks of this cycle with those of earlier ones.

    ``known`` lists earlier tasks by the ids of their rows; what was erased since is gone from it.
    Cost: nothing without new tool calls; else O(t m²) for t tasks of m calls.
    """
    fresh = [task for group in groups for task in tasks_of(group) if len(task.steps) > 1]
    if not fresh:
        return Distilled((), None)
    earlier = _load(store, known)
    seen = {task.sources for task in earlier}
    tasks = [*earlier, *(task for task in fresh if task.sources not in seen)]
    tasks.sort(key=lambda task: (task.started_us, task.sources))
    new_sources = {task.sources for task in fresh}
    skills: list[PlannedSkill] = []
    for cluster in clusters_of(tasks):
        if any(task.sources in new_sources for task in cluster.tasks):
            skill = _skill_of(cluster, tasks)
            known_skills = store.skills(scope=skill.scope)
            placed = _placed(skill, known_skills, [s.name for s in skills])
            if placed is not None:
                skills.append(placed)
    return Distilled(tuple(skills), _dump(tasks))


def _skill_of(cluster: Cluster, tasks: Sequence[Task]) -> PlannedSkill:
    template = _template(cluster.moves, cluster.tasks)
    tools = [move[0] for move in cluster.moves]
    triggers = [task.triggers for task in cluster.tasks]
    name = name_of(triggers, tools, template.parameters)
    steps = _steps(cluster, template)
    recovery = _recovery(cluster, template)
    last = cluster.tasks[-1]
    sources = [id_ for task in cluster.tasks for id_ in task.sources]
    return PlannedSkill(
        scope=last.scope,
        principal=last.principal,
        session=last.session,
        name=name,
        description=_description(cluster, tools, recovery),
        triggers=triggers_of(triggers, template.parameters, name),
        parameters=schema_of(template.parameters),
        steps=steps,
        recovery=recovery,
        status=_status(cluster),
        version=1,
        successes=len(cluster.tasks),
        failures=_failures(cluster, tasks),
        event_us=last.started_us,
        parents=tuple(dict.fromkeys(sources)),
    )


def _template(moves: Sequence[tuple[str, ...]], tasks: Sequence[Task]) -> Template:
    instances = [_instances(moves, task) for task in tasks]
    columns = [[row[m].arguments for row in instances] for m in range(len(moves))]
    return generalise(columns)


def _instances(moves: Sequence[tuple[str, ...]], task: Task) -> list[Step]:
    steps = working_steps(task)
    return [steps[at] for at in positions_in(moves, steps) or []]


def _steps(cluster: Cluster, template: Template) -> tuple[SkillStep, ...]:
    instances = [_instances(cluster.moves, task) for task in cluster.tasks]
    out: list[SkillStep] = []
    for m, arguments in enumerate(template.arguments):
        coded = all(row[m].exit_code is not None for row in instances)
        check = _WORKED if coded else _NO_ERROR
        out.append(SkillStep(tool=cluster.moves[m][0], arguments=arguments, check=check))
    return tuple(out)


def _recovery(cluster: Cluster, template: Template) -> tuple[SkillStep, ...]:
    """Return what set a failed move right: the working calls between it and its success."""
    out: dict[tuple[str, str], SkillStep] = {}
    for index, task in enumerate(cluster.tasks):
        values = {p.values[index]: p for p in template.parameters}
        for at, step in enumerate(task.steps):
            if step.ok or step.shape not in cluster.moves:
                continue
            number = cluster.moves.index(step.shape) + 1
            code = "fails" if step.exit_code is None else f"ends with exit code {step.exit_code}"
            for fix in _until_it_works(task.steps[at + 1 :], step):
                arguments = _with_slots(fix, values)
                out.setdefault(
                    (fix.tool, arguments),
                    SkillStep(
                        tool=fix.tool, arguments=arguments, check=f"when step {number} {code}"
                    ),
                )
    return tuple(out.values())


def _until_it_works(rest: Sequence[Step], failed: Step) -> list[Step]:
    fixes: list[Step] = []
    for step in rest:
        if step.shape == failed.shape and step.ok:
            return fixes
        if step.ok:
            fixes.append(step)
    return []


def _with_slots(step: Step, values: dict[str, Parameter]) -> str:
    """Return the arguments of one call with this instance's values replaced by their slots."""
    out: dict[str, object] = {}
    for key, value in step.arguments.items():
        text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
        known = values.get(text)
        if known is None and isinstance(value, str):
            for part in sorted(values, key=len, reverse=True):
                text = text.replace(part, f"${{{values[part].name}}}") if len(part) > 2 else text  # noqa: PLR2004
        out[key] = value if known is None and text == value else text
        if known is not None:
            out[key] = f"${{{known.name}}}"
    return msgspec.json.encode(out).decode()


def _status(cluster: Cluster) -> str:
    """Return ``trusted`` if every task, held out, is replayed by a skill of the others."""
    tasks = cluster.tasks
    enough = len(tasks) >= TRUSTED_SUCCESSES and all(task.asked_by_user for task in tasks)
    if not enough:
        return "proposed"
    for held in range(len(tasks)):
        others = [task for at, task in enumerate(tasks) if at != held]
        template = _template(cluster.moves, others)
        bound: dict[str, str] = {}
        steps = _instances(cluster.moves, tasks[held])
        if not all(
            unify(arguments, step.arguments, bound)
            for arguments, step in zip(template.arguments, steps, strict=True)
        ):
            return "proposed"
    return "trusted"


def _failures(cluster: Cluster, tasks: Sequence[Task]) -> int:
    """Count tasks that went the same way and did not end well."""
    count = 0
    for task in tasks:
        if task.succeeded or task.scope != cluster.tasks[0].scope:
            continue
        shared = common_subsequence(cluster.moves, [step.shape for step in task.steps])
        count += len(shared) >= _MIN_FAILED_SHARE * len(cluster.moves)
    return count


def _description(cluster: Cluster, tools: Sequence[str], recovery: Sequence[SkillStep]) -> str:
    moves = ", ".join(tools)
    text = f"What worked in {len(cluster.tasks)} episodes: {moves}."
    if recovery:
        fixes = "; ".join(f"{step.tool} {step.check}" for step in recovery)
        text += f" Recovery: {fixes}."
    return text


def _placed(
    skill: PlannedSkill, known: Sequence[Skill], planned: Sequence[str]
) -> PlannedSkill | None:
    """Return the skill under a free name, as a new version of what it renews, or None if known."""
    size = len(msgspec.json.encode((skill.parameters, skill.steps, skill.recovery)))
    if size > MAX_SKILL_BYTES:
        return None
    tools = tuple(step.tool for step in skill.steps)
    for old in known:
        same_moves = tuple(step.tool for step in old.steps) == tools
        if old.name != skill.name and not same_moves:
            continue
        if _same(old, skill):
            return None
        return msgspec.structs.replace(skill, name=old.name, version=old.version + 1)
    name, number = skill.name, 2
    while name in planned:
        name, number = f"{skill.name}-{number}", number + 1
    return msgspec.structs.replace(skill, name=name)


def _same(old: Skill, new: PlannedSkill) -> bool:
    return (old.steps, old.parameters, old.recovery, old.successes, old.failures, old.status) == (
        new.steps,
        new.parameters,
        new.recovery,
        new.successes,
        new.failures,
        new.status,
    )


def _load(store: Store, known: str | None) -> list[Task]:
    out: list[Task] = []
    for ids in msgspec.json.decode(known, type=list[list[str]]) if known else []:
        try:
            rows = [store.engram(parse_id(id_)) for id_ in ids]
        except NotFoundError:
            continue
        rows.sort(key=lambda row: (row.provenance.position, row.id))
        out.extend(tasks_of(rows)[:1])
    return out


def _dump(tasks: Sequence[Task]) -> str:
    kept = tasks[-MAX_TASKS_KEPT:]
    return msgspec.json.encode([[format_id(id_) for id_ in task.sources] for task in kept]).decode()
