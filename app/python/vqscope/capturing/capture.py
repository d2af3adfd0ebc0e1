# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts steps and layers, and writes those that were asked for."""

import atexit
import inspect
import operator
import os
import sys
import threading
import warnings

from ..errors import Refused
from .calls import watch, watch_transformers
from .patches import Patches
from .store import config_of, write_inputs, write_layer, write_summary


class _Place(threading.local):
    """Where this thread is: inside which outermost module, step, layer, and inside which attention call."""

    depth = 0
    outer = None
    step = None
    is_wanted = False
    layers = 0
    positions = None
    call = None


class _Seen:
    def __init__(self, step, layer, is_wanted):
        self.step, self.layer, self.is_wanted = step, layer, is_wanted
        self.inner = {}


class Capture:
    """A capture that runs from its making until stop(). It is its own context manager."""

    def __init__(self, folder, layers=None, steps=None):
        try:
            import torch
        except ImportError:
            raise Refused("capture watches a model of torch, and there is no torch") from None
        self._torch = torch
        self._layers = _chosen("layers", layers)
        self._steps = _chosen("steps", steps)
        self._last = None if self._steps is None else max(self._steps, default=-1)
        self.folder = _made(folder)
        self.files = 0
        self._place = _Place()
        self._lock = threading.Lock()
        self._count = 0
        self._summary = None
        self._patches = Patches()
        self._knows_transformers = False
        self._is_compiling = getattr(getattr(torch, "compiler", None), "is_compiling", None) or (lambda: False)
        self._in_backward = getattr(getattr(torch, "_C", None), "_current_graph_task_id", lambda: -1)
        self.is_running = self._steps != frozenset() and self._layers != frozenset()
        if not self.is_running:
            return  # switched off: nothing is hooked
        watch(torch, self._patches, self)
        self._patches.attribute(torch.nn.Module, "__call__", self._module_call(torch.nn.Module.__call__))
        atexit.register(self.stop)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Takes all hooks off and writes capture.json, which says that the capture is whole."""
        with self._lock:
            if not self.is_running:
                return
            self.is_running = False
        self._patches.undo()
        atexit.unregister(self.stop)
        if self._summary is None:
            warnings.warn("vqscope.capture saw no attention call that was asked for; calls inside torch.compile and "
                          "in attention libraries of their own are not seen", stacklevel=2)
            return
        try:
            write_summary(self.folder, self._summary)
        except OSError as error:
            self._give_up(error)

    close = remove = stop

    def _module_call(self, original):
        place = self._place  # a call outside of a step that is asked for costs a look at two of its members

        def call(module, *args, **kwargs):
            if place.depth:
                if place.is_wanted and "position_ids" in kwargs:
                    place.positions = kwargs["position_ids"]
                return original(module, *args, **kwargs)
            if not self.is_running or self._is_compiling() or self._in_backward() != -1:
                return original(module, *args, **kwargs)
            place.depth, place.outer = 1, (module, args, kwargs)
            place.step, place.layers, place.positions = None, 0, kwargs.get("position_ids")
            # Positions are looked at before the first attention call says which step this is.
            place.is_wanted = self._steps is None or self._count in self._steps
            if not self._knows_transformers:
                self._knows_transformers = watch_transformers(self._patches, self)
            try:
                return original(module, *args, **kwargs)
            finally:
                step, place.depth, place.outer, place.step, place.is_wanted = place.step, 0, None, None, False
                if step is not None and self._last is not None and step >= self._last:
                    self.stop()

        return call

    def enter(self):
        """Counts an attention call; None: it only passes. Calls inside another are part of it."""
        place = self._place
        if place.call is not None:
            return _Seen(None, None, False)
        if not self.is_running or self._is_compiling() or self._in_backward() != -1:
            return None
        if place.step is None:
            with self._lock:
                place.step, self._count = self._count, self._count + 1
            place.is_wanted = self._steps is None or place.step in self._steps
        layer, place.layers = place.layers, place.layers + 1
        wanted = place.is_wanted and (self._layers is None or layer in self._layers)
        place.call = seen = _Seen(place.step, layer, wanted)
        if not place.depth:
            place.step, place.layers, place.is_wanted = None, 0, False  # outside any module each call is a step
        return seen

    def leave(self, seen):
        if seen is self._place.call:
            self._place.call = None

    def note(self, names, args, kwargs):
        """What the kernel was given inside transformers' interface."""
        outer = self._place.call
        if outer is not None and outer.is_wanted:
            outer.inner.update(dict(zip(names, args)), **kwargs)

    def write(self, seen, call):
        place = self._place
        for name in ("is_causal", "scale"):
            if name not in call.scalars and isinstance(seen.inner.get(name), (bool, float)):
                call.scalars[name] = seen.inner[name]
        if call.mask is None:
            call.mask = seen.inner.get("attn_mask")
        if "is_causal" not in call.scalars and call.module is not None:
            is_prefill = call.mask is None and getattr(call.q, "ndim", 0) > 1 and call.q.shape[-2] > 1
            call.scalars["is_causal"] = bool(is_prefill and getattr(call.module, "is_causal", False))
        positions = call.positions if call.positions is not None else place.positions
        try:
            arrays = write_layer(self.folder, seen.step, seen.layer, call, positions)
            self.files += 1
            if self._summary is None:
                self._summary = self._summarise(seen, arrays)
        except (OSError, Refused) as error:
            self._give_up(error)

    def _summarise(self, seen, arrays):
        module, args, kwargs = self._place.outer or (None, (), {})
        values = _bound(module, args, kwargs)
        write_inputs(self.folder, values)
        q, k = arrays.get("q"), arrays.get("k")
        is_known = q is not None and k is not None and len(q.shape) > 1
        engine = "transformers" if type(module).__module__.startswith("transformers") else "torch"
        version = getattr(sys.modules.get(engine), "__version__", "")
        return {"engine": engine, "version": str(version), "config": config_of(module), "step": seen.step,
                "batch": q.shape[0] if is_known and len(q.shape) > 3 else 1,
                "past": k.shape[-2] - q.shape[-2] if is_known and len(k.shape) > 1 else 0,
                "notes": "q and k are as the attention function was given them: after the rotation, with the cache"}

    def _give_up(self, error):
        """A capture must not end a training."""
        warnings.warn(f"vqscope.capture stopped: {error}", stacklevel=3)
        with self._lock:
            self.is_running = False
        self._patches.undo()
        atexit.unregister(self.stop)


