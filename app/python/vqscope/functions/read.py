# SPDX-License-Identifier: GPL-3.0-or-later
"""A Python mask_mod as a text of the mask language: its source, that of the functions it calls, and the values
of its closures. Numbers stand in the text, arrays beside it."""

import builtins
import functools
import keyword
import types

from ..arrays import describe, is_array, loaded, plain
from ..errors import Refused
from .edit import edited
from .source import Unreadable, free_names, source_of

LONGEST = 65_000
_MODULES = {"torch": "torch", "numpy": "np", "math": "math", "jax.numpy": "jnp", "torch.nn.functional": "F",
            "functools": "functools", "operator": "operator"}
_INDICES = ("b", "h", "q_idx", "kv_idx")
_CACHE = type(functools.lru_cache(maxsize=None)(len))
_COMBINE = ("and_masks", "or_masks")
# The last row are parameters of every mask, which the text's names would hide.
_TAKEN = {*_INDICES, *_COMBINE, *_MODULES.values(), "jax", "mx", "partial", "reduce",
          "q_length", "kv_length", "past_len", "padding", "padding_side", "prefix_length", "document_lengths"}


class MaskText:
    """The text, the name of its mask, and the arrays that it reads."""

    def __init__(self, text, name, arrays):
        self.text = text
        self.name = name
        self.arrays = arrays


def read(function, inline=0, taken=()):
    """Reads a function; arrays of up to ``inline`` numbers are written into the text. Names that are ``taken`` mean
    something else to the caller. Raises Unreadable."""
    reader = _Reader(inline, taken)
    name = reader.mask(function)
    text = "".join(reader.parts)
    if not text:
        raise Unreadable("it is a function of Python's own")
    if len(text.encode("utf-8", "replace")) > LONGEST:
        raise Unreadable("its values are too long for a text")
    return MaskText(text, name, reader.arrays)


def unwrapped(function):
    """Without caches and torch's own decorators, which change no value; others may."""
    for _ in range(32):
        code = getattr(function, "__code__", None)
        if code is not None and "_dynamo" in code.co_filename:
            inner = getattr(function, "_torchdynamo_orig_callable", None)
        elif isinstance(function, _CACHE) or (code is not None and "/torch/" in code.co_filename):
            inner = getattr(function, "__wrapped__", None)  # of torch: no_grad, inference_mode
        else:
            inner = None
        if inner is None:
            return function
        function = inner
    return function


