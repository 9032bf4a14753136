"""Runs the tests of a module against its mutants: `mutate.py` makes them.

Modules with the same tests are tried together: the tests are collected once. Then a process for
each mutant parts from the one that collected, puts the mutant's code into the functions of the
loaded module (wherever they were imported to), and runs the tests that reach the changed statement,
quick ones first, until one fails. Which tests reach which statement is seen in a first run of all
of them, on the modules as they are with every statement noted. A mutant that never ends is noticed
by a limit of CPU seconds.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import gc
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

LIMIT = 120  # CPU seconds of the tests of one mutant
WAIT = 1800  # seconds for the tests of a module as it is


@dataclasses.dataclass(frozen=True, eq=False)
class Mutant:
    """A tree with one place changed, the node, and what it says before and after."""

    module: str
    tree: ast.Module
    node: ast.AST
    before: str
    after: str

    @property
    def line(self) -> int:
        """Where it stands."""
        return getattr(self.node, "lineno", 0)


def survivors(mutants: Sequence[Mutant], tests: Sequence[str]) -> list[tuple[Mutant, bool]]:
    """The mutants that the tests do not notice, and whether a test reaches them at all."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "told.json")

        def run() -> int:
            import pytest

            quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-W", "ignore"]
            return int(pytest.main([*quiet, *tests], plugins=[_Loop(mutants, told)]))

        # A process of its own: what was imported does not reach the next modules.
        code = _apart(run, WAIT + LIMIT * len(mutants), told=Path(folder, "said"))
        if not told.exists():
            print(Path(folder, "said").read_text("utf-8", "replace")[-3000:], file=sys.stderr)
            names = sorted({one.module for one in mutants})
            raise SystemExit(f"{names}: tests fail as they are (exit code {code})")
        return [(mutants[i], reached) for i, reached in json.loads(told.read_text())]


class _Loop:
    """A plugin of pytest: in place of running the tests once it runs them for every mutant."""

    def __init__(self, mutants: Sequence[Mutant], told: Path) -> None:
        self.mutants, self.told = mutants, told

    def pytest_runtestloop(self, session: Any) -> bool:
        if session.testsfailed or not session.items:
            return False
        reached = self._reached(session)
        left = []
        for i, mutant in enumerate(self.mutants):
            number = _statement(mutant.tree, mutant.node)
            chosen = _chosen(session.items, reached, mutant.module, number)
            limit = min(LIMIT, 10 + 5 * int(sum(reached[one.nodeid][0] for one in chosen)))
            run = functools.partial(self._noticed, session, chosen, mutant)
            if not chosen or _apart(run, limit) == 0:
                left.append((i, bool(chosen)))
        self.told.write_text(json.dumps(left))
        return True

    def _noticed(self, session: Any, items: list[Any], mutant: Mutant) -> int:
        _put(sys.modules[mutant.module], mutant.tree, mutant.node)
        return _failed(session, items)

    def _reached(self, session: Any) -> dict[str, tuple[float, list[str]]]:
        """CPU seconds of every test, and the statements of the modules that it reaches."""
        place = self.told.with_name("reached.json")
        if _apart(lambda: self._noted(session, place), WAIT):
            raise SystemExit("fails as it is")
        found: dict[str, tuple[float, list[str]]] = json.loads(place.read_text())
        return found

    def _noted(self, session: Any, place: Path) -> int:
        seen: set[str] = set()
        for name in {one.module for one in self.mutants}:
            module = sys.modules[name]
            module.__dict__["_note_"] = seen.add
            source = Path(str(module.__file__)).read_text("utf-8")
            _put(module, _with_notes(ast.parse(source), name), None)
        found: dict[str, tuple[float, list[str]]] = {}
        for one in session.items:
            begun = time.process_time()
            seen.clear()
            if _failed(session, [one]):
                return 1
            found[one.nodeid] = time.process_time() - begun, sorted(seen)
        place.write_text(json.dumps(found))
        return 0


def _chosen(
    items: list[Any], reached: dict[str, Any], module: str, number: int | None
) -> list[Any]:
    """The tests that reach a statement, quick ones first; all for what is not in a function."""
    place = f"{module}:{number}"
    some = [one for one in items if number is None or place in reached[one.nodeid][1]]
    return sorted(some, key=lambda one: reached[one.nodeid][0])


