// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/io/bytes/byte_source.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// brain: bfloat16, the upper half of a float32, which other formats than NPY hold.
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

/// What an NPY file says of itself. The data lie wholly within the file.
struct NpyHeader {
  NpyDtype dtype;
  bool fortran = false;
  std::vector<Index> shape;
  std::uint64_t data_offset = 0;

  /// Elements: the product of the shape, 1 of a scalar.
  std::uint64_t count() const;
  /// "(4, 8)", as NumPy writes it.
  std::string shape_text() const;
};

/// Bytes of that many elements; nothing when 64 bits do not hold them.
std::optional<std::uint64_t> tensor_bytes(const NpyDtype& dtype, std::span<const Index> shape);

/// Format versions 1, 2 and 3. Nothing in the file is trusted: the dictionary is parsed, not evaluated, and the sizes
/// are multiplied in 64 bits against the file's length, so nobody allocates for a header that lies. Bytes after the
/// data are left alone, as NumPy does. Errors say what is wrong with the file and what is allowed.
Result<NpyHeader> read_npy_header(const ByteSource& source);

}  // namespace vqscope
