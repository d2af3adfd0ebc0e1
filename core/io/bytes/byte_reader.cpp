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

bool ByteReader::fill(std::uint64_t place, std::size_t bytes) {
  const std::uint64_t rest = m_source.size() - place;
  m_buffer.resize(static_cast<std::size_t>(std::min<std::uint64_t>(rest, std::max(buffer_bytes, bytes))));
  m_begin = place;
  const auto read = m_source.read(place, m_buffer);
  if (read) return true;
  m_buffer.clear();
  fail(read.error());
  return false;
}

std::string_view ByteReader::next(std::size_t bytes) {
  if (!has(bytes)) return {};
  const bool is_here = m_place >= m_begin && m_place + bytes <= m_begin + m_buffer.size();
  if (!is_here && !fill(m_place, bytes)) return {};
  const std::string_view found(m_buffer.data() + (m_place - m_begin), bytes);
  m_place += bytes;
  return found;
}

std::optional<std::uint64_t> ByteReader::line(std::uint64_t most) {
  for (std::uint64_t at = m_place; !m_failed && at - m_place <= most;) {
    if (at == m_source.size()) {
      fail(invalid("the file is cut short: the line at byte {} does not end", m_place));
      break;
    }
    const bool is_here = at >= m_begin && at < m_begin + m_buffer.size();
    if (!is_here && !fill(at, 1)) break;
    const std::string_view rest(m_buffer.data() + (at - m_begin), m_begin + m_buffer.size() - at);
    const auto end = rest.find('\n');
    at += end == std::string_view::npos ? rest.size() : end;
    if (end != std::string_view::npos) return at - m_place <= most ? std::optional(at - m_place) : std::nullopt;
  }
  return std::nullopt;
}

std::string ByteReader::text(std::uint64_t length) {
  if (!has(length)) return {};
  return std::string(next(static_cast<std::size_t>(length)));
}

void ByteReader::skip(std::uint64_t bytes) {
  if (has(bytes)) m_place += bytes;
}

}  // namespace vqscope
