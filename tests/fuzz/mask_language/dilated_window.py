diff = (q_idx - kv_idx).abs()
return (diff <= 12) & (diff % 3 == 0)
