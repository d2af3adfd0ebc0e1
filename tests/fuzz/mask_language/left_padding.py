return (kv_idx <= q_idx) & (kv_idx >= pad)
