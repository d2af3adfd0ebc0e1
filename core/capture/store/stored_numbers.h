// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/npy/npy_header.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// A tensor of a file of a capture, whose numbers are read when they are asked for.
struct CapturedTensor {
  std::string file;
  std::string name;   ///< within the file
  std::string dtype;  ///< NumPy's name, or the file's own: "bfloat16", "F8_E4M3"
  std::vector<Index> shape;
  Index first_column = 0;    ///< of those that the file stores side by side
  Index stored_columns = 0;  ///< 0: the last axis is as long as in the file
};

/// The numbers of a tensor as they lie in its file. Reads are of whole numbers within the file, so
/// nothing but what is asked for is in memory.
class StoredNumbers {
 public:
  /// float8 tensors of safetensors files are read too.
  static Result<StoredNumbers> open(const CapturedTensor& tensor);

  /// Numbers that lie one after the other from `first` on, counted in elements from the tensor's
  /// begin, as float32.
  Result<void> read(std::uint64_t first, std::span<float> out) const;
  /// The same, counted in the tensor's own order: of a tensor that is some columns of a wider one.
  Result<void> read_in_order(std::uint64_t first, std::span<float> out) const;
  /// In elements, by axis.
  const std::vector<std::uint64_t>& strides() const { return m_strides; }
  /// Largest relative error of a number of the type; 0: whole numbers and bool.
  double unit() const;

 private:
  enum class Float8 { none, e4m3, e5m2 };

  Result<void> read_bytes(std::uint64_t offset, std::span<char> out) const;

  std::string m_file;
  std::shared_ptr<const ByteSource> m_bytes;
  NpyHeader m_header;
  std::vector<std::uint64_t> m_strides;
  Float8 m_float8 = Float8::none;
  std::uint64_t m_first = 0;    ///< element of the file where the tensor begins
  std::uint64_t m_columns = 0;  ///< of a wider tensor; 0: all
};

}  // namespace vqscope
