# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions replaced for a while, wherever a module holds them under a name of its own."""

import sys


class Patches:
    def __init__(self):
        self._undo = []

    def attribute(self, owner, name, wrapper):
        """Replaces owner.name, which exists, and the same function in every module that imported it."""
        original = getattr(owner, name)
        self._set(owner, name, original, wrapper)
        for module in list(sys.modules.values()):
            names = getattr(module, "__dict__", None)
            if module is owner or not isinstance(names, dict):
                continue
            for other, value in list(names.items()):
                if value is original:
                    self._set(module, other, original, wrapper)

    def _set(self, owner, name, original, wrapper):
        setattr(owner, name, wrapper)

        def undo():
            # What somebody else has put over the wrapper stays; the wrapper then only passes on.
            if getattr(owner, name, None) is wrapper:
                setattr(owner, name, original)

        self._undo.append(undo)

    def item(self, mapping, key, wrapper):
        """Replaces mapping[key]; in transformers' interface by an entry of its own over that of the class."""
        original = mapping[key]
        was_own = key in getattr(mapping, "_local_mapping", (key,))
        mapping[key] = wrapper

        def undo():
            if mapping[key] is wrapper:
                if was_own:
                    mapping[key] = original
                else:
                    del mapping[key]

        self._undo.append(undo)

    def undo(self):
        while self._undo:
            self._undo.pop()()
