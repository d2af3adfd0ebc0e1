# SPDX-License-Identifier: GPL-3.0-or-later
"""A definition with its outside names replaced where they need it; everything else stays as it was written."""

import ast
import enum
import types

from ..arrays import is_array
from .source import Unreadable

_LEAVES = (str, int, float, list, tuple, dict, set, frozenset, range, type(None))


def edited(source, name, values, own, defaults, reader):
    """The definition under ``name``. ``own`` is the parameter that an object is bound to, or None."""
    return _Editor(source, values, reader).run(name, own, defaults)


class _Editor:
    def __init__(self, source, values, reader):
        self.text = source.text.encode("utf-8")
        self.source = source
        self.values = values
        self.reader = reader
        self.edits = []
        self.starts = [0]
        for line in self.text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def run(self, name, own, defaults):
        node = self.source.node
        bound = _bound_names(node) - {own}
        clash = bound & set(self.values)
        if clash:
            raise Unreadable(f"the name {min(clash)} means two things in it")
        self._names(node, own)
        self._defaults(node.args, defaults)
        if own is not None:
            self._drop_first(node.args)
        if self.source.is_lambda:
            return f"{name} = {self._result()}\n\n"
        start = self.text.index(b"def ") + 4
        self.edits.append((start, start + len(node.name.encode()), name))
        return self._result() + "\n"

    def _result(self):
        text = self.text
        for start, end, replacement in sorted(self.edits, reverse=True):
            text = text[:start] + replacement.encode("utf-8") + text[end:]
        return text.decode("utf-8")

    def _place(self, node):
        return (self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset)

    def _replace(self, node, text):
        start, end = self._place(node)
        if self.text[start:end] != text.encode("utf-8"):
            self.edits.append((start, end, text))

    def _names(self, node, own):
        parents = {child: parent for parent in ast.walk(node) for child in ast.iter_child_nodes(parent)}
        skipped = set()
        for part in _annotations(node):
            skipped |= set(ast.walk(part))
        for part in [*node.args.defaults, *node.args.kw_defaults]:
            skipped |= set(ast.walk(part)) if part is not None else set()
        for each in ast.walk(node):
            if isinstance(each, ast.Compare) and each not in skipped and self._is_about_enums(each):
                skipped |= set(ast.walk(each))
                code = compile(ast.Expression(each), "<mask>", "eval")
                self._replace(each, repr(bool(eval(code, dict(self.values)))))
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and each.id in self.values and each not in skipped:
                whole, value, last = each, self.values[each.id], each.id
                while _is_object(value) and isinstance(parents.get(whole), ast.Attribute):
                    whole = parents[whole]
                    last = whole.attr
                    try:
                        value = getattr(value, last)
                    except AttributeError as error:
                        raise Unreadable(str(error)) from None
                if is_array(value) and _is_narrow(value) and self._is_calculated_with(whole, parents):
                    raise Unreadable(f"{last} has few bits, and sums of it may overflow")
                if isinstance(value, types.ModuleType) and whole is not each:
                    raise Unreadable(f"{last} is a module inside another")
                if not self.text[self._place(each)[0]:].startswith(each.id.encode("utf-8")):
                    raise Unreadable(f"{each.id} stands in an f-string")  # whose places Python 3.11 does not tell
                self._replace(whole, self.reader.bind(last, value))

    def _is_about_enums(self, compare):
        """Whether the comparison has nothing but names and members of enums: its value is known."""
        parts = list(ast.walk(compare))
        names = [each for each in parts if isinstance(each, ast.Name)]
        kinds = (ast.Compare, ast.Name, ast.Attribute, ast.Constant, ast.cmpop, ast.expr_context)
        if not all(isinstance(each, kinds) for each in parts) or not all(each.id in self.values for each in names):
            return False
        values = [self.values[each.id] for each in names]
        return any(isinstance(each, (enum.Enum, enum.EnumMeta)) for each in values)

    def _is_calculated_with(self, node, parents, depth=0):
        """Whether a value of this array enters a sum: integers of the mask language have 64 bits."""
        while isinstance(parents.get(node), (ast.Subscript, ast.Attribute)) and parents[node].value is node:
            node = parents[node]
        parent = parents.get(node)
        if isinstance(parent, ast.BinOp):
            return not isinstance(parent.op, (ast.BitAnd, ast.BitOr, ast.BitXor))
        if isinstance(parent, ast.UnaryOp):
            return not isinstance(parent.op, ast.Not)
        if isinstance(parent, ast.Assign) and depth < 8:
            names = {each.id for target in parent.targets for each in ast.walk(target) if isinstance(each, ast.Name)}
            return any(self._is_calculated_with(each, parents, depth + 1) for each in parents
                       if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id in names)
        return False

    def _defaults(self, arguments, values):
        nodes = [*arguments.defaults, *(each for each in arguments.kw_defaults if each is not None)]
        names = [each.arg for each in (arguments.posonlyargs + arguments.args)[::-1]][:len(arguments.defaults)][::-1]
        names += [each.arg for each, given in zip(arguments.kwonlyargs, arguments.kw_defaults) if given is not None]
        for node, name, value in zip(nodes, names, values):
            text = self.reader.value(value, name)
            self._replace(node, text)

    def _drop_first(self, arguments):
        both = arguments.posonlyargs + arguments.args
        end = self._place(both[1])[0] if len(both) > 1 else self._place(both[0])[1]
        self.edits.append((self._place(both[0])[0], end, ""))


def _is_object(value):
    """Whether attributes of the value are looked up, rather than written as they are."""
    if isinstance(value, types.ModuleType):
        return value.__name__.partition(".")[0] not in ("torch", "numpy", "math", "jax", "functools", "operator")
    if hasattr(value, "_fields") and isinstance(value, tuple):
        return True  # a named tuple
    return not (isinstance(value, _LEAVES) or is_array(value) or isinstance(value, types.FunctionType)
                or type(value).__name__ == "dtype")


def _is_narrow(value):
    """Whether sums of the array's numbers wrap around early, in NumPy and torch."""
    kind = str(getattr(value, "dtype", "")).rpartition(".")[2]
    return kind in ("int8", "int16", "uint8", "uint16", "uint32", "uint64")


def _bound_names(node):
    """Every name that the function or one inside it binds."""
    names = set()
    for each in ast.walk(node):
        if isinstance(each, ast.arg):
            names.add(each.arg)
        elif isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load):
            names.add(each.id)
        elif isinstance(each, (ast.FunctionDef, ast.ClassDef)) and each is not node:
            names.add(each.name)
    return names


def _annotations(node):
    for each in ast.walk(node):
        if isinstance(each, ast.arg) and each.annotation is not None:
            yield each.annotation
        elif isinstance(each, ast.FunctionDef) and each.returns is not None:
            yield each.returns
        elif isinstance(each, ast.AnnAssign):
            yield each.annotation
