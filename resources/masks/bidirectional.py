# bidirectional: encoder: every query sees every key
# Devlin et al. 2019, BERT, section 3
# terms: none


def everything(b, h, q_idx, kv_idx):
    return True
