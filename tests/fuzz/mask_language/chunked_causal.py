return (q_idx // 8 == kv_idx // 8) & (kv_idx <= q_idx)
