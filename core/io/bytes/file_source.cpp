// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/file_source.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/io/bytes/file_handle.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace vqscope {
namespace {

class FileSource : public ByteSource {
 public:
  FileSource(std::ifstream file, std::uint64_t size) : m_file(std::move(file)), m_size(size) {}

  std::uint64_t size() const override { return m_size; }

  Result<void> read(std::uint64_t offset, std::span<char> out) const override {
    errno = 0;
    m_file.clear();
    m_file.seekg(static_cast<std::streamoff>(offset));
    m_file.read(out.data(), static_cast<std::streamsize>(out.size()));
    if (m_file) return {};
    const std::string reason = errno == 0 ? "the file has become shorter" : std::generic_category().message(errno);
    return Error{Errc::io, fmt::format("reading stopped at byte {}: {}", offset, reason)};
  }

 private:
  mutable std::ifstream m_file;
  std::uint64_t m_size;
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

Result<std::shared_ptr<const ByteSource>> open_file(const std::string& path) {
  const auto failure = [&](const std::string& reason) {
    return Error{Errc::io, fmt::format("cannot read {}: {}", shortened(path, 160), reason)};
  };
  const std::filesystem::path place(path);
  std::error_code code;
  const auto status = std::filesystem::status(place, code);
  if (code) return failure(code.message());
  // Checked before opening: opening a pipe without a writer would block.
  if (std::filesystem::is_directory(status)) return failure("it is a directory");
  if (!std::filesystem::is_regular_file(status)) return failure("it is not a file");
  const auto size = std::filesystem::file_size(place, code);
  if (code) return failure(code.message());
  errno = 0;
  std::ifstream file(place, std::ios::binary);
  if (!file) return failure(std::generic_category().message(errno));
  return std::shared_ptr<const ByteSource>(std::make_shared<FileSource>(std::move(file), size));
}

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
