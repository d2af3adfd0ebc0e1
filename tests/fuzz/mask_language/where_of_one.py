q_idx.where() > kv_idx
