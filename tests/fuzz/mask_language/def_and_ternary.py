def half(i):
    return i // 2
return torch.where(q_idx < 10, kv_idx <= q_idx, half(kv_idx) <= half(q_idx))
