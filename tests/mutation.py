"""Mutation testing of rules, scoring and findings: every kernel and settlement function, run as plain Python.

    uv run --with mutmut==3.8.1 python tests/mutation.py --sample 120 --jobs 2 --out mutants.jsonl

mutmut itself leaves out decorated functions, and every kernel is one; so its mutation operators are used here (and four
more, ``MORE``) and this driver applies them: pytest collects once, then each mutant is a forked process that puts the
changed code into the function (``function.__code__``: every importer sees it), runs the tests that reach the changed
line, and stops at the first failure. A run goes on where ``--out`` ended; ``--again`` repeats what survived.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import pickle
import random
import resource
import signal
import sys
import tempfile
import time
import types
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coverage
import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

ROOT = Path(__file__).resolve().parent.parent
FILES = (
    *(f"replay/kernels/{name}.py" for name in ("bits", "hands", "sentences", "rights", "state", "opening", "window")),
    *(f"replay/kernels/{name}.py" for name in ("claims", "wins", "step", "score", "legal")),
    *(f"replay/{name}.py" for name in ("penalties", "escape", "score", "settlement", "findings", "seating", "session")),
)
TESTS = (
    "tests/rules",
    "tests/samples/test_samples.py",
    "tests/oracle/test_agree_small.py",
    "tests/oracle/test_splits.py",
    "tests/replay/test_penalties.py",
    "tests/replay/test_session.py",
    "tests/replay/test_guilin_states.py",
    "tests/replay/test_findings.py",
    "tests/replay/test_settlement.py",
    "tests/replay/test_seating.py",
    "tests/replay/test_hidden.py",
    "tests/replay/test_inject_small.py",
    "tests/replay/test_windows.py",
    "tests/replay/test_score.py",
)
BUDGET = 60.0
"""Seconds of tests a mutant has to survive, of those that reach its line: keen ones, then quick ones of few lines."""
UNCHANGED = 5.0
"""The same for what changes nothing."""


@dataclass(frozen=True)
class Mutant:
    """One change, in lines ``line`` to ``end``: ``key`` names it, ``code`` is the whole changed function."""

    key: str
    file: str
    function: str
    line: int
    end: int
    kind: str
    was: str
    now: str
    code: str


def _smaller(node: cst.Integer) -> Iterator[cst.CSTNode]:
    if node.evaluated_value > 0:
        yield cst.Integer(str(node.evaluated_value - 1))


def _negated(node: cst.If) -> Iterator[cst.CSTNode]:
    test = node.test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    yield node.with_changes(test=cst.UnaryOperation(cst.Not(), test))


def _one_side(node: cst.BooleanOperation) -> Iterator[cst.CSTNode]:
    yield node.left.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    yield node.right.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _removed(node: cst.SimpleStatementLine) -> Iterator[cst.CSTNode]:
    first = node.body[0]
    said = isinstance(first, cst.Expr) and isinstance(first.value, cst.SimpleString | cst.ConcatenatedString)
    if not said and isinstance(first, cst.Expr | cst.Assign | cst.AugAssign | cst.Return | cst.Raise):
        yield node.with_changes(body=[cst.Pass()])


MORE = (
    (cst.Integer, _smaller),
    (cst.If, _negated),
    (cst.BooleanOperation, _one_side),
    (cst.SimpleStatementLine, _removed),
)


class _Collector(cst.CSTVisitor):
    """Every mutation inside a function; not of annotations, defaults and decorators."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        self.names: list[str] = []
        self.functions: list[cst.FunctionDef] = []
        self.found: list[tuple[str, cst.FunctionDef, tuple[int, int], str, cst.CSTNode, cst.CSTNode]] = []

    def visit_ClassDef(self, node: cst.ClassDef) -> bool:  # noqa: N802
        self.names.append(node.name.value)
        return True

    def leave_ClassDef(self, original_node: cst.ClassDef) -> None:  # noqa: N802
        self.names.pop()

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:  # noqa: N802
        if not self.functions:
            self.names.append(node.name.value)
        self.functions.append(node)
        node.body.visit(self)
        self.functions.pop()
        if not self.functions:
            self.names.pop()
        return False

    def visit_Annotation(self, node: cst.Annotation) -> bool:  # noqa: N802
        return False

    def on_visit(self, node: cst.CSTNode) -> bool:
        if self.functions and not isinstance(node, cst.FunctionDef):
            last = node.test if isinstance(node, cst.If) else node
            first, end = (self.get_metadata(PositionProvider, at) for at in (node, last))
            lines = first.start.line, end.end.line
            for wanted, operator in (*mutation_operators, *MORE):
                if isinstance(node, wanted):
                    for changed in operator(node):  # type: ignore[operator]
                        kind = operator.__name__.removeprefix("operator_")
                        self.found.append((".".join(self.names), self.functions[0], lines, kind, node, changed))
        return super().on_visit(node)


