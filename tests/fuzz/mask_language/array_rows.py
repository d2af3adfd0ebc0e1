def mask(b, h, q_idx, kv_idx):
    row = table[q_idx // 4]
    return (row == kv_idx).any(dim=-1) | table[q_idx // 4, kv_idx // 4].bool()
