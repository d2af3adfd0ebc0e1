ids = torch.repeat_interleave(torch.arange(len(lengths)), lengths)
ids = torch.cat([ids, F.pad(ids[:2], (0, 1), value=-1)])
def mask(b, h, q_idx, kv_idx):
    return (ids[q_idx] == ids[kv_idx]) & flags[b, kv_idx]
