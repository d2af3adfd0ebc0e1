# encoder_decoder: decoder beside its encoder: past_len source keys, then the target up to the query
# Vaswani et al. 2017, Attention Is All You Need, section 3.2.3
source_padding = 0  # padding tokens at the end of the source


def causal(b, h, q_idx, kv_idx):
    return kv_idx <= q_idx + past_len


def source_or_target(b, h, q_idx, kv_idx):
    return (kv_idx < past_len - source_padding) | (kv_idx >= past_len)


mask_mod = and_masks(causal, source_or_target)
