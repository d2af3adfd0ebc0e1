// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/user_folders.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_handle.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace vqscope {
namespace {

constexpr mode_t owner_alone = 0700;

}  // namespace

std::string home_folder() {
  const char* given = std::getenv("HOME");
  if (given && given[0] == '/') return given;
  const passwd* account = ::getpwuid(::getuid());
  return account && account->pw_dir && account->pw_dir[0] == '/' ? account->pw_dir : "";
}

Result<void> make_state_folder(const std::string& path) {
  const auto refused = [&](int error) {
    return Error{Errc::io, fmt::format("cannot create the folder {}: {}", shortened(path, 160), io_reason(error))};
  };
  std::string made;
  for (const auto& part : std::filesystem::path(path)) {
    made = made.empty() ? part.string() : (std::filesystem::path(made) / part).string();
    if (::mkdir(made.c_str(), owner_alone) == 0 || errno == EEXIST) continue;
    // A folder that exists may be on a file system that refuses to create anything.
    const int error = errno;
    std::error_code code;
    if (!std::filesystem::is_directory(made, code)) return refused(error);
  }
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return refused(errno);
  if (!S_ISDIR(status.st_mode)) return refused(ENOTDIR);
  const mode_t of_others = status.st_mode & 077;
  if (of_others != 0 && status.st_uid == ::geteuid()) ::chmod(path.c_str(), owner_alone);
  return {};
}

}  // namespace vqscope
