// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/watch/watched_file.h"

#include "core/io/bytes/file_source.h"
#include "core/io/watch/completeness.h"

#include <sys/stat.h>

namespace vqscope {
namespace {

Index nanoseconds(const timespec& time) {
  constexpr Index second = 1'000'000'000;
  return static_cast<Index>(time.tv_sec) * second + static_cast<Index>(time.tv_nsec);
}

}  // namespace

std::optional<FileStamp> stamp_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileStamp{static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
                   static_cast<std::uint64_t>(status.st_size), nanoseconds(status.st_mtim),
                   nanoseconds(status.st_ctim)};
}

void WatchedFile::accept() { m_known = m_seen = stamp_of(m_path); }

WatchedFile::News WatchedFile::look(Index now, const WatchTimes& times) {
  const auto stamp = stamp_of(m_path);
  if (stamp != m_seen) {
    m_seen = stamp;
    m_since = now;
    return News::none;
  }
  if (stamp == m_known) return News::none;
  const Index age = now - m_since;
  if (!stamp) {  // an editor may put it back at once
    if (age < times.settled) return News::none;
    m_known.reset();
    return News::gone;
  }
  const auto file = open_file(m_path);
  const auto completeness = file ? completeness_of(*file, m_path) : Completeness::partial;
  const Index needed = completeness == Completeness::whole     ? 0
                       : completeness == Completeness::unknown ? times.settled
                                                               : times.given_up;
  // Written while its header was read.
  if (age < needed || stamp_of(m_path) != stamp) return News::none;
  m_known = stamp;
  return completeness == Completeness::partial ? News::damaged : News::whole;
}

}  // namespace vqscope