def parameter_count(function):
    """Parameters by position without a default, or None."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_flags & 0x04:
        return None
    bound = 1 if isinstance(function, types.MethodType) else 0
    plain_function = getattr(function, "__func__", function)
    return code.co_argcount - bound - len(plain_function.__defaults__ or ())


class _Reader:
    def __init__(self, inline, taken):
        self.inline = inline
        self._taken = {*_TAKEN, *taken}
        self.parts = []
        self.arrays = {}
        self._names = {}  # name -> what it means
        self._known = {}  # id of a function or an array -> its name

    def mask(self, function):
        """The name of a function of (b, h, q, kv) that is the mask."""
        inner = unwrapped(function)
        if isinstance(inner, functools.partial) or parameter_count(inner) == 2:
            return self._wrapper(inner)
        return self.function(inner, "mask_mod")

    def _wrapper(self, function):
        given, named = [], {}
        while isinstance(function, functools.partial):
            given = [*function.args, *given]
            named = {**function.keywords, **named}
            function = unwrapped(function.func)
        count = parameter_count(function)
        rest = _INDICES[2:] if count is not None and count - len(given) - len(named) == 2 else _INDICES
        texts = [self.value(each, "given") for each in given]
        texts += rest
        texts += [f"{name}={self.value(each, name)}" for name, each in named.items()]
        inner = self.function(function, "inner_mask")
        name = self._new_name("mask_mod", function)
        self.parts.append(f"def {name}(b, h, q_idx, kv_idx):\n    return {inner}({', '.join(texts)})\n\n")
        return name

    def function(self, function, hint):
        function = unwrapped(function)
        if id(function) in self._known:
            return self._known[id(function)]
        if isinstance(function, functools.partial):
            return self._wrapper(function)
        dotted = _library_name(function)
        if dotted:
            return dotted
        joined = self._composition(function, hint)
        if joined:
            return joined
        own = None
        if not isinstance(function, (types.FunctionType, types.MethodType)) and hasattr(type(function), "__call__"):
            function = getattr(function, "forward", None) or function.__call__
        whole = function
        if isinstance(function, types.MethodType):
            own, function = function.__self__, function.__func__
        if not isinstance(function, types.FunctionType):
            raise Unreadable(f"{hint} is {describe(function)}, which has no source")
        name = function.__name__ if function.__name__.isidentifier() else hint
        name = self._new_name(name, whole)
        self._known[id(whole)] = name
        self.parts.append(self._definition(function, own, name))
        return name

    def _composition(self, function, hint):
        """and_masks(...) and or_masks(...) of torch and transformers, by their own names."""
        outer = getattr(function, "__qualname__", "").partition(".<locals>.")[0]
        if outer not in _COMBINE or not isinstance(function, types.FunctionType):
            return None
        masks = [cell.cell_contents for cell in function.__closure__ or ()]
        if len(masks) != 1 or not isinstance(masks[0], (tuple, list)):
            return None
        names = [self.function(each, "one") for each in masks[0]]
        name = self._new_name(hint, function)
        self._known[id(function)] = name
        self.parts.append(f"{name} = {outer}({', '.join(names)})\n\n")
        return name

    def _definition(self, function, own, name):
        source = source_of(function)
        values = free_names(function)
        arguments = source.node.args
        defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
        first = None
        if own is not None:
            first = (arguments.posonlyargs + arguments.args)[0].arg
            values[first] = own
        return edited(source, name, values, first, defaults, self)

    def value(self, value, hint):
        """An expression of the mask language for a value; arrays and functions get a name."""
        if value is None or isinstance(value, bool) or isinstance(value, str):
            return repr(value)
        if type(value).__module__ == "enum" or hasattr(type(value), "__members__"):
            raise Unreadable(f"{hint} is a member of an enum")
        if isinstance(value, int):
            return repr(int(value))
        if isinstance(value, float):
            if value != value or value in (float("inf"), float("-inf")):
                return f"float({str(value)!r})"
            return repr(value)
        if is_array(value):
            return self._array(value, hint)
        if isinstance(value, (list, tuple, set, frozenset)):
            items = ", ".join(self.value(each, hint) for each in value)
            return f"[{items}]" if not isinstance(value, tuple) else f"({items}{',' if len(value) == 1 else ''})"
        if isinstance(value, range):
            return repr(value)
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.value(k, hint)}: {self.value(v, hint)}" for k, v in value.items()) + "}"
        if type(value).__name__ == "dtype":
            name = str(value).rpartition(".")[2]
            return ("torch." if type(value).__module__ == "torch" else "np.") + name
        if value is functools.partial:
            return "partial"
        if callable(value) and not isinstance(value, type):
            return self.function(value, hint)
        raise Unreadable(f"{hint} is {describe(value)}")

    def _array(self, value, hint):
        try:
            numbers = plain(value, hint)
        except Refused as error:
            raise Unreadable(str(error)) from None
        if numbers.dtype[0] in "FC" and numbers.shape != ():
            raise Unreadable(f"{hint} holds numbers that are not integers")
        if numbers.shape == ():
            return self.value(value.item(), hint)
        if id(value) in self._known:
            return self._known[id(value)]
        name = self._new_name(hint, value)
        self._known[id(value)] = name
        count = len(numbers.data)
        if 0 in numbers.shape or (self.inline and count <= 8 * self.inline):
            self.parts.append(f"{name} = torch.tensor({value.tolist()!r})\n")
        else:
            self.arrays[name] = numbers
        return name

    def bind(self, name, value):
        """Makes a value known under a name, or under another if that one is taken; gives what to write for it."""
        if isinstance(value, types.ModuleType):
            return _MODULES.get(value.__name__, name)
        text = self.value(value, name)
        if text.isidentifier() and not keyword.iskeyword(text) and text in self._names:
            return text  # a function or an array
        if text in ("partial", *_COMBINE) or ("." in text and text.replace(".", "").isidentifier()):
            return text
        if name in self._names and self._names[name] == text:
            return name
        name = self._new_name(name, text)
        self.parts.append(f"{name} = {text}\n")
        return name

    def _new_name(self, hint, meaning):
        name, number = hint, 1
        while name in self._names or name in self._taken or hasattr(builtins, name) or keyword.iskeyword(name):
            number += 1
            name = f"{hint}_{number}"
        self._names[name] = meaning if isinstance(meaning, str) else object()
        return name


def _library_name(function):
    """torch.where, np.minimum, abs, and_masks: functions that the language has by their own names."""
    name = getattr(function, "__name__", "")
    if not name:
        return None
    if getattr(builtins, name, None) is function or function is functools.reduce:
        return name
    module = (getattr(function, "__module__", None) or "").partition(".")[0]
    if name in _COMBINE and module in ("torch", "transformers", "attn_gym"):
        return name
    for root in ("torch", "numpy", "math"):
        library = loaded(root)
        if library is not None and getattr(library, name, None) is function:
            return f"{_MODULES[root]}.{name}"
    return None
