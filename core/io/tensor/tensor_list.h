// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/io/bytes/byte_source.h"
#include "core/io/tensor/tensor_use.h"

#include <memory>
#include <string>
#include <vector>

namespace vqscope {

/// A tensor as listed by its file.
struct ListedTensor {
  std::string name;   ///< empty in .npy
  std::string dtype;  ///< NumPy's name; the file's own where NumPy has none
  std::vector<Index> shape;
  std::string problem = {};  ///< why its numbers cannot be read; empty: they can
};

/// The tensors of `file`, whose path is used in errors, in the order of their data. A tensor that cannot be read for
/// `use` is listed with the others.
Result<std::vector<ListedTensor>> list_tensors(const std::shared_ptr<const ByteSource>& file, const std::string& path,
                                               TensorUse use = TensorUse::numbers);

/// The names of a file's tensors for a sentence, with dtypes and shapes if there is room for them.
std::string names_of_tensors(const std::shared_ptr<const ByteSource>& file, const std::vector<std::string>& names,
                             const std::string& path, TensorUse use);

}  // namespace vqscope
