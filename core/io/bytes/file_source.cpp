// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/file_source.h"

#include "core/base/sentence.h"

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

}  // namespace vqscope
