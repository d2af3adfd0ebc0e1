# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the program and runs it. Nothing is kept between two calls."""

import contextlib
import os
import shutil
import signal
import subprocess
import threading
from typing import NamedTuple

from .errors import Died, Interrupted, MissingProgram, Refused, VqscopeError

BUNDLED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_program", "vqscope")
_ASK = "set the environment variable VQSCOPE to its path, or put the program vqscope on PATH"


class Answer(NamedTuple):
    status: int
    out: bytes
    notes: list
    warnings: list


def _is_wrapper(path):
    """Whether the file is the Python script that a wheel installs for the program that it carries."""
    try:
        with open(path, "rb") as file:
            head = file.read(600)
    except OSError:
        return False
    return head.startswith(b"#!") and b"vqscope.__main__" in head


def find_program():
    """The path of the program: VQSCOPE, then PATH, then the one that the wheel carries."""
    given = os.environ.get("VQSCOPE")
    if given:
        found = shutil.which(os.path.expanduser(given))
        if found:
            return found
        state = "is not executable" if os.path.exists(given) else "does not exist"
        raise MissingProgram(f"VQSCOPE is {given}, which {state}; PATH is not searched then: {_ASK}")
    bundled = os.access(BUNDLED, os.X_OK)
    found = shutil.which("vqscope")
    if found and not (bundled and _is_wrapper(found)):
        return found
    if bundled:
        return BUNDLED
    raise MissingProgram(f"cannot find the program vqscope: {_ASK}")


def start(arguments, **options):
    """Starts the program; a program that cannot be started is a MissingProgram."""
    program = find_program()
    try:
        return subprocess.Popen([program, *arguments], **options)
    except OSError as error:
        raise MissingProgram(f"cannot run {program}: {error.strerror or error}; {_ASK}") from None
    except ValueError as error:
        raise Refused(f"an argument cannot be passed to the program: {error}") from None


@contextlib.contextmanager
def _interrupts_held():
    """Lets Ctrl+C wait: one inside Popen would leave a program of which nobody knows."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield  # other threads are not interrupted
        return
    held = []
    signal.signal(signal.SIGINT, lambda number, frame: held.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if held:
            before(*held[0])


def run(arguments, given=None):
    """Runs the program to its end; ``given`` is its standard input. Nothing runs on after an exception."""
    process = None
    try:
        with _interrupts_held():
            process = start(
                arguments,
                stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        out, err = process.communicate(given)
    except BaseException as error:
        if process is not None:
            _end(process)
            process.communicate()
        if isinstance(error, KeyboardInterrupt):
            raise Interrupted("the program vqscope was interrupted") from None
        raise
    return _answer(process.returncode, out, err.decode("utf-8", "replace"))


def _end(process):
    """Ends the program and, where it is a script, what that has started and would hold the pipes open."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        process.kill()


def _answer(status, out, err):
    if status < 0 or status > 128 + signal.SIGINT:
        number = -status if status < 0 else status - 128
        try:
            name = f"signal {number} ({signal.Signals(number).name})"
        except ValueError:
            name = f"signal {number}"
        if number == signal.SIGINT:
            raise Interrupted("the program vqscope was interrupted")
        raise Died(f"the program vqscope was ended by {name}{_tail(err)}", number)
    if status == 128 + signal.SIGINT:
        raise Interrupted("the program vqscope was interrupted")
    if status == 2 and not out.strip():
        raise Refused(refusal(err))
    if status not in (0, 1, 2):
        raise VqscopeError(f"the program vqscope ended with status {status}{_tail(err)}")
    warnings, notes = [], []
    for line in err.splitlines():
        text = line[len("vqscope: "):] if line.startswith("vqscope: ") else line
        if text.startswith("warning: "):
            warnings.append(text[len("warning: "):])
        elif text.strip():
            notes.append(text)
    return Answer(status, out, notes, warnings)


def _tail(err):
    return f": {err.strip()[-400:]}" if err.strip() else ""


def refusal(err):
    """The sentence of a refusal, with the line and caret of a text: the last that the program said."""
    kept = []
    for line in err.rstrip().splitlines():
        if line.startswith("vqscope: "):
            kept = [line[len("vqscope: "):]]
        else:
            kept.append(line)
    return "\n".join(kept) or "the program refused, without a reason"
