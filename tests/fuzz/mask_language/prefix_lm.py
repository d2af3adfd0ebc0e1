return (kv_idx < 7) | (q_idx >= kv_idx)
