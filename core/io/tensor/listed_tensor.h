// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// A tensor as listed by its file.
struct ListedTensor {
  std::string name;   ///< empty in .npy
  std::string dtype;  ///< NumPy's name; the file's own where NumPy has none
  std::vector<Index> shape;
  std::string problem = {};  ///< why its numbers cannot be read; empty: they can
};

/// The tensors as a sentence names them in so many characters: "q float32 (2, 3), k float32 (2,
/// 3)", without dtypes and shapes if there are many.
std::string listed_text(std::span<const ListedTensor> tensors, std::size_t room);

/// "it holds 2 tensors, name one of them as FILE:NAME: q …", or that `wanted` is none of them.
/// `what`: what the file is, "a torch file of an optimizer state".
Error no_such_tensor(std::string_view wanted, std::span<const ListedTensor> tensors, std::string_view what = {});

/// "lr is a number; it holds q float32 (2, 3)".
Error no_tensor(std::string_view wanted, std::string_view what, std::span<const ListedTensor> tensors);

/// "the tensor" or "tensor q".
std::string tensor_title(std::string_view name);

}  // namespace vqscope
