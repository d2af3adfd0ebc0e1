# SPDX-License-Identifier: GPL-3.0-or-later
"""A mask and its values as one request, to which several commands can be put."""

import difflib
import enum
import json
import os
import re

from .arrays import Plain, describe, is_array, is_nested, plain
from .documents import document_arguments
from .errors import BrokenAnswer, Refused
from .files import parts_of
from .functions import NotEvaluated, length_of
from .masks import form_of, is_path, path_argument
from .payload import Payload
from .program import run

#: Options of the commands about masks; names of other values go to --set and --array.
SHARED = ("batch", "head", "name", "polarity", "threshold")
CHECKED = ("objective", "window", "prefix")
ARRAYS = ("attention_mask", "position_ids", "q_position_ids", "kv_position_ids", "labels", "input_ids", "loss_mask",
          "span_ids", "document_ids", "cu_seqlens", "cache_positions", "alibi_bias")
_INLINE = 64
_NEED_A_MASK = ("check", "recognise", "row")


class Request:
    """``with Request(...) as request: request.run("check")``; its data are gone afterwards."""

    def __init__(self, command, mask, values, evaluates="", reads_batch=False):
        self.command = command
        self.evaluates = evaluates
        checks = command == "check"
        self.file_option = [] if command == "check" else ["--batch-file" if reads_batch else "--mask"]
        self.batch_option = "--batch-file"
        self._payloads = []
        self._names = {}
        try:
            values = {name: value for name, value in values.items() if value is not None}
            self.polarity = values.get("polarity")
            self.names = set(values)
            lengths = _lengths(values)
            if mask is None and command in _NEED_A_MASK and not _says_sequence(values):
                raise Refused(f"{command} needs a mask, or attention_mask=, input_ids= or other arrays of the tokens")
            form = form_of(mask, self, lengths)
            self._of_any_length = form.of_any_length and "q_length" not in values
            self.notes = [form.note] if form.note else []
            keys = form.shape[-1] if form.shape else lengths[1] or lengths[0]
            # Other methods than masks have parameters of the same names.
            options = SHARED + CHECKED if checks else SHARED if command != "export" or mask is not None else ()
            self.arguments = list(form.arguments)
            for name, value in values.items():
                self.arguments += self._argument(name, value, options, keys)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for payload in self._payloads:
            payload.close()

    def file(self, parts, name, ending):
        """A path at which the program reads these bytes; messages show the name instead."""
        payload = Payload(parts, ending)
        self._payloads.append(payload)
        self._names[payload.path] = name
        return payload.path

    def hide(self, path, name):
        """Messages show the name instead of a path of ours."""
        self._names[path] = name

    def run(self, *before, after=()):
        """Runs a command; the arguments of this request stand between the given ones."""
        try:
            answer = run([*before, *self.arguments, *after])
        except Refused as error:
            raise Refused(self._named(str(error))) from None
        return answer._replace(notes=self.notes + [self._named(each) for each in answer.notes],
                               warnings=[self._named(each) for each in answer.warnings])

    def json(self, *before, after=(), needs=()):
        answer = self.run(*before, after=("--json", *after))
        report = self._named_within(parsed(answer.out.decode("utf-8", "replace"), *needs))
        if self._of_any_length and isinstance(report.get("shape"), list):
            q_length, kv_length = report["shape"][-2:]
            answer.notes.append(f"q_length is not given: the answer is for {q_length} queries and {kv_length} keys")
        return report, answer

    def _named(self, text):
        for path in sorted(self._names, key=len, reverse=True):
            text = text.replace(path, self._names[path])
            number = re.escape(os.path.basename(path))
            # The program names a file without its folder in some sentences.
            text = re.sub(rf"\bthe mask {number} has ", "the mask has ", text)
            text = re.sub(rf"(?<![\w.,\[]){number}(?= \[\d+, [0-9, ]+\])", self._names[path], text)
        return text

    def _named_within(self, value):
        """The answer with every text in it named. Arrays of numbers, of which some have millions, are not walked."""
        if isinstance(value, str):
            return self._named(value)
        if isinstance(value, dict):
            return {name: self._named_within(each) for name, each in value.items()}
        if isinstance(value, list) and value and not isinstance(value[0], (int, float)):
            return [self._named_within(each) for each in value]
        return value

    def text(self, *before, after=()):
        """What the command prints, with names in place of the files that it read."""
        return self._named(self.run(*before, after=after).out.decode("utf-8"))

    def _argument(self, name, value, options, keys):
        if name in ("rule", "rules") and self.command == "check":
            rules = [value] if isinstance(value, str) else list(value)
            return [part for each in rules for part in ("--rule", str(each))]
        if name in ("documents", "document_lengths"):
            return document_arguments(value, keys, self._array)
        if name in options:
            return [f"--{name}", scalar(name, value)]
        if isinstance(value, os.PathLike) or (isinstance(value, str) and name in ARRAYS and is_path(value)):
            return ["--array", f"{name}={path_argument(value)}"]
        if name in ARRAYS and isinstance(value, str):
            return ["--array", f"{name}={value}"]
        if is_array(value) or is_nested(value) or isinstance(value, Plain):
            array = plain(value, name)
            if array.shape == () and not isinstance(value, Plain):
                return ["--set", f"{name}={scalar(name, value.item())}"]
            return self._array(name, array)
        if isinstance(value, dict) or callable(value):
            raise Refused(f"{name} is {describe(value)} but must be a number, a text, a list or an array")
        return ["--set", f"{name}={scalar(name, value)}"]

    def _array(self, name, array):
        if array.dtype == "I64" and len(array.shape) == 1 and 0 < array.shape[0] <= _INLINE:
            numbers = memoryview(bytes(array.data)).cast("q")
            return ["--array", f"{name}={','.join(map(str, numbers))}"]
        return ["--array", f"{name}={self.file(parts_of(array), name, '.npy')}"]


