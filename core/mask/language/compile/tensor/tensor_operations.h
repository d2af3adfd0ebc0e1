// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/compilation.h"
#include "core/mask/language/compile/tensor/tensor_call.h"

namespace vqscope::language {

/// Computes functions of whole arrays, whose rows name it.
using TensorHandler = Value(Compilation& c, const TensorCall& call);

TensorHandler arange, eye, triangle;                                   // tensor_operations.cpp
TensorHandler cat, meshgrid, block_diag;                               // tensor_joins.cpp
TensorHandler fill, fill_diagonal, masked_fill, scatter;               // tensor_writes.cpp
TensorHandler view, unsqueeze, squeeze, expand, repeat, shaped_as;     // tensor_shapes.cpp
TensorHandler transpose, pad, flip, roll;                              // tensor_orders.cpp
TensorHandler tolist, repeat_interleave, index_select, masked_select;  // tensor_selection.cpp
TensorHandler split, unbind, gather, diagonal, unique, nonzero;        // tensor_selection.cpp
TensorHandler reduce;                                                  // tensor_reductions.cpp
TensorHandler scan, diff, sort, bincount;                              // tensor_scans.cpp

/// Applies a function of torch or NumPy on whole arrays, by its canonical name; empty: there is
/// none.
std::optional<Value> apply_to_tensors(Compilation& c, const std::string& name, std::vector<Argument> arguments,
                                      Range range);

}  // namespace vqscope::language
