# two_sided_window: encoder with a window to both sides, as in local layers of ModernBERT
# Warner et al. 2024, ModernBERT; flash-attention, window_size
left = 64  # tokens before a query that it sees
right = 64  # tokens after a query that it sees


def not_too_far_back(b, h, q_idx, kv_idx):
    return q_idx + past_len - kv_idx <= left


def not_too_far_ahead(b, h, q_idx, kv_idx):
    return kv_idx - (q_idx + past_len) <= right


mask_mod = and_masks(not_too_far_back, not_too_far_ahead)
