// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/printed_file.h"

#include "app/process/console.h"
#include "core/base/sentence.h"
#include "core/io/bytes/file_handle.h"
#include "core/io/bytes/path_text.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace vqscope {
namespace {

constexpr std::size_t piece = 1 << 20;

std::string printedPath(const std::string& folder, const std::string& format) { return folder + "/out." + format; }

}  // namespace

const std::string& printed_formats() {
  static const std::string all = "csv npy json png svg pdf npz safetensors";
  return all;
}

PrintedFile::PrintedFile(const std::string& format) : m_format(format) {}

PrintedFile::~PrintedFile() { remove(); }

void PrintedFile::remove() {
  std::error_code failed;
  if (!m_folder.empty()) std::filesystem::remove_all(m_folder, failed);
  m_folder.clear();
}

Result<std::string> PrintedFile::path() {
  const char* given = std::getenv("TMPDIR");
  std::string folder = std::string(given && given[0] == '/' ? given : "/tmp") + "/vqscope-XXXXXX";
  if (!::mkdtemp(folder.data()))
    return Error{Errc::io, fmt::format("--out - needs a temporary folder, and cannot make {}: {}", shown_path(folder),
                                       io_reason(errno))};
  m_folder = folder;
  return printedPath(m_folder, m_format);
}

Result<void> PrintedFile::print() {
  const std::string path = printedPath(m_folder, m_format);
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{Errc::io, fmt::format("cannot read {}: {}", shown_path(path), io_reason(errno))};
  remove();
  std::vector<char> bytes(piece);
  showHeld();
  while (file) {
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto got = static_cast<std::size_t>(file.gcount());
    if (std::fwrite(bytes.data(), 1, got, stdout) != got)
      return Error{Errc::io, std::string("cannot write to standard output: ") + io_reason(errno)};
  }
  if (std::fflush(stdout) == 0) return {};
  return Error{Errc::io, std::string("cannot write to standard output: ") + io_reason(errno)};
}

Error PrintedFile::named(Error error) const {
  const std::string path = shown_path(printedPath(m_folder, m_format));
  const auto at = error.message.find(path);
  if (at != std::string::npos) error.message.replace(at, path.size(), "standard output");
  return error;
}

}  // namespace vqscope
