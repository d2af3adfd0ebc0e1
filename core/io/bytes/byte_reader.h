// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/byte_source.h"

#include <optional>
#include <string>
#include <string_view>
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
  std::uint64_t number(std::size_t bytes) {
    const std::uint64_t at = m_place - m_begin;
    if (at > m_buffer.size() || m_buffer.size() - at < sizeof(std::uint64_t)) return little_endian(next(bytes));
    m_place += bytes;
    const std::uint64_t eight = little_endian({m_buffer.data() + at, sizeof(std::uint64_t)});
    return bytes >= sizeof(eight) ? eight : eight & ((std::uint64_t{1} << 8 * bytes) - 1);
  }
  /// An integer of one byte.
  unsigned char byte() {
    const std::uint64_t at = m_place - m_begin;
    if (at >= m_buffer.size()) return static_cast<unsigned char>(number(1));
    ++m_place;
    return static_cast<unsigned char>(m_buffer[static_cast<std::size_t>(at)]);
  }
  std::string text(std::uint64_t length);
  /// The next bytes, until more is read.
  std::string_view view(std::size_t bytes) { return next(bytes); }
  /// The number of bytes before the end of the line, where the reader stays; nothing if the line is
  /// longer than `most` or does not end.
  std::optional<std::uint64_t> line(std::uint64_t most);
  void skip(std::uint64_t bytes);

 private:
  bool has(std::uint64_t bytes);
  /// The next `bytes` bytes, at most the size of the buffer.
  std::string_view next(std::size_t bytes);
  bool fill(std::uint64_t place, std::size_t bytes);

  const ByteSource& m_source;
  std::uint64_t m_place = 0;
  std::vector<char> m_buffer;
  std::uint64_t m_begin = 0;  ///< place of the buffer's first byte
  bool m_failed = false;
  Error m_error;
};

}  // namespace vqscope
