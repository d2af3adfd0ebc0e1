# SPDX-License-Identifier: GPL-3.0-or-later
"""config: what a model's config means for its positions."""

import json
import os
from collections.abc import Mapping

from .arrays import describe
from .errors import Refused
from .payload import Payload
from .program import run
from .request import parsed
from .results import Config


def config(model, other=None):
    """What `vqscope config` says of a model, as its JSON; of two models, what differs in meaning.

    A model is a file, a folder, an id of the hub cache (ORG/NAME or ORG/NAME@REVISION; nothing is downloaded), a
    dictionary, or an object with to_dict() such as a config of transformers. Errors and warnings stand in the answer.
    """
    payloads = []
    try:
        given = [_argument(each, payloads) for each in (model, other) if each is not None]
        if not given:
            raise Refused("config takes a file, a folder, an id ORG/NAME or a dictionary, not None")
        report = parsed(run(["config", *given, "--json"]).out.decode("utf-8", "replace"))
        return Config(report, run(["config", *given]).out.decode("utf-8"))
    except Refused as error:
        text = str(error)
        for payload in payloads:
            text = text.replace(payload.path, "config")
        raise Refused(text) from None
    finally:
        for payload in payloads:
            payload.close()


def _argument(model, payloads):
    if isinstance(model, (str, os.PathLike)):
        text = os.fsdecode(model)
        if text == "-" or not text:
            raise Refused(f"{text!r} is no model: give a file, a folder, an id ORG/NAME or a dictionary")
        return "./" + text if text.startswith("-") else text
    if not isinstance(model, Mapping) and callable(getattr(model, "to_dict", None)):
        model = model.to_dict()
    if not isinstance(model, Mapping):
        raise Refused(f"the model is {describe(model)} but must be a path, an id or a dictionary")
    try:
        text = json.dumps(dict(model), default=_plain)
    except (TypeError, ValueError) as error:
        raise Refused(f"the config cannot be written as JSON: {error}") from None
    payloads.append(Payload([text.encode("utf-8")], ".json"))
    return payloads[-1].path


def _plain(value):
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if callable(getattr(value, "to_dict", None)):
        return value.to_dict()
    if hasattr(value, "tolist"):
        return value.tolist()
    return str(value).rpartition(".")[2]  # torch.bfloat16
