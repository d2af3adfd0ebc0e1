# SPDX-License-Identifier: GPL-3.0-or-later
"""show: a mask or q, k and v in the window of the program, which stays open when Python ends."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from .arrays import describe, is_array, is_nested, plain
from .errors import Refused, VqscopeError
from .exports import export
from .files import npy_parts, parts_of, safetensors_parts
from .functions import Unreadable, read
from .masks import form_of, is_block_mask
from .payload import write_file
from .program import start

_PREFIX = "vqscope-show-"
_INLINE = 4096
_A_DAY = 86400


def show(mask=None, q=None, k=None, v=None, tokens=None, new_window=False, **values):
    """Shows a mask, or tensors q, k and v, in the window that is open, else in a new one; returns at once.

    ``tokens`` are the texts of the tokens, one a query. ``values`` are those of the mask's free names. A path is
    opened as it is; everything else is written into a private folder first, which later calls remove after a day.
    """
    tensors = {name: value if isinstance(value, (str, os.PathLike)) else plain(value, name)
               for name, value in (("q", q), ("k", k), ("v", v)) if value is not None}
    if mask is None and not tensors:
        raise Refused("show needs a mask or q, k and v")
    folder = _folder()
    try:
        paths = [_mask_file(folder, mask, tokens, values)] if mask is not None else []
        for name, array in tensors.items():
            if isinstance(array, (str, os.PathLike)):
                paths.append(os.path.abspath(array))
                continue
            ending = ".npy" if parts_of(array)[0][:1] == b"\x93" else ".safetensors"
            paths.append(_written(folder, name + ending, parts_of(array)))
        arguments = (["--new-window"] if new_window else []) + paths
        # A file, not a pipe: the window lives on when this process has ended.
        with open(os.path.join(folder, "said.txt"), "x+b", buffering=0) as said:
            process = start(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said,
                            start_new_session=True)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, VqscopeError):
            raise  # a MissingProgram is a FileNotFoundError too
        raise Refused(f"cannot write what is to be shown: {error.strerror or error}") from None
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    threading.Thread(target=_follow, args=(process, folder), daemon=True).start()


def _follow(process, folder):
    """Ends with the program, so that none is left as a zombie, and says why it refused."""
    if process.wait() == 0:
        return
    try:
        with open(os.path.join(folder, "said.txt"), encoding="utf-8", errors="replace") as file:
            text = file.read().strip()
    except OSError:
        return
    shutil.rmtree(folder, ignore_errors=True)
    if text and sys.stderr is not None:
        print(text, file=sys.stderr)


def _folder():
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    parent = runtime if runtime and os.access(runtime, os.W_OK | os.X_OK) else tempfile.gettempdir()
    try:
        for entry in os.scandir(parent):
            if entry.name.startswith(_PREFIX) and entry.is_dir(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                if status.st_uid == os.getuid() and time.time() - status.st_mtime > _A_DAY:
                    shutil.rmtree(entry.path, ignore_errors=True)
        return tempfile.mkdtemp(prefix=_PREFIX, dir=parent)
    except OSError as error:
        raise Refused(f"cannot make a folder for what is to be shown: {error.strerror or error}") from None


def _written(folder, name, parts):
    path = os.path.join(folder, name)
    write_file(path, parts, os.O_EXCL, 0o600)
    return path


class _Texts:
    """Stands for a request: texts become files of the folder."""

    file_option = []
    batch_option = ""

    def __init__(self, folder):
        self.folder = folder

    def file(self, parts, name, ending):
        return _written(self.folder, name + ending, parts)


def _mask_file(folder, mask, tokens, values):
    if tokens is not None:
        return _with_tokens(folder, mask, tokens, values)
    if is_array(mask) or is_nested(mask):
        parts = parts_of(plain(mask))
        return _written(folder, "mask.npy" if parts[0][:1] == b"\x93" else "mask.safetensors", parts)
    if callable(mask) or is_block_mask(mask) or values:
        text = _text_of(getattr(mask, "mask_mod", mask), values)
        if text is not None:
            return _written(folder, "mask.py", [text.encode("utf-8")])
        return _written(folder, "mask.npy", npy_parts(plain(export("visibility", mask=mask, **values))))
    arguments = form_of(mask, _Texts(folder), (None, None)).arguments
    if arguments[0] == "--set":
        return _written(folder, "mask.npy", npy_parts(plain(export("visibility", mask=mask))))
    return os.path.abspath(arguments[-1])


def _text_of(function, values):
    """A text with all values in it, or None."""
    if not callable(function) or values:
        return None
    try:
        text = read(function, inline=_INLINE)
    except Unreadable:
        return None
    return None if text.arrays else text.text


def _texts(tokens):
    """The texts of a list, of a JSON list, of a file with one a line, or words between spaces."""
    if isinstance(tokens, os.PathLike) or (isinstance(tokens, str) and os.path.isfile(tokens)):
        with open(tokens, encoding="utf-8", errors="replace") as file:
            tokens = file.read()
        if not tokens.lstrip().startswith("["):
            return tokens.splitlines()
    if isinstance(tokens, str):
        if not tokens.lstrip().startswith("["):
            return tokens.split()
        try:
            tokens = json.loads(tokens)
        except ValueError:
            raise Refused("tokens is not a JSON list of texts") from None
    if isinstance(tokens, (bytes, dict)) or not hasattr(tokens, "__iter__"):
        raise Refused(f"tokens is {describe(tokens)} but must be a list of texts")
    return [str(each) for each in tokens]


def _with_tokens(folder, mask, tokens, values):
    """One file with the mask and ids of tokens, and a vocabulary beside it: the window shows their texts."""
    texts = _texts(tokens)
    if is_array(mask) or is_nested(mask):
        cells = plain(mask)
    else:
        cells = plain(export("visibility", mask=mask, **{"q_length": len(texts), **values}))
    vocabulary = {}
    ids = [vocabulary.setdefault(text, len(vocabulary)) for text in texts]
    model = {"version": "1.0", "added_tokens": [], "model": {"type": "WordLevel", "vocab": vocabulary}}
    text = json.dumps(model, ensure_ascii=False).encode("utf-8", "surrogatepass")
    _written(folder, "tokenizer.json", [text])
    return _written(folder, "mask.safetensors", safetensors_parts({"mask": cells, "input_ids": plain(ids)}))
