# natten: tokens are the pixels of an image, and a query sees the neighbourhood around its own,
# moved in at the borders Hassani et al. 2023, Neighborhood Attention Transformer, section 3.1
# objective: bidirectional
width = 32  # pixels in a row of the image, which is read row by row
kernel_size = 7  # pixels in a row and in a column of the neighbourhood; odd, at most the image's sides


def same_columns(b, h, q_idx, kv_idx):
    reach = kernel_size // 2
    middle = torch.clamp((q_idx + past_len) % width, reach, width - 1 - reach)
    return abs(middle - kv_idx % width) <= reach


def same_rows(b, h, q_idx, kv_idx):
    reach = kernel_size // 2
    last = (kv_len - 1) // width
    middle = torch.clamp((q_idx + past_len) // width, reach, last - reach)
    return abs(middle - kv_idx // width) <= reach


mask_mod = and_masks(same_columns, same_rows)
