// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/pickle/pickle_value.h"
#include "core/io/torch/torch_dtype.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// A tensor or array as its pickle describes it; nothing of that is checked against the data yet.
struct PickledTensor {
  TorchDtype dtype;
  std::vector<Index> shape;
  std::vector<std::uint64_t> strides;  ///< in elements; empty: C's order, or Fortran's
  bool fortran = false;
  std::uint64_t first = 0;                          ///< element of the storage
  std::optional<std::uint64_t> storage_bytes = {};  ///< size that the pickle gives the storage
  std::string storage = {};                         ///< key of the storage beside the pickle
  std::uint64_t base = 0;                           ///< first element of an old view of a storage
  PickleRef bytes = 0;                              ///< of an array: the value that holds its data
  bool is_file = false;                             ///< `bytes` are a torch file of the storage
  std::string problem = {};                         ///< why it cannot be read: completes "tensor x …"
};

/// The tensor that a value is; nothing for other values.
std::optional<PickledTensor> tensor_of(const Pickle& pickle, PickleRef value);

/// Whether a value is a tensor, without a look at its sizes.
bool is_tensor(const Pickle& pickle, PickleRef value);

/// The whole numbers of a tuple, list or torch.Size.
std::optional<std::vector<Index>> numbers_of(const Pickle& pickle, PickleRef value);

}  // namespace vqscope
