# prefix_lm: prefix language model: bidirectional within the prefix, causal after it
# Raffel et al. 2020, T5, section 3.2.1
# terms: prefix
prefix_length = 128  # leading tokens of each document that every query sees


def prefix(b, h, q_idx, kv_idx):
    return (kv_pos < prefix_length) | (kv_idx <= q_idx + past_len)


mask_mod = and_masks(prefix)
