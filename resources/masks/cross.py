# cross: encoder-decoder: every query sees every key of the other sequence except padding
# Vaswani et al. 2017, Attention Is All You Need, section 3.2.3
# terms: key_valid


def everything(b, h, q_idx, kv_idx):
    return True
