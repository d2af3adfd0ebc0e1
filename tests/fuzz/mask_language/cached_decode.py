return kv_idx <= q_idx + past_len
