# SPDX-License-Identifier: GPL-3.0-or-later
"""check, assert_mask, recognise and row: the questions about one mask."""

import operator

from .errors import Interrupted, Refused, VqscopeError
from .request import CHECKED, ask
from .results import Findings, Recognition, Row

_ONLY_CHECK = (*CHECKED, "rule", "rules")
_MOST_ROWS = 3
#: Questions on which the verdict hangs, with what answers them: an assertion does not pass on a guess.
_GUESSED = {"dialect_polarity": ("polarity", "dialect", "true_means"), "zero_one_mask": ("dialect", "values")}


def check(mask=None, objective=None, documents=None, window=None, position_ids=None, labels=None, attention_mask=None,
          **values):
    """Lints a mask, its positions and its labels: a list of findings, empty if no rule is broken.

    ``mask`` is a tensor or array of [q, kv], [B, q, kv] or [B, H, q, kv], nested lists, a path (FILE or FILE:NAME), a
    text of the mask language, a mask_mod, a BlockMask, the name of a preset, or the dictionary of a batch.
    ``documents`` are the lengths of packed documents, or the document of each token. Further names are the parameters
    of `vqscope check`: numbers, texts and arrays. Raises Refused if the program does not take them.
    """
    values.update(objective=objective, documents=documents, window=window, position_ids=position_ids, labels=labels,
                  attention_mask=attention_mask)
    values.pop("strict", None)

    def question(request):
        report, answer = request.json("check", needs=("findings",))
        found = Findings(report, answer, _picture_of(mask, values))
        if not found.complete and not found:
            raise Refused(f"the mask was not checked completely: {found.summary}")
        return found

    return ask("check", mask, values, question)


def assert_mask(mask=None, objective=None, documents=None, window=None, strict=False, **values):
    """Raises AssertionError if check finds an error (with ``strict`` a warning too), with the row as
    `vqscope row` prints it, or if the verdict hangs on a guess of what True, 0 and 1 mean. Gives the findings."""
    __tracebackhide__ = True
    values.update(objective=objective, documents=documents, window=window)
    found = check(mask, **values)
    wrong = list(found) if strict else found.errors
    guessed = [each for each in found.questions if _hangs_on(each, values)]
    if wrong or guessed:
        raise AssertionError(_failure(mask, values, found, wrong, guessed))
    return found


def _hangs_on(question, values):
    answers = _GUESSED.get(question.get("rule"), ())
    return bool(answers) and not any(values.get(name) is not None for name in answers)


def _failure(mask, values, found, wrong, guessed):
    lines = [f"the mask breaks {len(wrong)} rule{'s' if len(wrong) > 1 else ''}", *map(str, wrong)] if wrong else []
    if guessed:
        lines.append("the verdict hangs on what the values of the mask mean")
        lines += map(str, guessed)
        stated = {"dialect_polarity": 'polarity="visible_true" or "masked_true"', "zero_one_mask": 'values="boolean"'}
        lines.append('give dialect="sdpa" or another backend that receives the mask, or '
                     + " and ".join(sorted({stated[each["rule"]] for each in guessed})))
    shown = set()
    for finding in wrong:
        place = (finding.get("row"), finding.get("batch"), finding.get("head"))
        if place[0] is None or place in shown or len(shown) == _MOST_ROWS:
            continue
        shown.add(place)
        chosen = dict(values)
        for name, count in (("batch", "samples"), ("head", "heads")):
            if finding.get(name) is not None and found.report.get(count, 1) > 1:
                chosen[name] = finding[name]
        text = _row_text(mask, place[0], chosen)
        if text:
            lines += ["", text.rstrip()]
    return "\n".join(lines)


def _row_text(mask, number, values):
    """The row, without what only check takes."""
    values = {name: value for name, value in values.items() if name not in _ONLY_CHECK}
    for _ in range(len(values) + 1):
        try:
            return ask("row", mask, values, lambda request: request.text("row", str(number)))
        except Refused as error:
            name = _unknown_name(error, values)
            if name is None:
                return ""
            del values[name]
        except Interrupted:
            raise
        except VqscopeError:
            return ""
    return ""


def _unknown_name(error, values):
    for name in values:
        if str(error).startswith(f"unknown argument {name} of "):
            return name
    return None


def recognise(mask=None, **values):
    """What a mask is, such as "causal ∧ documents [4, 2, 4] ∧ window 128": str() of the answer."""
    def question(request):
        report, answer = request.json("recognise")
        return Recognition(report, answer, _picture_of(mask, values))

    return ask("recognise", mask, values, question)


def row(mask, q, keys=None, tokens=None, **values):
    """The keys that query ``q`` sees, and why it does not see the others. ``keys`` (first, end) are listed."""
    try:
        number = operator.index(q)
    except TypeError:
        raise Refused(f"q is {q!r} but must be the number of a query") from None
    if number < 0:
        raise Refused(f"q is {number} but must be at least 0")
    after = [] if keys is None else ["--keys", _range(keys)]

    def question(request):
        further = after if tokens is None else [*after, "--tokens", tokens_argument(tokens, request)]
        report, _ = request.json("row", str(number), after=further)
        text = request.text("row", str(number), after=further)
        return Row(report, text, _picture_of(mask, values))

    return ask("row", mask, values, question)


def _range(keys):
    if isinstance(keys, str):
        return keys
    if isinstance(keys, (range, slice)):
        keys = (keys.start, keys.stop)
    try:
        first, end = keys
        return f"{'' if first is None else operator.index(first)}:{'' if end is None else operator.index(end)}"
    except (TypeError, ValueError):
        raise Refused(f"keys is {keys!r} but must be two numbers, the first key and the end") from None


def tokens_argument(tokens, request):
    """Texts of tokens as a file, or what --tokens takes itself."""
    if isinstance(tokens, str):
        return tokens
    if hasattr(tokens, "__fspath__"):
        return tokens.__fspath__()
    import json
    try:
        listed = json.dumps([str(each) for each in tokens], ensure_ascii=False)
    except TypeError:
        raise Refused("tokens must be a list of texts, a file or a model") from None
    return request.file([listed.encode("utf-8", "surrogatepass")], "tokens", ".json")


def _picture_of(mask, values):
    """A function that gives the SVG of the mask, or None: made when a notebook asks for it."""
    def picture():
        from .exports import picture_of
        kept = {name: value for name, value in values.items() if name not in _ONLY_CHECK}
        for _ in range(len(kept) + 1):
            try:
                return picture_of(mask, kept)
            except Refused as error:
                name = _unknown_name(error, kept)
                if name is None:
                    return None
                del kept[name]
            except Interrupted:
                raise
            except VqscopeError:
                return None
        return None

    return picture