def _failed(session: Any, items: list[Any]) -> int:
    """Runs tests until one fails; 1 where one does."""
    for one, after in zip(items, [*items[1:], None], strict=True):
        one.config.hook.pytest_runtest_protocol(item=one, nextitem=after)
        if session.testsfailed:
            return 1
    return 0


def _apart(run: Callable[[], int], limit: float, told: Path = Path(os.devnull)) -> int:
    """The exit code of something that runs in a process of its own, quietly."""
    child = os.fork()
    if not child:
        code = 1
        try:
            seconds = int(limit) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
            signal.alarm(20 * seconds)  # one that waits for ever
            out = os.open(told, os.O_WRONLY | os.O_CREAT)
            os.dup2(out, 1)
            os.dup2(out, 2)
            code = run()
        finally:
            sys.stdout.flush()
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                yield body


def _functions(tree: ast.AST) -> Iterator[ast.AST]:
    return (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef))


def _numbers(tree: ast.Module) -> dict[int, int]:
    """A number for every statement inside a function, by its identity."""
    bodies = (body for function in _functions(tree) for body in _bodies(function))
    return {id(one): i for i, one in enumerate(one for body in bodies for one in body)}


def _statement(tree: ast.Module, node: ast.AST) -> int | None:
    """The number of the innermost statement around a node; nothing outside of functions."""
    numbers, found = _numbers(tree), None
    for one in ast.walk(tree):  # outer ones come first
        if id(one) in numbers and any(inner is node for inner in ast.walk(one)):
            found = numbers[id(one)]
    return found


def _with_notes(tree: ast.Module, name: str) -> ast.Module:
    """The same with a note before every statement inside a function."""
    numbers = _numbers(tree)
    done: set[int] = set()
    for body in [body for function in _functions(tree) for body in _bodies(function)]:
        if id(body) not in done:
            done.add(id(body))
            body[:] = [
                part for one in body for part in (_note(f"{name}:{numbers[id(one)]}", one), one)
            ]
    return ast.fix_missing_locations(tree)


def _note(number: str, before: ast.stmt) -> ast.stmt:
    call = ast.Call(ast.Name("_note_", ast.Load()), [ast.Constant(number)], [])
    return ast.copy_location(ast.Expr(call), before)


def _put(module: ModuleType, tree: ast.Module, node: ast.AST | None) -> None:
    """Puts the code of a tree into the loaded functions of a module."""
    ast.fix_missing_locations(tree)
    codes = _codes(compile(tree, str(module.__file__), "exec"))
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__globals__ is module.__dict__:
            key = one.__code__.co_qualname, one.__code__.co_firstlineno
            if key in codes:
                one.__code__ = codes[key]
        elif isinstance(one, functools._lru_cache_wrapper):
            one.cache_clear()
    if node is not None and _statement(tree, node) is None:
        _put_outside(module, tree, node)


def _codes(code: CodeType) -> dict[tuple[str, int], CodeType]:
    found = {}
    for one in code.co_consts:
        if isinstance(one, CodeType):
            found[one.co_qualname, one.co_firstlineno] = one
            found |= _codes(one)
    return found


def _put_outside(module: ModuleType, tree: ast.Module, node: ast.AST) -> None:
    """A change of a constant, a default or a field: its statement alone is taken again."""
    (stated,) = (one for one in tree.body if any(inner is node for inner in ast.walk(one)))
    before = dict(module.__dict__)
    exec(compile(ast.Module([stated], []), str(module.__file__), "exec"), module.__dict__)
    for name, value in list(module.__dict__.items()):
        old = before.get(name)
        if value is old:
            continue
        if isinstance(old, FunctionType):
            old.__defaults__, old.__kwdefaults__ = value.__defaults__, value.__kwdefaults__
            module.__dict__[name] = old
        elif isinstance(old, type):
            _put_fields(old, value)
            module.__dict__[name] = old
        else:
            _hand_on(name, old, value)


def _put_fields(old: type, new: type) -> None:
    for name, value in vars(new).items():
        have = vars(old).get(name)
        if isinstance(have, FunctionType) and isinstance(value, FunctionType):
            have.__defaults__, have.__kwdefaults__ = value.__defaults__, value.__kwdefaults__
        elif isinstance(value, int | float | str) and not name.startswith("__"):
            setattr(old, name, value)


def _hand_on(name: str, old: object, value: object) -> None:
    """Who imported a constant by its name gets the other one."""
    for module in list(sys.modules.values()):
        if getattr(module, "__dict__", {}).get(name, _hand_on) is old:
            setattr(module, name, value)
