// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/read_text.h"

#include "core/base/text.h"
#include "core/io/bytes/file_handle.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>

namespace vqscope {
namespace {

constexpr std::size_t bytes_at_once = std::size_t{1} << 16;

Error too_long(std::size_t most) {
  return {Errc::too_large, "it has more than " + byte_count(static_cast<double>(most))};
}

/// `expected`: number of bytes, 0 if unknown.
Result<std::string> read_all(int file, std::size_t most, std::size_t expected = 0) {
  std::string text;
  text.reserve(expected + bytes_at_once);  // growing the string holds it in memory twice
  for (;;) {
    const std::size_t before = text.size();
    text.resize(std::min(before + bytes_at_once, most + 1));
    const auto count = ::read(file, text.data() + before, text.size() - before);
    if (count < 0 && errno != EINTR) return Error{Errc::io, io_reason(errno)};
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(0, count)));
    if (count == 0) return text;
    if (text.size() > most) return too_long(most);
  }
}

}  // namespace

Result<std::string> read_text(const std::string& path, std::size_t most) {
  if (path == "-") return read_all(STDIN_FILENO, most);
  // A pipe without a writer must not block.
  const FileHandle file = open_handle(path, O_RDONLY | O_NONBLOCK);
  if (!file) return Error{Errc::io, io_reason(errno)};
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return Error{Errc::io, io_reason(errno)};
  if (S_ISDIR(status.st_mode)) return Error{Errc::io, "it is a directory"};
  // Some devices have no end.
  if (S_ISBLK(status.st_mode) || (S_ISCHR(status.st_mode) && ::isatty(file.number()) != 1))
    return Error{Errc::io, "it is a device"};
  const auto size = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) : 0;
  if (size > most) return too_long(most);
  ::fcntl(file.number(), F_SETFL, 0);
  return read_all(file.number(), most, size);
}

}  // namespace vqscope
