# chunked: causal within chunks of equal length, as in local layers of Llama 4
# Hugging Face transformers, masking_utils, chunked_causal_mask_function
chunk_size = 128  # tokens in a chunk; a query sees the earlier tokens of its own chunk


def causal(b, h, q_idx, kv_idx):
    return kv_idx <= q_idx + past_len


def same_chunk(b, h, q_idx, kv_idx):
    return q_pos // chunk_size == kv_pos // chunk_size


mask_mod = and_masks(causal, same_chunk)
