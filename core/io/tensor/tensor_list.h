// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/tensor_file.h"

namespace vqscope {

/// A tensor as listed by its file.
struct ListedTensor {
  std::string name;   ///< empty in .npy
  std::string dtype;  ///< NumPy's name; the file's own where NumPy has none
  std::vector<Index> shape;
  std::string problem = {};  ///< why its numbers cannot be read; empty: they can
};

/// The tensors of `file`, whose path, used in errors, ends with .npy, .npz or .safetensors, in the
/// order of their data. A tensor that cannot be read for `use` is listed with the others.
Result<std::vector<ListedTensor>> list_tensors(const std::shared_ptr<const ByteSource>& file, const std::string& path,
                                               TensorUse use = TensorUse::numbers);

}  // namespace vqscope
