// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/byte_reader.h"

#include "core/base/sentence.h"
#include "core/io/bytes/byte_source.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

}  // namespace

void ByteReader::fail(Error error) {
  if (!m_failed) m_error = std::move(error);
  m_failed = true;
}

bool ByteReader::has(std::uint64_t bytes) {
  if (m_failed) return false;
  if (bytes <= left()) return true;
  fail(invalid("the file is cut short: {} bytes are expected at byte {}, it has {}", bytes, m_place, left()));
  return false;
}

std::string_view ByteReader::next(std::size_t bytes) {
  if (!has(bytes)) return {};
  if (m_place < m_begin || m_place + bytes > m_begin + m_buffer.size()) {
    m_buffer.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left(), std::max(buffer_bytes, bytes))));
    m_begin = m_place;
    if (auto read = m_source.read(m_place, m_buffer); !read) {
      m_buffer.clear();
      return fail(read.error()), std::string_view();
    }
  }
  const std::string_view found(m_buffer.data() + (m_place - m_begin), bytes);
  m_place += bytes;
  return found;
}

std::uint64_t ByteReader::number(std::size_t bytes) { return little_endian(next(bytes)); }

std::string ByteReader::text(std::uint64_t length) {
  if (!has(length)) return {};
  return std::string(next(static_cast<std::size_t>(length)));
}

void ByteReader::skip(std::uint64_t bytes) {
  if (has(bytes)) m_place += bytes;
}

}  // namespace vqscope
