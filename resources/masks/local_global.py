# local_global: Sparse Transformer, fixed: causal, limited to a query's own block and the summary
# tokens of all blocks Child et al. 2019, Generating Long Sequences with Sparse Transformers,
# section 4.3
stride = 64  # tokens in a block
num_summary = 4  # tokens at the end of each block that every later query sees


def causal(b, h, q_idx, kv_idx):
    return kv_idx <= q_idx + past_len


def local_or_global(b, h, q_idx, kv_idx):
    is_local = q_pos // stride == kv_pos // stride
    is_global = kv_pos % stride >= stride - num_summary
    return is_local | is_global


mask_mod = and_masks(causal, local_or_global)
