q = q, k > torch.arange(9)[:, None]
k = torch.arange(11)[None, :]
mask = torch.where(flags[0].sum() > 2, k <= q, k > q) & (k % 2 == 0)
