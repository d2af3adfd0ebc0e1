# causal: decoder: a query sees itself and every earlier key
# Vaswani et al. 2017, Attention Is All You Need, section 3.2.3
# terms: causal


def causal(b, h, q_idx, kv_idx):
    return kv_idx <= q_idx + past_len


mask_mod = and_masks(causal)
