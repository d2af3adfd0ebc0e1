# SPDX-License-Identifier: GPL-3.0-or-later
"""export: the numbers of any method, and figures."""

import os
import tempfile

from .arrays import describe
from .errors import BrokenAnswer, Refused
from .files import read_npy
from .request import ask, scalar

_OPTIONS = ("rows", "cols", "aggregate", "colour_map", "log", "panel", "grid", "width", "height", "dpi", "font",
            "font_size", "theme", "title", "x_label", "y_label", "minus_mask", "preset", "tokens",
            "additive")
_FLAGS = ("square", "no_title", "no_legend", "no_axes", "no_colour_bar", "flat", "float32", "force")


def private_folder():
    """A folder for files of the program that only the user can read, removed at the end of ``with``."""
    try:
        return tempfile.TemporaryDirectory(prefix="vqscope-", ignore_cleanup_errors=True)
    except TypeError:  # before Python 3.10
        return tempfile.TemporaryDirectory(prefix="vqscope-")
    except OSError as error:
        raise Refused(f"cannot make a temporary folder: {error.strerror or error}") from None


def export(method, mask=None, minus=None, out=None, **values):
    """The numbers of a method (`vqscope list`) as an array; with ``out`` files are written instead.

    Values are the parameters of the method: numbers, texts, lists and arrays. ``rows``, ``cols`` (first, end) choose
    a part, ``minus`` (a dictionary) subtracts the same with other values. ``out`` is a path or several: .npy .csv
    .json hold numbers, .png .svg .pdf a figure.
    """
    if not isinstance(method, str) or not method or method.startswith("-"):
        raise Refused(f"method is {method!r} but must be the name of a method, such as \"visibility\"")
    options = _options(values, minus)
    if out is not None:
        paths = [out] if isinstance(out, (str, os.PathLike)) else list(out)
        run_export(method, mask, values, [*options, "--out", *(_path(each) for each in paths)])
        return None
    with private_folder() as folder:
        path = os.path.join(folder, "numbers.npy")
        run_export(method, mask, values, [*options, "--out", path], path)
        return read_npy(bytes_of(path))


def picture_of(mask, values):
    """The SVG of a mask."""
    with private_folder() as folder:
        path = os.path.join(folder, "mask.svg")
        run_export("visibility", mask, values, ["--width", "480px", "--out", path], path)
        return bytes_of(path).decode("utf-8")


def bytes_of(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise BrokenAnswer(f"the program has not written its answer: {error.strerror}") from None


def run_export(method, mask, values, after, answer=None):
    """Runs the command; ``answer`` is the file of ours among the arguments."""
    def question(request):
        if answer:
            request.hide(answer, "the answer")
        return request.run("export", method, after=after)

    return ask("export", mask, values, question, method)


def _options(values, minus):
    options = []
    for name in [each for each in values if each in _OPTIONS + _FLAGS]:
        value = values.pop(name)
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if name in _FLAGS:
            options.append(flag)
        elif name in ("rows", "cols"):
            options += [flag, _part(name, value)]
        else:
            options += [flag, scalar(name, value)]
    for name, value in (minus or {}).items():
        options += ["--minus", f"{name}={scalar(name, value)}"]
    return options


def _part(name, value):
    if isinstance(value, str):
        return value
    if isinstance(value, (slice, range)):
        value = (value.start, value.stop)
    try:
        first, end = value
    except (TypeError, ValueError):
        raise Refused(f"{name} is {describe(value)} but must be two numbers, the first and the end") from None
    return f"{'' if first is None else int(first)}:{'' if end is None else int(end)}"


def _path(path):
    text = os.fspath(path)
    return "./" + text if text.startswith("-") else text
