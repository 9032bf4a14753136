"""The commands, and what becomes of their failures."""

from __future__ import annotations

import errno
import itertools
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Annotated

import typer
from typer.exceptions import Abort, TyperException

from ..core.errors import SfumatoError
from ..core.load import load
from ..methods import METHODS

# The commands beside the verbs, in the order of the help, and where each is.
COMMANDS = {
    "recognize": "recognize:command",
    "recognise": "recognize:command",
    "learn": "learn:command",
    "run": "run:command",
    "policy": "policy:app",
    "new": "policy:new",
    "schema": "schema:app",
    "verify": "verify:command",
    "report": "report:command",
    "risk": "risk:command",
    "attack": "attack:command",
    "evaluate": "evaluate:command",
    "sweep": "sweep:command",
    "studio": "studio:command",
    "demo": "demo:command",
    "doctor": "doctor:command",
}

# What the list of commands says of each, short enough for one line of it.
SUMMARIES = {
    "suppress": "Stars what is rare: all that stays legible is shared by k.",
    "redact": "Hides letters of listed terms, so that k terms look alike.",
    "generalize": "Replaces sensitive words by more general ones.",
    "sanitize": "Removes sensitive patterns from sequences.",
    "pseudonymize": "Replaces names, dates and the like by surrogates.",
    "anonymize": "Makes k people alike in the columns and texts of a table.",
    "recognize": "Finds what identifies people, as spans to review.",
    "learn": "Teaches a recogniser what a person reviewed.",
    "run": "Makes a release by a policy: all stages, verified.",
    "policy": "Checks and drafts policies (release.yaml).",
    "new": "Drafts a policy and its schema for a file.",
    "schema": "Proposes and checks schemas of tables.",
    "verify": "Checks every claim of a release.",
    "report": "Writes the report of a release as one HTML file.",
    "risk": "Tells who stands out in a table before it is released.",
    "attack": "Attacks a release and compares with a control.",
    "evaluate": "Measures a release against annotations or a task.",
    "sweep": "Compares privacy and loss over values of a parameter.",
    "studio": "Opens a page on this machine to make releases.",
    "demo": "Makes an example release of an invented clinic.",
    "doctor": "Shows what is installed and what works.",
}


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(version("sfumato"))
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


@cache
def application(only: str | None = None) -> typer.Typer:
    """All commands, or one of them: what no other needs is not loaded."""
    made = typer.Typer(
        name="sfumato",
        help="Makes text, strings and tables safe to publish, and proves what it guarantees.",
        epilog="Exit codes: 0 verified, 1 unexpected, 2 bad input, 3 cannot be met, "
        "4 not verified (nothing written), 5 an optional part is not installed.",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback()(_options)
    for name in (*METHODS, *COMMANDS) if only is None else (only,):
        short = SUMMARIES.get(name)
        if name in METHODS:
            made.command(name, short_help=short)(load("cli.verb:command")(name))
        elif COMMANDS[name].endswith(":app"):
            made.add_typer(load(f"cli.{COMMANDS[name]}"), name=name, short_help=short)
        else:
            hidden = name == "recognise"
            made.command(name, hidden=hidden, short_help=short)(load(f"cli.{COMMANDS[name]}"))
    return made


def __getattr__(name: str) -> typer.Typer:
    if name == "app":
        return application()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# What a machine refuses: space, rights, files that only may be read.
REFUSALS = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EACCES, errno.EPERM, errno.EROFS),
    errno.EIO,
)


INTERRUPTED = 128 + signal.SIGINT


class EndSignal(BaseException):
    """A signal that ends the command, after what is temporary is removed."""

    def __init__(self, number: int):
        self.number = number


def run(arguments: Sequence[str]) -> int:
    """Runs one command line; returns its exit code."""
    try:
        first = arguments[0] if arguments else ""
        app = application(first if first in METHODS or first in COMMANDS else None)
        result = app(list(arguments), standalone_mode=False, prog_name="sfumato")
        if result == INTERRUPTED:  # Typer has caught it
            return _interrupted()
        return result if isinstance(result, int) else 0
    except (Abort, KeyboardInterrupt):
        return _interrupted()
    except EndSignal as ended:
        return _interrupted(128 + ended.number)
    except TyperException as problem:
        context = getattr(problem, "ctx", None)
        usage = f" (see {context.command_path} --help)" if context else ""
        return _fail(problem.format_message() + usage, 2, arguments)
    except SfumatoError as problem:
        return _fail(str(problem), problem.exit_code, arguments)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as problem:
        if problem.errno not in REFUSALS:
            return _unexpected(problem, arguments)
        refusal = os.strerror(problem.errno)  # its own message would name files
        return _fail(f"{refusal.lower()}; nothing was written", 1, arguments)
    except MemoryError:
        return _fail("not enough memory; give less input at a time", 1, arguments)
    except Exception as problem:
        return _unexpected(problem, arguments)


def _interrupted(code: int = INTERRUPTED) -> int:
    with suppress(OSError):  # of a terminal that was closed
        if sys.stderr.isatty():
            print("\x1b[?25h", end="", file=sys.stderr)  # the cursor, which a bar hides
        print("sfumato: interrupted; nothing was written", file=sys.stderr)
    return code


def _unexpected(problem: Exception, arguments: Sequence[str]) -> int:
    import traceback

    # The exception's own message may hold the user's text: only its kind and place are shown.
    if os.environ.get("SFUMATO_DEBUG"):
        traceback.print_exception(problem)
    place = traceback.extract_tb(problem.__traceback__)[-1]
    return _fail(
        f"unexpected {type(problem).__name__} in {os.path.basename(place.filename)}, "
        f"line {place.lineno}; "
        "nothing was written; SFUMATO_DEBUG=1 shows the whole trace, which may contain your text",
        1,
        arguments,
    )


def _fail(message: str, code: int, arguments: Sequence[str]) -> int:
    if "--json" in arguments:
        stream = sys.stderr if _data_on_stdout(arguments) else sys.stdout
        print(json.dumps({"error": message, "exit_code": code}, ensure_ascii=False), file=stream)
    else:
        print(f"sfumato: {message}", file=sys.stderr)
    return code


def _data_on_stdout(arguments: Sequence[str]) -> bool:
    """Whether standard output is for the data, so that nothing else may stand there."""
    given = list(arguments)
    pairs = itertools.pairwise(given)
    joined = ("-o-", "-o=-", "--output=-")
    return any(one in joined for one in given) or any(
        name in ("-o", "--output") and value == "-" for name, value in pairs
    )
