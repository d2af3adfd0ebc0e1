// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/file_source.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/io/bytes/file_handle.h"
#include "core/io/bytes/part_source.h"
#include "core/io/bytes/path_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <mutex>
#include <utility>

namespace vqscope {
namespace {

/// Bytes of a pipe are kept in memory.
constexpr std::size_t most_piped = std::size_t{1} << 30;

class FileSource : public ByteSource {
 public:
  FileSource(FileHandle file, std::uint64_t size) : m_file(std::move(file)), m_size(size) {}

  std::uint64_t size() const override { return m_size; }
  bool is_shareable() const override { return true; }

  Result<void> read(std::uint64_t offset, std::span<char> out) const override {
    for (std::uint64_t at = offset; !out.empty();) {
      const auto count = ::pread(m_file.number(), out.data(), out.size(), static_cast<off_t>(at));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0)
        return Error{Errc::io, fmt::format("reading stopped at byte {}: {}", offset,
                                           count < 0 ? io_reason(errno) : "the file has become shorter")};
      out = out.subspan(static_cast<std::size_t>(count));
      at += static_cast<std::uint64_t>(count);
    }
    return {};
  }

 private:
  FileHandle m_file;
  std::uint64_t m_size;
};

/// A pipe gives its bytes once, but a command may open its input for each of many masks.
class ReadPipes {
 public:
  Result<std::shared_ptr<const ByteSource>> get(const std::string& path) {
    struct stat status {};
    const int failed = path == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status);
    if (failed != 0) return Error{Errc::io, io_reason(errno)};
    const auto key = std::pair(static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino));
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_read.find(key); known != m_read.end()) return known->second;
    auto bytes = read_text(path, most_piped);
    if (!bytes) return bytes.error();
    const std::shared_ptr<const ByteSource> source = std::make_shared<OwnedSource>(std::move(*bytes));
    m_read.emplace(key, source);
    return source;
  }

 private:
  std::mutex m_mutex;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::shared_ptr<const ByteSource>> m_read;
};

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

Result<std::shared_ptr<const ByteSource>> open_file(const std::string& given) {
  static ReadPipes pipes;
  const auto failure = [&](const std::string& reason) {
    return Error{Errc::io, fmt::format("cannot read {}: {}", shown_input(given), reason)};
  };
  struct stat status {};
  const bool is_input = given == "-";
  if ((is_input ? ::fstat(STDIN_FILENO, &status) : ::stat(given.c_str(), &status)) != 0)
    return failure(io_reason(errno));
  if (S_ISDIR(status.st_mode)) return failure("it is a directory");
  if (S_ISREG(status.st_mode)) {
    FileHandle file = is_input ? FileHandle(::dup(STDIN_FILENO)) : open_handle(given, O_RDONLY);
    if (!file) return failure(io_reason(errno));
    return std::shared_ptr<const ByteSource>(
        std::make_shared<FileSource>(std::move(file), static_cast<std::uint64_t>(status.st_size)));
  }
  if (!is_input && !S_ISFIFO(status.st_mode)) return failure("it is not a file");
  auto piped = pipes.get(given);
  return piped ? piped : failure(piped.error().message);
}

std::string shown_input(std::string_view path) { return path == "-" ? "standard input" : shown_path(path); }

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
