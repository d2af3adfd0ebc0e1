return (q_idx >= kv_idx) & (q_idx - kv_idx <= 8)
