# Paste before the model runs: writes q, k, v and the mask of every attention call into FOLDER, for `vqscope parity`.
import ctypes, json, os, struct, torch
FOLDER, STEPS = "capture", 1
sdpa, module_call = torch.nn.functional.scaled_dot_product_attention, torch.nn.Module.__call__
at = {"depth": 0, "step": 0, "layer": 0}
KINDS = {"bool": "BOOL", "int64": "I64", "float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16"}
os.makedirs(FOLDER, exist_ok=True)
def aside(name, *parts):
    with open(os.path.join(FOLDER, name + ".part"), "wb") as file:
        for part in parts:
            file.write(part)
    os.replace(os.path.join(FOLDER, name + ".part"), os.path.join(FOLDER, name))
def attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, **more):
    out = sdpa(query, key, value, attn_mask, dropout_p, is_causal, **more)
    if at["step"] < STEPS:
        given = {"q": query, "k": key, "v": value, "out": out}
        if attn_mask is not None:
            given["mask"] = attn_mask[(None,) * (4 - attn_mask.dim())]
        head, data, end = {"__metadata__": {"is_causal": json.dumps(is_causal)}}, [], 0
        for name, tensor in given.items():
            tensor = tensor.detach().cpu().contiguous()
            size = tensor.numel() * tensor.element_size()
            head[name] = {"dtype": KINDS[str(tensor.dtype)[6:]], "shape": list(tensor.shape), "data_offsets": [end, end + size]}
            data.append(bytes((ctypes.c_char * size).from_address(tensor.data_ptr())))
            end += size
        head = json.dumps(head).encode()
        aside("step%04d_layer%02d.safetensors" % (at["step"], at["layer"]), struct.pack("<Q", len(head)), head, *data)
        summary = {"format": 1, "engine": "torch", "version": torch.__version__, "config": None, "step": 0}
        aside("capture.json", json.dumps(summary).encode())
    at["layer"] += 1
    return out
def call(module, *args, **kwargs):
    at["depth"] += 1
    try:
        return module_call(module, *args, **kwargs)
    finally:
        at["depth"] -= 1
        if not at["depth"] and at["layer"]:
            at["step"], at["layer"] = at["step"] + 1, 0
torch.nn.functional.scaled_dot_product_attention, torch.nn.Module.__call__ = attention, call
