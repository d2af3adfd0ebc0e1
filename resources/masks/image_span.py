# image_span: text and images in turn: causal, and the tokens of an image see that whole image
# Hugging Face transformers, modeling_gemma3, token_type_ids_mask_function
text_tokens = 64  # tokens of text before each image
image_tokens = 64  # tokens of an image


def image_span(b, h, q_idx, kv_idx):
    period = text_tokens + image_tokens
    in_image = (q_pos % period >= text_tokens) & (kv_pos % period >= text_tokens)
    same_image = in_image & (q_pos // period == kv_pos // period)
    return (kv_idx <= q_idx + past_len) | same_image
