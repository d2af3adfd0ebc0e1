# sliding_window: causal, limited to the last sliding_window keys
# Beltagy et al. 2020, Longformer, section 3.1; Jiang et al. 2023, Mistral 7B, section 2
# terms: causal, sliding_window


def causal(b, h, q_idx, kv_idx):
    return kv_idx <= q_idx + past_len


mask_mod = and_masks(causal)