def mutants_of(file: str) -> list[Mutant]:
    """All mutants of a file, in the order of its text."""
    module = MetadataWrapper(cst.parse_module((ROOT / file).read_text(encoding="utf-8")))
    collector = _Collector()
    module.visit(collector)
    made: list[Mutant] = []
    numbers: Counter[str] = Counter()
    seen: set[str] = set()
    for name, function, lines, kind, node, changed in collector.found:
        whole = function.deep_replace(node, changed).with_changes(decorators=[], lines_after_decorators=[])  # type: ignore[arg-type]
        code = cst.Module([whole]).code  # type: ignore[list-item]
        if code in seen:
            continue
        seen.add(code)
        was, now = (" ".join(cst.Module([]).code_for_node(part).split()) for part in (node, changed))
        numbers[name] += 1
        short = [text if len(text) < 150 else f"{text[:147]}..." for text in (was, now)]
        made.append(Mutant(f"{file}:{name}:{numbers[name]}", file, name, *lines, kind, short[0], short[1], code))
    return made


def put(mutant: Mutant) -> None:
    """Put the changed code into the living function, and forget what was computed with the old one."""
    module = importlib.import_module(mutant.file.removesuffix(".py").replace("/", "."))
    target: Any = module
    for part in mutant.function.split("."):
        target = target.__dict__[part]
    target = getattr(target, "fget", None) or getattr(target, "__func__", target)
    if hasattr(target, "cache_clear"):
        target.cache_clear()
        target = target.__wrapped__
    scope: dict[str, Any] = {}
    exec(
        compile("from __future__ import annotations\n" + mutant.code, mutant.file, "exec"), dict(module.__dict__), scope
    )
    target.__code__ = scope[target.__name__].__code__
    for loaded in list(sys.modules.values()):
        if (getattr(loaded, "__name__", "") or "").startswith(("replay.", "tests.")):
            for value in list(vars(loaded).values()):
                if hasattr(value, "cache_clear") and value is not importlib.import_module("replay.kernels.jit").plain:
                    value.cache_clear()


