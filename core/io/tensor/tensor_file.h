// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/npy/npy_header.h"
#include "core/io/zip/zip.h"

#include <memory>
#include <stop_token>

namespace vqscope {

/// Which tensor of which file: `q.npy`, `qkv.npz:q`, `model.safetensors:layers.0.k[2,-1]`. The numbers in brackets pick
/// within the leading dimensions (layer, head), negative ones from the end as in Python.
struct TensorName {
  std::string file;
  std::string name;  ///< empty: the only one there is
  std::vector<Index> leading;
  friend bool operator==(const TensorName&, const TensorName&) = default;
};

/// The file ends with .npy, .npz or .safetensors.
Result<TensorName> parse_tensor_name(std::string_view text);

/// What parse_tensor_name takes for it.
std::string tensor_name_text(const TensorName& name);

/// A tensor in a file: what is known of it before its numbers are read.
struct StoredTensor {
  TensorName name;                          ///< its own name, not empty but in .npy; no index is negative
  std::shared_ptr<const ByteSource> bytes;  ///< what the header is about
  NpyHeader header;                         ///< of the whole tensor
  std::vector<Index> shape;                 ///< of what `leading` leaves
};

/// What a tensor is to be read for: numbers are of a real dtype; flags may be bool or whole bytes too; cells of a mask
/// may be of any dtype that is known.
enum class TensorUse { numbers, flags, cells };

/// Finds a tensor of float16, bfloat16, float32 or float64 numbers by what `file`, which is name.file, says of itself.
/// Everything it says is checked against its size. Errors name the file and the tensor.
Result<StoredTensor> find_tensor(std::shared_ptr<const ByteSource> file, const TensorName& name,
                                 TensorUse use = TensorUse::numbers);

/// Its numbers in C order, as float32: shape's product.
Result<std::vector<float>> read_tensor(const StoredTensor& tensor, const std::stop_token& stop = {});

/// ".npy", ".npz", ".safetensors": of a path that ends with one of them, in small letters.
std::string tensor_extension(std::string_view path);

/// A member of an .npz archive that ends with .npy, which is no part of its name.
struct NpzArray {
  std::string name;
  ZipMember member;
};
Result<std::vector<NpzArray>> npz_arrays(const ByteSource& archive);

}  // namespace vqscope
