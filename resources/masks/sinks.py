# sinks: causal, and leading sink tokens that every query sees
# Xiao et al. 2024, Efficient Streaming Language Models with Attention Sinks
num_sinks = 4  # leading tokens of each document that every query sees


def sinks(b, h, q_idx, kv_idx):
    return (kv_pos < num_sinks) | (kv_idx <= q_idx + past_len)
