return q_idx >= kv_idx
