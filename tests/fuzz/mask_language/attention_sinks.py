return ((kv_idx < 4) | (q_idx - kv_idx < 16)) & (kv_idx <= q_idx)
