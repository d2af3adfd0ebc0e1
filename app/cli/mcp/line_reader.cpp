// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mcp/line_reader.h"

#include <unistd.h>
#include <cerrno>

namespace vqscope {

bool LineReader::fill() {
  constexpr std::size_t atOnce = std::size_t{1} << 16;
  m_buffer.resize(atOnce);
  m_begin = 0;
  ssize_t count = -1;
  do {
    count = ::read(m_file.number(), m_buffer.data(), atOnce);
  } while (count < 0 && errno == EINTR);
  m_buffer.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return count > 0;
}

std::optional<ReadLine> LineReader::next() {
  ReadLine line;
  for (bool isBegun = false;; isBegun = true) {
    if (m_begin == m_buffer.size() && !fill()) return isBegun ? std::optional(line) : std::nullopt;
    const std::size_t end = m_buffer.find('\n', m_begin);
    const std::size_t count = (end == std::string::npos ? m_buffer.size() : end) - m_begin;
    line.isTooLong = line.isTooLong || line.text.size() + count > m_mostBytes;
    if (line.isTooLong)
      line.text.clear();
    else
      line.text.append(m_buffer, m_begin, count);
    m_begin += count;
    if (end == std::string::npos) continue;
    ++m_begin;
    return line;
  }
}

}  // namespace vqscope
