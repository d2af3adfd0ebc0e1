// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/npy/npy_header.h"
#include "core/io/tensor/tensor_name.h"
#include "core/io/tensor/tensor_use.h"

#include <memory>
#include <stop_token>

namespace vqscope {

/// A tensor in a file: what is known before its numbers are read.
struct StoredTensor {
  TensorName name;                          ///< own name, empty only in .npy; no negative index
  std::shared_ptr<const ByteSource> bytes;  ///< the bytes that the header describes
  NpyHeader header;                         ///< of what is left after `leading`
  std::vector<Index> shape;                 ///< of what is left after `leading`
};

/// Finds a tensor that can be read for `use` (by default float16, bfloat16, float32 or float64
/// numbers) in `file`, the contents of name.file, whose first bytes decide what it is. All sizes in
/// its header are checked against the size of the file. Errors name the file and the tensor.
Result<StoredTensor> find_tensor(const std::shared_ptr<const ByteSource>& file, const TensorName& name,
                                 TensorUse use = TensorUse::numbers);

/// Finds the tensor that `text` names, FILE or FILE:NAME, and opens its file.
Result<StoredTensor> open_tensor(std::string_view text, TensorUse use = TensorUse::numbers);

/// Its numbers in C order, as float32; as many as the product of `shape`.
Result<std::vector<float>> read_tensor(const StoredTensor& tensor, const std::stop_token& stop = {});

/// Its numbers in C order as T, which is Index, float or double; more than `limit` are refused.
/// Index takes bool and whole numbers only.
template <class T>
Result<std::vector<T>> read_values(const StoredTensor& tensor, std::uint64_t limit);

}  // namespace vqscope
