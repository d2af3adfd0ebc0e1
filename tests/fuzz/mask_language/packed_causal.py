same_doc = document_id[q_idx] == document_id[kv_idx]
causal = q_idx >= kv_idx
return same_doc & causal