def _bound(module, args, kwargs):
    if not args:
        return kwargs
    try:
        return inspect.signature(module.forward).bind_partial(*args, **kwargs).arguments
    except (TypeError, ValueError, AttributeError):
        return kwargs


def _chosen(name, value):
    """None: all; a number: as many, 0 switches the capture off; else which."""
    if value is None:
        return None
    try:
        numbers = range(operator.index(value)) if hasattr(value, "__index__") else [operator.index(n) for n in value]
    except TypeError:
        numbers = [-1]
    if isinstance(value, (bool, str)) or min(numbers, default=0) < 0 or (hasattr(value, "__index__") and value < 0):
        raise Refused(f"{name} is {value!r} but must be how many from the first on, or a list of numbers from 0 on")
    return frozenset(numbers)


def _made(folder):
    if not isinstance(folder, (str, os.PathLike)) or not os.fspath(folder):
        raise Refused(f"folder is {folder!r} but must be the path of the folder to write")
    folder = os.fspath(folder)
    try:
        os.makedirs(folder, exist_ok=True)
        held = [name for name in os.listdir(folder) if name == "capture.json" or name.endswith(".safetensors")]
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        raise Refused(f"cannot write into {folder}: {error.strerror or error}") from None
    if held:
        raise Refused(f"{folder} holds a capture already ({min(held)}); give a folder of its own")
    return os.path.abspath(folder)
