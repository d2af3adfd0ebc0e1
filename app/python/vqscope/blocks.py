# SPDX-License-Identifier: GPL-3.0-or-later
"""block_mask: the lists of blocks of a mask for FlexAttention, without its cells."""

import inspect
import os

from .arrays import is_array, is_nested, is_tensor
from .errors import Refused
from .exports import bytes_of, private_folder, run_export
from .files import read_safetensors
from .functions import device_of
from .masks import is_block_mask

_ARRAYS = tuple(f"{full}{side}_{what}" for side in ("kv", "q") for full in ("", "full_")
                for what in ("num_blocks", "indices"))


def block_mask(mask, q_length=None, kv_length=None, block_size=128, trim=True, **names):
    """The lists of blocks that a block-sparse kernel visits: int32 kv_num_blocks [B, H, R], kv_indices [B, H, R, C],
    full_kv_*, q_*, full_q_*, with block_size and lengths of (queries, keys).

    ``block_size`` is a number or (queries, keys). ``names`` are values of the mask's free names and of its sequence,
    such as documents=. Indices are as wide as their largest count, or with trim=False as all blocks.
    """
    q_size, kv_size = _sizes(block_size)
    values = {"q_length": q_length, "kv_length": kv_length, "block_size": q_size, "kv_block_size": kv_size, **names}
    if not trim:
        values["trim"] = False
    with private_folder() as folder:
        path = os.path.join(folder, "blocks.safetensors")
        run_export("block_mask", mask, values, ["--out", path], path)
        return read_safetensors(bytes_of(path))


def _sizes(block_size):
    sizes = tuple(block_size) if isinstance(block_size, (tuple, list)) else (block_size, None)
    if len(sizes) != 2 or any(not hasattr(each, "__index__") for each in sizes if each is not None):
        raise Refused(f"block_size is {block_size!r} but must be a number or two, of queries and of keys")
    return sizes


def torch_block_mask(mask, q_length=None, kv_length=None, block_size=128, mask_mod=None, device=None, **names):
    """A torch.nn.attention.flex_attention.BlockMask, made from the block lists without a matrix of all cells.

    The kernel calls ``mask_mod`` in partial blocks. It is ``mask`` itself if that is a mask_mod; a tensor is looked
    up; for a path, a text or a preset give it. The lists are on the device of its tensors, or on the CPU.
    """
    torch, kind = _torch()
    mask_mod, names = _mask_mod(torch, mask, mask_mod, device, names)
    device = device or (mask.device if is_tensor(mask) else device_of(mask_mod))
    lists = block_mask(mask, q_length, kv_length, block_size, trim=False, **names)
    tensors = {name: torch.as_tensor(lists[name], dtype=torch.int32).to(device) for name in _ARRAYS}
    given = {
        **tensors,
        "BLOCK_SIZE": tuple(int(each) for each in lists["block_size"]),
        "seq_lengths": tuple(int(each) for each in lists["lengths"]),
        "mask_mod": mask_mod,
    }
    allowed = inspect.signature(kind.__init__).parameters  # torch 2.5 has no seq_lengths
    return kind(**{name: value for name, value in given.items() if name in allowed})


def _torch():
    try:
        import torch
    except ImportError:
        raise Refused("torch_block_mask needs torch 2.5 or newer, and there is none") from None
    try:
        from torch.nn.attention.flex_attention import BlockMask
    except ImportError:
        raise Refused(f"torch_block_mask needs torch 2.5 or newer with flex_attention; this is torch "
                      f"{torch.__version__}") from None
    return torch, BlockMask


def _mask_mod(torch, mask, given, device, names):
    if given is not None:
        return given, names
    if is_block_mask(mask):
        return mask.mask_mod, names
    if is_array(mask) or is_nested(mask):
        table = mask if is_tensor(mask) else torch.as_tensor(mask)
        table = (table == 0 if table.is_floating_point() else table != 0).to(device or table.device)
        if names.get("polarity") == "masked_true":
            table = ~table
        elif not (is_tensor(mask) and mask.is_floating_point()):
            names = {"polarity": "visible_true", **names}  # the lists must be those of the table
        while table.dim() < 4:
            table = table[None] if table.dim() != 3 else table[:, None]
        batch, heads = table.shape[:2]

        def mask_mod(b, h, q_idx, kv_idx):
            return table[b if batch > 1 else b * 0, h if heads > 1 else h * 0, q_idx, kv_idx]

        return mask_mod, names
    if callable(mask) and not isinstance(mask, type):
        return mask, names
    raise Refused("torch_block_mask needs mask_mod=, the function that the kernel calls in partial blocks, for a mask "
                  "that is a path, a text or a preset")
