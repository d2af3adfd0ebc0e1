// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/listed_tensor.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// A part of the names of tensors, with the parts after it.
struct TensorTree {
  std::string label;                  ///< "layers", "[0]", "attn.mask"; empty at the root
  std::optional<std::size_t> tensor;  ///< place in the list of the tensor that ends here
  std::vector<TensorTree> children;
};

/// The names as a tree, cut before dots and brackets where names differ after them. Children are in
/// the order of the list.
TensorTree tensor_tree(std::span<const ListedTensor> tensors);

}  // namespace vqscope
