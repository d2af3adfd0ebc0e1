// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/tensor/tensor_call.h"

namespace vqscope::language {

/// cat joins along an existing dimension, stack along a new one.
Value cat(Compilation& c, const TensorCall& call);

Value meshgrid(Compilation& c, const TensorCall& call);
/// Matrices along the diagonal, 0 elsewhere.
Value block_diag(Compilation& c, const TensorCall& call);
Value fill(Compilation& c, const TensorCall& call);
Value fill_diagonal(Compilation& c, const TensorCall& call);
Value masked_fill(Compilation& c, const TensorCall& call);

/// to[index[i][j]][j] = source[i][j], along a dimension.
Value scatter(Compilation& c, const TensorCall& call);

Value view(Compilation& c, const TensorCall& call);
Value unsqueeze(Compilation& c, const TensorCall& call);
Value squeeze(Compilation& c, const TensorCall& call);
Value expand(Compilation& c, const TensorCall& call);
Value repeat(Compilation& c, const TensorCall& call);

/// x.view_as(y), x.expand_as(y)
Value shaped_as(Compilation& c, const TensorCall& call);

/// transpose(a, b) swaps two dimensions, permute takes all of them, t and .T reverse them.
Value transpose(Compilation& c, const TensorCall& call);

/// F.pad(x, (before, after of the last side, before, after of the one before it, ...), value=0)
Value pad(Compilation& c, const TensorCall& call);

Value flip(Compilation& c, const TensorCall& call);

/// Without dimensions the array is rolled as a list.
Value roll(Compilation& c, const TensorCall& call);

Value tolist(Compilation& c, const TensorCall& call);

/// repeat_interleave(x, counts, dim); with only counts, the index of each element.
Value repeat_interleave(Compilation& c, const TensorCall& call);

Value index_select(Compilation& c, const TensorCall& call);
Value masked_select(Compilation& c, const TensorCall& call);

/// split(x, width) and split(x, widths), chunk(x, count)
Value split(Compilation& c, const TensorCall& call);

Value unbind(Compilation& c, const TensorCall& call);
Value gather(Compilation& c, const TensorCall& call);
Value diagonal(Compilation& c, const TensorCall& call);
Value unique(Compilation& c, const TensorCall& call);

/// One row of indices for each element that is not 0; with as_tuple=True one list for each
/// dimension.
Value nonzero(Compilation& c, const TensorCall& call);

Value reduce(Compilation& c, const TensorCall& call);

/// cumsum, cumprod, cummax and cummin; without a dimension NumPy treats the array as a list.
Value scan(Compilation& c, const TensorCall& call);

Value diff(Compilation& c, const TensorCall& call);

/// argsort returns indices; torch's sort returns values and indices.
Value sort(Compilation& c, const TensorCall& call);

Value bincount(Compilation& c, const TensorCall& call);

}  // namespace vqscope::language
