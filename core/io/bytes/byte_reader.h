// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_source.h"

#include <string>
#include <vector>

namespace vqscope {

/// Reads numbers and strings one after the other, through a buffer. The first failure stays: what
/// is read after it is 0 or empty, so that callers check once for each value.
class ByteReader {
 public:
  explicit ByteReader(const ByteSource& source) : m_source(source) {}

  std::uint64_t place() const { return m_place; }
  std::uint64_t left() const { return m_source.size() - m_place; }
  bool failed() const { return m_failed; }
  const Error& error() const { return m_error; }
  void fail(Error error);

  /// An integer of `bytes` bytes, lowest first.
  std::uint64_t number(std::size_t bytes);
  std::string text(std::uint64_t length);
  void skip(std::uint64_t bytes);

 private:
  bool has(std::uint64_t bytes);
  /// The next `bytes` bytes, at most the size of the buffer.
  std::string_view next(std::size_t bytes);

  const ByteSource& m_source;
  std::uint64_t m_place = 0;
  std::vector<char> m_buffer;
  std::uint64_t m_begin = 0;  ///< place of the buffer's first byte
  bool m_failed = false;
  Error m_error;
};

}  // namespace vqscope
