# longformer: a window to both sides, and global tokens that see all and that all see
# Beltagy et al. 2020, Longformer, section 3.1; Hugging Face transformers, modeling_longformer
# objective: bidirectional
attention_window = 64  # tokens around a query that it sees, half of them on each side
global_tokens = 1  # leading tokens of each document that see every key and that every query sees


def longformer(b, h, q_idx, kv_idx):
    q = q_idx + past_len
    near = abs(q - kv_idx) <= attention_window // 2
    is_global = (q_pos < global_tokens) | (kv_pos < global_tokens)
    return near | is_global
