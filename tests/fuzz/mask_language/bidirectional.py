return q_idx >= 0