class Driver:
    """A pytest plugin: instead of running the tests, run the mutants."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.items: list[pytest.Item] = []
        self.keen: dict[str, Counter[int]] = defaultdict(Counter)
        self.wide: Counter[int] = Counter()
        self.failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = session.items
        gc.freeze()
        lines, seconds = self.baseline()
        self.wide = Counter(test for tests in lines.values() for test in tests)
        todo = self.chosen()
        print(f"{len(self.items)} tests, {sum(seconds):.0f} s under coverage, {len(todo)} mutants to run", flush=True)
        todo = self.unchanged() + todo
        running: dict[int, tuple[Mutant, float, float, list[int], Path]] = {}
        with Path(self.options.out).open("a", encoding="utf-8") as out:
            while todo or running:
                while todo and len(running) < self.options.jobs and time.time() < self.options.until:
                    mutant = todo.pop(0)
                    tests = self.selected(mutant, lines, seconds)
                    if not tests:
                        self.note(out, mutant, "not reached", -1, 0.0)
                        continue
                    said = Path(tempfile.mkstemp()[1])
                    allowed = 10 + 6 * sum(seconds[test] for test in tests)
                    now = time.time()
                    running[self.fork(mutant, tests, said)] = (mutant, now, now + allowed, tests, said)
                if not running:
                    break
                self.reap(running, out)
        return True

    def reap(self, running: dict[int, Any], out: Any) -> None:
        time.sleep(0.01)
        for pid, (mutant, start, deadline, _, said) in list(running.items()):
            done, status = os.waitpid(pid, os.WNOHANG)
            if not done and time.time() < deadline:
                continue
            if not done:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            text = said.read_text()
            said.unlink()
            killer = int(text) if text.isdecimal() else -1
            ended = {0: "survived", 1: "killed"}.get(os.waitstatus_to_exitcode(status), "crash") if done else "timeout"
            verdict = f"error {text}" if text and killer < 0 else ended
            if killer >= 0:
                self.keen[mutant.file][killer] += 1
            self.note(out, mutant, verdict, killer, time.time() - start)
            del running[pid]

    def note(self, out: Any, mutant: Mutant, verdict: str, killer: int, seconds: float) -> None:
        row = {name: getattr(mutant, name) for name in ("key", "file", "function", "line", "kind", "was", "now")}
        row |= {
            "verdict": verdict,
            "by": self.items[killer].nodeid if killer >= 0 else "",
            "seconds": round(seconds, 2),
        }
        out.write(json.dumps(row, ensure_ascii=False) + "\n")
        out.flush()
        if mutant.kind == "unchanged" and verdict != "survived":
            raise SystemExit(f"the tests fail without a change in {mutant.key}: {row}")

    def selected(self, mutant: Mutant, lines: dict[tuple[str, int], list[int]], seconds: list[float]) -> list[int]:
        """The tests that reach the line, keen ones first, then by time and by how much they reach, up to the budget."""
        keen = self.keen[mutant.file]
        budget = min(UNCHANGED, self.options.budget) if mutant.kind == "unchanged" else self.options.budget
        reach = {test for at in range(mutant.line, mutant.end + 1) for test in lines.get((mutant.file, at), [])}
        tests = sorted(reach, key=lambda test: (-keen[test], seconds[test] * self.wide[test]))
        spent, chosen = 0.0, []
        for test in tests:
            spent += seconds[test]
            if chosen and spent > budget:
                break
            chosen.append(test)
        return chosen

    def chosen(self) -> list[Mutant]:
        """A seeded sample of every file, the files in turn; without what ``--out`` already has."""
        path = Path(self.options.out)
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
        last = {row["key"]: row["verdict"] for row in rows}
        found: dict[str, list[Mutant]] = {}
        for file in self.options.files:
            every = mutants_of(file)
            random.Random(f"{self.options.seed} {file}").shuffle(every)
            found[file] = every
            print(f"{file}: {len(every)} mutants", flush=True)
        Path(f"{self.options.out}.total").write_text(json.dumps({file: len(every) for file, every in found.items()}))
        turns = [
            found[file][turn]
            for turn in range(max(map(len, found.values())))
            for file in found
            if turn < min(len(found[file]), self.options.sample)
        ]
        if self.options.again:
            return [m for each in found.values() for m in each if last.get(m.key) in ("survived", "not reached")]
        return [mutant for mutant in turns if mutant.key not in last]

    def unchanged(self) -> list[Mutant]:
        """One mutant a file that changes nothing. It must survive, else the driver itself breaks the tests."""
        made = []
        for file in self.options.files:
            module = cst.parse_module((ROOT / file).read_text(encoding="utf-8"))
            node = [node for node in module.body if isinstance(node, cst.FunctionDef)][-1]
            code = cst.Module([node.with_changes(decorators=[], lines_after_decorators=[])]).code
            living = importlib.import_module(file.removesuffix(".py").replace("/", ".")).__dict__[node.name.value]
            first = living.__code__.co_firstlineno
            last, kind = first + code.count("\n"), "unchanged"
            made.append(Mutant(f"{file}:{node.name.value}:0", file, node.name.value, first, last, kind, "", "", code))
        return made

    def run(self, tests: Iterable[int]) -> Iterator[tuple[int, float]]:
        """Run tests one by one; yields each with its seconds."""
        order = [self.items[test] for test in tests]
        numbers = list(tests)
        for item, number, after in zip(order, numbers, [*order[1:], None], strict=True):
            start = time.time()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            yield number, time.time() - start

    def fork(self, mutant: Mutant, tests: list[int], said: Path) -> int:
        pid = os.fork()
        if pid:
            return pid
        status = 1
        try:
            sink = os.open(os.devnull, os.O_WRONLY)
            os.dup2(sink, 1)
            os.dup2(sink, 2)
            resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
            put(mutant)
            status = 0
            for number, _ in self.run(tests):
                if self.failed:
                    said.write_text(str(number))
                    status = 1
                    break
        except BaseException as error:
            said.write_text(f"{type(error).__name__}: {error}")
            status = 3
        os._exit(status)

    def baseline(self) -> tuple[dict[tuple[str, int], list[int]], list[float]]:
        """Which tests reach which line, and how long they take; in a child, so that no cache is filled here."""
        said = Path(f"{self.options.out}.lines")
        pid = -1 if said.exists() else os.fork()
        if pid == 0:
            watch = coverage.Coverage(data_file=None, include=[str(ROOT / file) for file in FILES])
            watch.start()
            seconds, bad = [], []
            for number in range(len(self.items)):
                watch.switch_context(str(number))
                self.failed = False
                seconds += [taken for _, taken in self.run([number])]
                if self.failed:
                    bad.append(number)
            watch.stop()
            data = watch.get_data()
            lines = {
                (file, line): sorted({int(name) for name in names if name} - set(bad))
                for file in FILES
                for line, names in data.contexts_by_lineno(str(ROOT / file)).items()
            }
            said.write_bytes(pickle.dumps(([item.nodeid for item in self.items], lines, seconds, bad)))
            os._exit(0)
        if pid > 0:
            os.waitpid(pid, 0)
        names, lines, seconds, bad = pickle.loads(said.read_bytes())
        if names != [item.nodeid for item in self.items]:
            raise SystemExit(f"the tests are not those of {said}: delete it")
        for number in bad:
            print(f"fails without a mutant, left out: {self.items[number].nodeid}", flush=True)
        return lines, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", default=FILES)
    parser.add_argument("--out", default="mutants.jsonl")
    parser.add_argument("--sample", type=int, default=1 << 30, help="mutants of each file; default all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--budget", type=float, default=BUDGET)
    parser.add_argument("--minutes", type=float, default=1e9, help="start no mutant after this time")
    parser.add_argument("--again", action="store_true", help="only what survived before")
    options = parser.parse_args()
    options.until = time.time() + 60 * options.minutes
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    jit: types.ModuleType = importlib.import_module("replay.kernels.jit")
    jit.compiled = jit.plain  # type: ignore[attr-defined]
    how = [
        "-p",
        "no:xdist",
        "-p",
        "no:cacheprovider",
        "-s",
        "-q",
        "-o",
        "addopts=--import-mode=importlib",
        "-m",
        "not slow",
    ]
    pytest.main([*how, *TESTS], plugins=[Driver(options)])


if __name__ == "__main__":
    main()
