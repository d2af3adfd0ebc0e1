# packed: several documents in one row: causal within each document
# Hugging Face transformers, masking_utils, packed_sequence_mask_function
# terms: same_document, causal


def causal(b, h, q_idx, kv_idx):
    return kv_idx <= q_idx + past_len


mask_mod = and_masks(causal)
