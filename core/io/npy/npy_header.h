// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/io/bytes/byte_source.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// brain: bfloat16, the upper half of a float32; occurs in other formats only.
enum class NpyKind { boolean, signed_integer, unsigned_integer, real, brain };

struct NpyDtype {
  NpyKind kind = NpyKind::boolean;
  int bytes = 1;
  bool big_endian = false;

  bool is_real() const { return kind == NpyKind::real || kind == NpyKind::brain; }
  /// NumPy's name: bool, int8, uint64, float16, bfloat16.
  std::string name() const;
  friend bool operator==(const NpyDtype&, const NpyDtype&) = default;
};

/// The header of an NPY file, or of an array in another file. The data lies wholly within the file.
struct NpyHeader {
  NpyDtype dtype;
  bool fortran = false;
  std::vector<Index> shape;
  std::uint64_t data_offset = 0;
  std::vector<std::uint64_t> strides = {};  ///< in elements, if neither C's nor Fortran's; 0: repeated

  /// Number of elements: the product of the shape, 1 for a scalar.
  std::uint64_t count() const;
  /// "(4, 8)", as NumPy writes it.
  std::string shape_text() const;
};

/// The strides of all dimensions in elements.
std::vector<std::uint64_t> strides_of(const NpyHeader& header);

/// The array at the first indices, which are valid for the leading dimensions.
NpyHeader npy_slice(const NpyHeader& header, std::span<const Index> leading);

/// Number of bytes of the data; nothing if it does not fit 64 bits.
std::optional<std::uint64_t> tensor_bytes(const NpyDtype& dtype, std::span<const Index> shape);

/// Format versions 1, 2 and 3. Nothing in the file is trusted: the dictionary is parsed, not
/// evaluated, and the data size is computed in 64 bits and checked against the file's length, so a
/// false header allocates nothing. Bytes after the data are ignored, as in NumPy. Errors name the
/// fault of the file and the valid form.
Result<NpyHeader> read_npy_header(const ByteSource& source);

}  // namespace vqscope
