# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers: the program's JSON, which also reads as text and shows its picture in a notebook."""

import html


class Finding(dict):
    """A rule that the mask breaks: the JSON of the program, and its members as attributes."""

    @property
    def sentence(self):
        return self["message"]

    def __missing__(self, name):
        if name == "sentence":
            return self["message"]
        raise KeyError(name)

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"a finding has no {name}, but {', '.join(self)}") from None

    def __str__(self):
        place = "".join(f" {name} {self[name]}" for name in ("batch", "head") if self.get(name) is not None)
        return f"{self.get('severity', 'question')} {self['rule']}{place}: {self['message']}"


class _Pictured:
    """What shows the picture of its mask in a notebook, where the program makes figures."""

    _picture = None

    def __getstate__(self):
        # Answers travel between processes without the mask that they are of.
        return {name: value for name, value in vars(self).items() if name != "_picture"}

    def _repr_svg_(self):
        return self._picture() if self._picture else None

    def _repr_html_(self):
        return f"<pre>{html.escape(str(self))}</pre>{self._repr_svg_() or ''}"


class Findings(_Pictured, list):
    """What check found: a list of findings. ``report`` is the whole JSON, ``notes`` and ``warnings`` say how the
    mask was read, ``questions`` which inputs a rule misses."""

    def __init__(self, report, answer, picture):
        super().__init__(Finding(each) for each in report["findings"])
        self.report = report
        self.questions = [Finding(each) for each in report.get("questions", [])]
        self.summary = report.get("summary", "")
        self.complete = report.get("complete", True)
        self.notes = answer.notes
        self.warnings = answer.warnings
        self._picture = picture

    @property
    def errors(self):
        return [each for each in self if each.get("severity") == "error"]

    def __str__(self):
        return "\n".join([*map(str, self), *map(str, self.questions), self.summary])

    def _repr_html_(self):
        rows = "".join(
            f"<tr><td>{html.escape(str(each.get('severity')))}</td><td>{html.escape(str(each.get('rule')))}</td>"
            f"<td style='text-align:left'>{html.escape(str(each.get('message')))}</td></tr>" for each in self)
        return f"<p>{html.escape(self.summary)}</p><table>{rows}</table>{self._repr_svg_() or ''}"


class Recognition(_Pictured, dict):
    """What a mask is: the JSON of `vqscope recognise`; as text its description."""

    def __init__(self, report, answer, picture):
        super().__init__(report)
        self.notes = answer.notes
        self.warnings = answer.warnings
        self._picture = picture

    @property
    def sentence(self):
        return self.get("sentence") or "no pattern"

    def __str__(self):
        return self.sentence


class Row(_Pictured, dict):
    """The keys that a query sees: the JSON of `vqscope row`; as text what that command prints."""

    def __init__(self, report, text, picture):
        super().__init__(report)
        self.text = text
        self._picture = picture

    def __str__(self):
        return self.text


class Config(dict):
    """What a model's config means: the JSON of `vqscope config`; as text what that command prints."""

    def __init__(self, report, text):
        super().__init__(report)
        self.text = text

    def __str__(self):
        return self.text
