// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/npy/npy_header.h"
#include "core/io/zip/zip.h"

#include <memory>
#include <stop_token>

namespace vqscope {

/// Names a tensor of a file: `q.npy`, `qkv.npz:q`, `model.safetensors:layers.0.k[2,-1]`. The
/// numbers in brackets index the leading dimensions (layer, head); negative ones count from the end
/// as in Python.
struct TensorName {
  std::string file;
  std::string name;  ///< empty: the only tensor of the file
  std::vector<Index> leading;
  friend bool operator==(const TensorName&, const TensorName&) = default;
};

/// The file name must end with .npy, .npz or .safetensors.
Result<TensorName> parse_tensor_name(std::string_view text);

/// The text that parse_tensor_name parses to `name`.
std::string tensor_name_text(const TensorName& name);

/// A tensor in a file: what is known before its numbers are read.
struct StoredTensor {
  TensorName name;                          ///< own name, empty only in .npy; no negative index
  std::shared_ptr<const ByteSource> bytes;  ///< the bytes that the header describes
  NpyHeader header;                         ///< of the whole tensor
  std::vector<Index> shape;                 ///< of the dimensions after `leading`
};

/// Use of a tensor that is read. Numbers need a real dtype; flags may also be bool or one-byte
/// integers; cells of a mask may have any known dtype.
enum class TensorUse { numbers, flags, cells };

/// Finds a tensor that can be read for `use` (by default float16, bfloat16, float32 or float64
/// numbers) in `file`, the contents of name.file. All sizes in its header are checked against the
/// size of the file. Errors name the file and the tensor.
Result<StoredTensor> find_tensor(std::shared_ptr<const ByteSource> file, const TensorName& name,
                                 TensorUse use = TensorUse::numbers);

/// Its numbers in C order, as float32; as many as the product of `shape`.
Result<std::vector<float>> read_tensor(const StoredTensor& tensor, const std::stop_token& stop = {});

/// ".npy", ".npz" or ".safetensors" in lower case, if the path ends with one of them.
std::string tensor_extension(std::string_view path);

/// An .npy member of an .npz archive; its name does not include ".npy".
struct NpzArray {
  std::string name;
  ZipMember member;
};
Result<std::vector<NpzArray>> npz_arrays(const ByteSource& archive);

}  // namespace vqscope