def _says_sequence(values):
    return any(name in values for name in (*ARRAYS, "session", "documents", "document_lengths"))


def scalar(name, value):
    """A number, a truth value or a text as the command line has it."""
    if isinstance(value, enum.Enum):
        value = value.value
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, str):
        return value
    if type(value).__name__ == "dtype":
        return str(value).rpartition(".")[2]
    raise Refused(f"{name} is {describe(value)} but must be a number, a text, a list or an array")


def _lengths(values):
    """q_length and kv_length as far as the values say."""
    lengths = []
    for name in ("q_length", "kv_length"):
        value = values.get(name)
        try:
            lengths.append(None if value is None else int(value))
        except (TypeError, ValueError):
            lengths.append(None)  # "2M", or what the program refuses
    if lengths[0] is None:
        for name in ARRAYS[:8]:
            value = values.get(name)
            shape = getattr(value, "shape", None)
            if shape:
                lengths[0] = int(shape[-1])
            elif is_nested(value) and len(value):
                lengths[0] = len(value[0]) if is_nested(value[0]) else len(value)
            if lengths[0]:
                break
    return tuple(lengths)


def parsed(text, *needed):
    """The JSON object of an answer, which has the members that are needed."""
    try:
        report = json.loads(text)
    except ValueError:
        raise BrokenAnswer(f"the answer of the program is cut off or not JSON, after {len(text)} bytes") from None
    missing = [name for name in needed if name not in report] if isinstance(report, dict) else ["object"]
    if missing:
        raise BrokenAnswer(f"the answer of the program has no {missing[0]}: VQSCOPE or PATH leads to another program")
    return report


def ask(command, mask, values, question, method=None):
    """Puts a question to a request. A function that the mask language cannot express is evaluated instead."""
    try:
        with Request(command, mask, values) as request:
            return question(request)
    except NotEvaluated as error:
        raise Refused(str(error)) from None
    except Refused as error:
        refused = explained(error, command, values, method)
        if isinstance(mask, (str, os.PathLike)) and refused is error and command != "check":
            return _of_batch_file(command, mask, values, question, refused)
        function = getattr(mask, "mask_mod", mask)
        if refused is not error or not callable(function) or is_array(mask):
            raise refused from None
        if _lengths(values)[0] is None and function is mask and length_of(mask) is None:
            advice = "" if "give q_length=" in str(error) else "; give q_length= to evaluate the mask_mod cell by cell"
            raise Refused(f"{error}{advice}") from None
    try:
        reason = str(refused).partition("\n")[0].replace("mask, line", "of line", 1)
        with Request(command, mask, values, evaluates=reason) as request:
            return question(request)
    except NotEvaluated as error:
        is_of_text = str(refused).startswith("mask, line ")
        raise Refused(f"{refused}; {error}" if is_of_text else str(refused)) from None


def _of_batch_file(command, mask, values, question, refused):
    """A path that is no mask may be the batch that check takes for one."""
    try:
        with Request(command, mask, values, reads_batch=True) as request:
            if "--batch-file" in request.arguments:
                return question(request)
    except Refused:
        pass
    raise refused from None


def explained(error, command, values, method=None):
    """A refusal of a name, with the names that are allowed."""
    found = re.match(r"unknown parameter (\w+) of ", str(error))
    if not found or found[1] not in values:
        return error
    name = found[1]
    if method:
        known = _parameters(method)
        known += [each for each in ("documents", *SHARED) if "mask_text" in known]
    else:
        known = [*CHECKED, "rules", "dialect", "sinks", "chunk"] if command == "check" else []
        known += ["documents", *SHARED, *ARRAYS, "q_length", "kv_length", "past_len", "padding", "padding_side",
                  "prefix_length"]
    near = difflib.get_close_matches(name, known, 1)
    hint = f", did you mean {near[0]}?" if near else ";"
    further = {"check": "; `vqscope check --list-rules` lists all", "export": ""}.get(
        command, " and the parameters of `vqscope list visibility`")
    return Refused(f"unknown argument {name} of {method or command}{hint} allowed are {', '.join(known)}{further}")


def _parameters(method):
    report = parsed(run(["list", method, "--json"]).out.decode("utf-8", "replace"), "methods")
    return [each["name"] for each in report["methods"][0]["parameters"]]
