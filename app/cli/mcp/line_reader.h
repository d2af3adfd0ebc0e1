// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/file_handle.h"

#include <optional>
#include <string>

namespace vqscope {

/// A line without its end; `isTooLong`: its bytes were skipped.
struct ReadLine {
  std::string text;
  bool isTooLong = false;
};

/// Reads lines of at most `mostBytes`, however long those are that come.
class LineReader {
 public:
  LineReader(FileHandle file, std::size_t mostBytes) : m_file(std::move(file)), m_mostBytes(mostBytes) {}

  /// Nothing at the end of the input, or where it cannot be read.
  std::optional<ReadLine> next();

 private:
  bool fill();

  FileHandle m_file;
  std::size_t m_mostBytes;
  std::string m_buffer;
  std::size_t m_begin = 0;  ///< of what is unread in the buffer
};

}  // namespace vqscope
