ends = torch.zeros(12)
for start in torch.arange(0, 12, 4):
    ends[start:start + 4] = start + 4
def mask(b, h, q_idx, kv_idx):
    return kv_idx < ends[q_idx]
