# SPDX-License-Identifier: GPL-3.0-or-later
"""The attention calls that are watched: torch's, FlexAttention's and those of transformers' interface."""

import functools
import sys

_SDPA = ("query", "key", "value", "attn_mask", "dropout_p", "is_causal")
_SDPA_OF_TORCH_1 = ("query", "key", "value", "attn_mask", "dropout_p", "need_attn_weights", "is_causal")
_FLEX = ("query", "key", "value", "score_mod", "block_mask", "scale", "enable_gqa")
_INTERFACE = ("module", "query", "key", "value", "attention_mask")
_SCALARS = ("is_causal", "scale", "scaling", "dropout_p", "dropout", "enable_gqa", "softcap", "sliding_window")


def watch(torch, patches, watcher):
    """Puts a watcher around torch.nn.functional.scaled_dot_product_attention and flex_attention."""
    functional = torch.nn.functional
    for name, names in (("scaled_dot_product_attention", _SDPA), ("_scaled_dot_product_attention", _SDPA_OF_TORCH_1)):
        if hasattr(functional, name):
            patches.attribute(functional, name, _watched(getattr(functional, name), names, watcher, name.lstrip("_")))
    flex = sys.modules.get("torch.nn.attention.flex_attention")
    if flex is not None and hasattr(flex, "flex_attention"):
        patches.attribute(flex, "flex_attention", _watched(flex.flex_attention, _FLEX, watcher, "flex_attention"))


def watch_transformers(patches, watcher):
    """The same for transformers, if it is loaded; True if it is."""
    library = sys.modules.get("transformers.modeling_utils")
    interface = getattr(library, "ALL_ATTENTION_FUNCTIONS", None)
    if interface is None:
        return False
    for key in list(interface.keys()):
        patches.item(interface, key, _watched(interface[key], _INTERFACE, watcher, str(key)))
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("transformers.models."):
            eager = vars(module).get("eager_attention_forward")
            if callable(eager):
                patches.attribute(module, "eager_attention_forward", _watched(eager, _INTERFACE, watcher, "eager"))
    return True


def _watched(original, names, watcher, source):
    @functools.wraps(original)
    def attention(*args, **kwargs):
        seen = watcher.enter()
        if seen is None:
            return original(*args, **kwargs)
        try:
            result = original(*args, **kwargs)
        finally:
            watcher.leave(seen)
        if seen.is_wanted:
            watcher.write(seen, Call(source, {**dict(zip(names, args)), **kwargs}, result))
        else:
            watcher.note(names, args, kwargs)
        return result

    return attention


class Call:
    """One attention call: its tensors by the names of a capture."""

    def __init__(self, source, values, result):
        self.source = source
        self.q, self.k, self.v = values.get("query"), values.get("key"), values.get("value")
        mask = values.get("attn_mask")
        mask = values.get("attention_mask") if mask is None else mask
        self.mask = values.get("block_mask") if mask is None else mask
        self.module = values.get("module")
        pair = isinstance(result, tuple)
        self.out = result[0] if pair else result
        self.weights = result[1] if pair and self.module is not None and len(result) > 1 else None
        if self.module is not None and getattr(self.out, "ndim", 0) == 4:
            self.out = self.out.transpose(1, 2)  # transformers gives [B, T, H, d]
        self.scalars = {name: values[name] for name in _SCALARS
                        if isinstance(values.get(name), (bool, int, float)) and values[name] is not None}
        self.positions = values.get("position_ids")
