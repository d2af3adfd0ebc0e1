# sinks_window: StreamingLLM: causal, limited to a window and to leading sink tokens
# Xiao et al. 2024, Efficient Streaming Language Models with Attention Sinks, section 3.2
num_sinks = 4  # leading tokens of each document that every later query sees
window = 128  # tokens that a query reaches back, itself counted


def causal(b, h, q_idx, kv_idx):
    return kv_idx <= q_idx + past_len


def sinks_or_window(b, h, q_idx, kv_idx):
    return (kv_pos < num_sinks) | (q_idx + past_len - kv_idx < window)


mask_mod = and_masks(causal, sinks_or_window)
