// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/watch/watched_folder.h"

#include "core/base/sentence.h"
#include "core/io/bytes/path_text.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace vqscope {
namespace {

constexpr std::size_t most_watched_files = 100000;

bool is_temporary(std::string_view name) {
  constexpr std::array<std::string_view, 6> endings{"~", ".tmp", ".part", ".swp", ".lock", ".crdownload"};
  return name.starts_with('.') ||
         std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

/// Takes new files in and forgets those that are gone.
Result<void> WatchedFolder::list() {
  std::set<std::string> present;
  std::error_code failed;
  for (std::filesystem::directory_iterator each(m_folder, failed), end; !failed && each != end;
       each.increment(failed)) {
    if (is_temporary(each->path().filename().string())) continue;
    std::error_code unknown;
    if (!each->is_regular_file(unknown)) continue;
    present.insert(each->path().string());
    if (present.size() > most_watched_files)
      return too_large("{}: the directory has more than {} files", shown_path(m_folder), most_watched_files);
  }
  if (failed) return Error{Errc::io, fmt::format("cannot watch {}: {}", shown_path(m_folder), failed.message())};
  std::erase_if(m_files, [&](const auto& each) { return !present.contains(each.first); });
  for (const auto& path : present) m_files.try_emplace(path, Entry{WatchedFile(path), !m_started});
  m_started = true;
  return {};
}

/// Of the files of the first look, the newest that is complete stands for those before it.
void WatchedFolder::keep_newest(std::vector<Arrival>& arrivals) {
  const auto was_there = [&](const Arrival& each) { return m_files.at(each.path).was_there; };
  const Arrival* newest = nullptr;
  for (const Arrival& each : arrivals)
    if (was_there(each) && (!newest || each.modified >= newest->modified)) newest = &each;
  if (!newest) return;
  const Arrival kept = *newest;
  std::erase_if(arrivals, [&](const Arrival& each) { return was_there(each) && each.path != kept.path; });
  for (auto& [path, entry] : m_files) {
    const bool older = entry.was_there && entry.file.stamp() && entry.file.stamp()->modified <= kept.modified;
    if (older) entry.file.accept();
    if (older || path == kept.path) entry.was_there = false;
  }
}

Result<std::vector<WatchedFolder::Arrival>> WatchedFolder::look(Index now) {
  if (auto listed = list(); !listed) return listed.error();
  std::vector<Arrival> arrivals;
  for (auto& [path, entry] : m_files) {
    const auto news = entry.file.look(now, m_times);
    if (news == WatchedFile::News::whole || news == WatchedFile::News::damaged)
      arrivals.push_back({path, entry.file.stamp()->modified, news == WatchedFile::News::damaged});
  }
  keep_newest(arrivals);
  std::ranges::stable_sort(arrivals, {}, &Arrival::modified);
  return arrivals;
}

}  // namespace vqscope
