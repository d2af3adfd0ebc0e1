// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/watch/watched_file.h"

#include <map>
#include <string>
#include <vector>

namespace vqscope {

/// A folder into which files are written one after the other. Hidden files and temporary ones
/// (.tmp, .part, .swp, ~) are not looked at.
class WatchedFolder {
 public:
  struct Arrival {
    std::string path;
    Index modified = 0;  ///< nanoseconds
    bool damaged = false;
  };

  explicit WatchedFolder(std::string folder, WatchTimes times = {}) : m_folder(std::move(folder)), m_times(times) {}

  const std::string& folder() const { return m_folder; }
  /// Looks at the folder. Files that are written to their end and were not reported with this
  /// content, the oldest first. Of the files that are there at the first look, only the newest that
  /// is complete is reported. Errors name the folder.
  Result<std::vector<Arrival>> look(Index now);
  /// Files that are remembered: those of the folder.
  std::size_t size() const { return m_files.size(); }

 private:
  struct Entry {
    WatchedFile file;
    bool was_there = false;  ///< at the first look, and not reported since
  };

  Result<void> list();
  void keep_newest(std::vector<Arrival>& arrivals);

  std::string m_folder;
  WatchTimes m_times;
  std::map<std::string, Entry> m_files;  ///< by path
  bool m_started = false;
};

}  // namespace vqscope
