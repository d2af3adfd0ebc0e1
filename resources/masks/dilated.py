# dilated: causal, and of the keys in the window every dilation-th
# Beltagy et al. 2020, Longformer, section 3.1
window = 512  # tokens that a query reaches back, itself counted
dilation = 4  # from one key that a query sees to the next; 1 is a sliding window


def causal(b, h, q_idx, kv_idx):
    return kv_idx <= q_idx + past_len


def in_window(b, h, q_idx, kv_idx):
    return q_idx + past_len - kv_idx < window


def on_the_grid(b, h, q_idx, kv_idx):
    return (q_idx + past_len - kv_idx) % dilation == 0


mask_mod = and_masks(causal, in_window, on_the_grid)
