# SPDX-License-Identifier: GPL-3.0-or-later
"""The source of one function, proved to be its source: compiled again, it gives the same code."""

import __future__
import ast
import dis
import inspect
import linecache
import textwrap
import types

_FUTURES = 0
for _name in __future__.all_feature_names:
    _FUTURES |= getattr(__future__, _name).compiler_flag


class Unreadable(Exception):
    """Why the source of a function cannot serve as the text of a mask."""


class Source:
    """A function's definition: ``text`` without indentation, its ``node``, which begins at the text's start."""

    def __init__(self, text, node):
        self.text = text
        self.node = node

    @property
    def is_lambda(self):
        return isinstance(self.node, ast.Lambda)


def source_of(function):
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines or code.co_firstlineno > len(lines):
        raise Unreadable("its source is not stored in a file")
    if function.__name__ == "<lambda>":
        return _lambda(function, lines)
    try:
        block = textwrap.dedent("".join(inspect.getblock(lines[code.co_firstlineno - 1:])))
        body = ast.parse(block).body
    except (SyntaxError, IndentationError, ValueError):
        raise Unreadable("its source cannot be cut out of its file") from None
    if not body or not isinstance(body[0], ast.FunctionDef):
        raise Unreadable("its source is not a def")
    node = body[0]
    # Decorators stand before the def: what they return was unwrapped, and is compared here.
    text = "".join(block.splitlines(keepends=True)[node.lineno - 1:])
    node = ast.parse(text).body[0]
    if not _is_same(ast.Module([node], []), function):
        raise Unreadable("its source has changed since it was defined")
    return Source(_segment(text, node), node)


def _segment(text, node):
    return "".join(text.splitlines(keepends=True)[:node.end_lineno]).rstrip() + "\n"


def _lambda(function, lines):
    whole = "".join(lines)
    try:
        tree = ast.parse(whole)
    except SyntaxError:
        raise Unreadable("its source cannot be cut out of its file") from None
    first = function.__code__.co_firstlineno
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda) and node.lineno == first:
            if not _is_same(ast.Module([ast.Expr(node)], []), function):
                continue
            # A lambda may go over several lines inside brackets of its surroundings.
            text = "(" + ast.get_source_segment(whole, node) + ")"
            return Source(text, ast.parse(text, mode="eval").body)
    raise Unreadable("its lambda is not found in its source")


def _is_same(module, function):
    code = function.__code__
    if code.co_freevars:
        arguments = ", ".join(code.co_freevars)
        outer = ast.parse(f"def _outer({arguments}):\n    pass")
        outer.body[0].body = module.body
        module = outer
    ast.fix_missing_locations(module)
    try:
        compiled = compile(module, "<mask>", "exec", code.co_flags & _FUTURES, True)
    except (SyntaxError, ValueError):
        return False
    within = _codes(compiled)
    if code.co_freevars:
        within = [inner for outer in within for inner in _codes(outer)]
    # Not those inside: a lambda may return the one that is looked for.
    return any(_equal(each, code) for each in within)


def _codes(code):
    return [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


_SKIPPED = {"PRECALL", "PUSH_NULL", "CACHE", "NOP", "EXTENDED_ARG"}
_JUMPS = {*dis.hasjrel, *dis.hasjabs}


def _steps(code):
    """What the code does. Python calls methods of names that its module imports by other instructions."""
    for each in dis.get_instructions(code):
        if each.opname not in _SKIPPED:
            value = each.arg if each.opcode in dis.hasconst else each.argval
            name = each.opname.replace("LOAD_METHOD", "LOAD_ATTR").replace("CALL_METHOD", "CALL_FUNCTION")
            yield name, None if each.opcode in _JUMPS else value


def _equal(a, b):
    if list(_steps(a)) != list(_steps(b)):
        return False
    for name in ("co_names", "co_varnames", "co_freevars", "co_cellvars", "co_name", "co_argcount",
                 "co_kwonlyargcount"):
        if getattr(a, name) != getattr(b, name):
            return False
    if len(a.co_consts) != len(b.co_consts):
        return False
    for one, other in zip(a.co_consts, b.co_consts):
        if isinstance(one, types.CodeType) and isinstance(other, types.CodeType):
            if not _equal(one, other):
                return False
        elif type(one) is not type(other) or repr(one) != repr(other):
            if not (isinstance(one, str) and isinstance(other, str) and _is_same_text(one, other)):
                return False
    return True


def _is_same_text(one, other):
    """Docstrings differ by their indentation, qualified names of inner functions by what is around them."""
    return one.split() == other.split() or ("<locals>" in other and one.rpartition(".")[2] == other.rpartition(".")[2])


def free_names(function):
    """Names that the function takes from its surroundings, as (name, value); those that have none are left out."""
    code = function.__code__
    values = {}
    for name, cell in zip(code.co_freevars, function.__closure__ or ()):
        try:
            values[name] = cell.cell_contents
        except ValueError:
            raise Unreadable(f"its variable {name} has no value yet") from None
    for name in _globals(code):
        if name not in values and name in function.__globals__:
            values[name] = function.__globals__[name]
    return values


def _globals(code):
    names = {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names.update(_globals(constant))
    return sorted(names)
