# padding: one padded row of a batch: causal, padding keys masked
# Hugging Face transformers, masking_utils, padding_mask_function
# terms: key_valid, causal


def causal(b, h, q_idx, kv_idx):
    return kv_idx <= q_idx + past_len


mask_mod = and_masks(causal)
