// SPDX-License-Identifier: GPL-3.0-or-later
// The head of a GGUF file: what stands before the tensors' data.
#pragma once

#include "core/base/index.h"
#include "core/io/bytes/byte_source.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace vqscope {

/// An array that is not kept: of strings, or too long for a value of each layer. The vocabulary is
/// one.
struct GgufLongArray {
  std::uint64_t count = 0;
  friend bool operator==(const GgufLongArray&, const GgufLongArray&) = default;
};

struct GgufPair {
  std::string key;
  /// Integers beyond int64 are reals. An array holds numbers; true and false are 1 and 0 in it.
  std::variant<bool, Index, double, std::string, std::vector<double>, GgufLongArray> value;
};

struct GgufTensor {
  std::string name;
  std::vector<std::uint64_t> shape;  ///< the fastest dimension first
  std::uint32_t type = 0;            ///< number of the ggml type
  std::uint64_t offset = 0;          ///< of the data within the file
  bool is_elsewhere = false;         ///< in another file of the same model
};

struct GgufHead {
  std::uint32_t version = 0;
  std::vector<GgufPair> pairs;  ///< in the order of the file
  std::vector<GgufTensor> tensors;
  bool has_all_parts = false;  ///< the tensors of the model's other files are among them

  /// The last pair with that key; null if there is none.
  const GgufPair* find(std::string_view key) const;
  const GgufTensor* find_tensor(std::string_view name) const;
};

/// Whether bytes begin as a GGUF file.
bool begins_as_gguf(std::string_view bytes);

/// Reads the head alone, however large the file is. It is read in pieces and not mapped, because a
/// mapped file that another program cuts short ends this one. Sizes are checked before anything is
/// allocated. Errors name the byte.
Result<GgufHead> read_gguf_head(const ByteSource& source);

/// The numbers of a small tensor of type F32, F16 or BF16, at most `most` of them.
Result<std::vector<double>> read_gguf_numbers(const ByteSource& source, const GgufTensor& tensor, std::size_t most);

}  // namespace vqscope
