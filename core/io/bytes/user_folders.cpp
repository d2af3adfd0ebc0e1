// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/user_folders.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_handle.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace vqscope {
namespace {

constexpr mode_t owner_alone = 0700;

std::string with_home(std::string_view path) {
  if (!path.starts_with('~')) return std::string(path);
  const auto end = std::min(path.find('/'), path.size());
  const std::string user(path.substr(1, end - 1));
  const passwd* account = user.empty() ? nullptr : ::getpwnam(user.c_str());
  const std::string home = user.empty() ? home_folder() : account && account->pw_dir ? account->pw_dir : "";
  return home.empty() ? std::string(path) : home + std::string(path.substr(end));
}

/// Length of the "NAME" or "{NAME}" at the beginning of a text; 0: there is none.
std::size_t variable_length(std::string_view text) {
  if (text.starts_with('{')) {
    const auto end = text.find('}');
    return end == std::string_view::npos ? 0 : end + 1;
  }
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_part) - text.begin());
}

}  // namespace

std::string expanded_path(std::string_view path) {
  const std::string from = with_home(path);
  std::string expanded;
  for (std::size_t at = 0; at < from.size(); ++at) {
    const std::string_view rest = std::string_view(from).substr(at + 1);
    const std::size_t length = from[at] == '$' ? variable_length(rest) : 0;
    const bool braces = length > 0 && rest.front() == '{';
    const std::string name(braces ? rest.substr(1, length - 2) : rest.substr(0, length));
    const char* value = name.empty() ? nullptr : std::getenv(name.c_str());
    if (value) {
      expanded += value;
      at += length;
    } else {
      expanded += from[at];
    }
  }
  return expanded;
}

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
