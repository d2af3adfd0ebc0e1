// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/file_handle.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <system_error>

namespace vqscope {
namespace {

FileHandle opened(int folder, const std::string& path, int flags, unsigned mode) {
  for (;;) {
    const int number = ::openat(folder, path.c_str(), flags | O_CLOEXEC, mode);
    if (number >= 0 || errno != EINTR) return FileHandle(number);
  }
}

}  // namespace

FileHandle::~FileHandle() {
  if (m_number >= 0) ::close(m_number);
}

FileHandle open_handle(const std::string& path, int flags, unsigned mode) {
  return opened(AT_FDCWD, path, flags, mode);
}

FileHandle open_handle_in(const FileHandle& folder, const std::string& name, int flags, unsigned mode) {
  return opened(folder.number(), name, flags, mode);
}

std::string io_reason(int error) {
  switch (error) {
    case ENOSPC: return "the disk is full";
    case EDQUOT: return "the disk quota is used up";
    case EROFS: return "the file system is read-only";
    default: return std::generic_category().message(error);
  }
}

}  // namespace vqscope
