// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/tensor/tensor_file.h"

namespace vqscope {

/// What a file says of one of its tensors.
struct ListedTensor {
  std::string name;   ///< empty in .npy
  std::string dtype;  ///< NumPy's name; the file's own where NumPy has none
  std::vector<Index> shape;
  std::string problem = {};  ///< why its numbers cannot be read; empty: they can
};

/// The tensors of `file`, a .npy, .npz or .safetensors whose path errors name; in the order in which they lie. One that
/// cannot be read for `use` does not keep the others from being listed.
Result<std::vector<ListedTensor>> list_tensors(const std::shared_ptr<const ByteSource>& file, const std::string& path,
                                               TensorUse use = TensorUse::numbers);

}  // namespace vqscope
