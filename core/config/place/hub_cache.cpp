// SPDX-License-Identifier: GPL-3.0-or-later
// Sources: constants.py, file_download.py and utils/_validators.py of huggingface_hub.
#include "core/config/place/hub_cache.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/bytes/user_folders.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace vqscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view model_prefix = "models--";
constexpr std::string_view separator = "--";
constexpr std::size_t longest_id = 96;
constexpr std::size_t longest_revision = 255;
constexpr std::size_t shown_commit = 8;
constexpr std::size_t most_entries = 10000;  // of a folder that is listed for a sentence
constexpr std::size_t most_named = 4;

/// An environment variable as a path; empty if it is not set.
std::string folder_of(const char* variable) {
  const char* given = std::getenv(variable);
  return expanded_path(given ? given : "");
}

/// The cache of huggingface_hub.
std::string hub_cache_folder() {
  for (const char* variable : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"})
    if (auto folder = folder_of(variable); !folder.empty()) return folder;
  if (const auto home = folder_of("HF_HOME"); !home.empty()) return home + "/hub";
  const auto caches = folder_of("XDG_CACHE_HOME");
  return (caches.empty() ? home_folder() + "/.cache" : caches) + "/huggingface/hub";
}

/// Letters, digits, '-', '_' and '.', not '-' or '.' at an end, neither "--" nor "..".
bool is_id_part(std::string_view part) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (part.empty() || !is_plain(part.front()) || !is_plain(part.back())) return false;
  if (part.find(separator) != std::string_view::npos || part.find("..") != std::string_view::npos) return false;
  return std::ranges::all_of(part, [&](char c) { return is_plain(c) || c == '-' || c == '.'; });
}

/// Whether a revision can be the path of a file below refs.
bool is_revision(std::string_view text) {
  if (text.empty() || text.size() > longest_revision || text.starts_with('/')) return false;
  const auto parts = split(text, '/');
  return std::ranges::none_of(parts, [](std::string_view part) { return part.empty() || part == "." || part == ".."; });
}

std::string folder_name_of(const std::string& id) {
  std::string name(model_prefix);
  for (const char each : id) each == '/' ? name += separator : name += each;
  return name;
}

/// "ORG/NAME" of "models--ORG--NAME"; empty if it is no such name.
std::string id_of(std::string_view folder_name) {
  if (!folder_name.starts_with(model_prefix)) return {};
  std::string id(folder_name.substr(model_prefix.size()));
  if (const auto cut = id.find(separator); cut != std::string::npos) id.replace(cut, separator.size(), "/");
  return id;
}

/// Names of the folders in a folder, sorted.
std::vector<std::string> folders_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator each(folder, failed), end; !failed && each != end && names.size() < most_entries;
       each.increment(failed)) {
    std::error_code unknown;
    if (each->is_directory(unknown)) names.push_back(each->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

/// The commit that refs/REVISION names; empty if there is no such file.
std::string referred_commit(const std::string& model_folder, const std::string& revision) {
  const fs::path file = fs::path(model_folder) / "refs" / revision;
  std::error_code failed;
  if (!fs::is_regular_file(file, failed)) return {};
  const auto text = read_text(file.string(), 4096);
  const std::string commit(text ? trimmed(*text) : std::string_view());
  return is_revision(commit) && commit.find('/') == std::string::npos ? commit : std::string();
}

const std::string* newest(const std::vector<std::string>& commits, const fs::path& snapshots) {
  const std::string* found = nullptr;
  fs::file_time_type latest;
  for (const auto& commit : commits) {
    std::error_code failed;
    const auto time = fs::last_write_time(snapshots / commit, failed);
    if (found && (failed || time <= latest)) continue;
    found = &commit;
    latest = time;
  }
  return found;
}

std::string name_list(const std::vector<std::string>& names, std::size_t longest) {
  std::vector<std::string> first;
  for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i) first.push_back(shortened(names[i], longest));
  std::string text = join(first, ", ");
  if (names.size() > most_named) text += fmt::format(" and {} more", names.size() - most_named);
  return text;
}

std::string name_of_model(const std::string& model_folder) {
  const std::string id = id_of(file_name(model_folder));
  return id.empty() ? shown_path(model_folder) : shortened(id, 2 * longest_id);
}

/// The commits that begin with a revision; the one that is equal alone.
std::vector<std::string> commits_of(const std::string& revision, const std::vector<std::string>& commits) {
  if (std::ranges::count(commits, revision) > 0) return {revision};
  std::vector<std::string> found;
  for (const auto& commit : commits)
    if (commit.starts_with(revision)) found.push_back(commit);
  return found;
}

}  // namespace

std::vector<std::string> hub_caches() {
  std::vector<std::string> caches{hub_cache_folder()};
  if (auto old = folder_of("TRANSFORMERS_CACHE"); !old.empty()) caches.push_back(std::move(old));
  return caches;
}

std::optional<ModelId> parse_model_id(std::string_view text) {
  const auto at = text.find('@');
  const std::string_view id = text.substr(0, at);
  const std::string_view revision = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  if (at != std::string_view::npos && !is_revision(revision)) return std::nullopt;
  const auto parts = split(id, '/');
  if (id.size() > longest_id || parts.size() > 2 || !std::ranges::all_of(parts, is_id_part)) return std::nullopt;
  return ModelId{std::string(id), std::string(revision)};
}

bool is_hub_model(const std::string& folder) {
  std::error_code failed;
  return fs::is_directory(fs::path(folder) / "snapshots", failed);
}

std::string hub_model_name(const std::string& folder) {
  const fs::path path(folder);
  if (auto id = id_of(path.filename().string()); !id.empty()) return id;
  if (path.parent_path().filename() != "snapshots") return {};
  const std::string id = id_of(path.parent_path().parent_path().filename().string());
  return id.empty() ? id : id + "@" + path.filename().string().substr(0, shown_commit);
}

Result<HubSnapshot> find_snapshot(const std::string& model_folder, const std::string& revision) {
  const fs::path snapshots = fs::path(model_folder) / "snapshots";
  const auto commits = folders_in(snapshots.string());
  const auto found = [&](const std::string& commit) { return HubSnapshot{(snapshots / commit).string(), commit}; };
  if (commits.empty()) return Error{Errc::not_found, name_of_model(model_folder) + " has no snapshot in the hub cache"};
  const std::string commit = referred_commit(model_folder, revision.empty() ? "main" : revision);
  if (!commit.empty() && std::ranges::count(commits, commit) > 0) return found(commit);
  if (revision.empty()) return found(*newest(commits, snapshots));
  if (!commit.empty())
    return Error{Errc::not_found,
                 fmt::format("{}: revision {} is commit {}, whose snapshot is not in {}", name_of_model(model_folder),
                             shortened(revision), shortened(commit, shown_commit), shown_path(snapshots.string()))};
  const auto matching = commits_of(revision, commits);
  if (matching.size() == 1) return found(matching.front());
  if (matching.size() > 1)
    return invalid("{}: revision {} is the beginning of {} commits: {}", name_of_model(model_folder),
                   shortened(revision), matching.size(), name_list(matching, 40));
  return Error{Errc::not_found,
               fmt::format("{} has no revision {} in {}, only the commits {}", name_of_model(model_folder),
                           shortened(revision), shown_path(snapshots.string()), name_list(commits, shown_commit + 1))};
}

Result<HubSnapshot> find_snapshot(const ModelId& id, const std::vector<std::string>& caches) {
  for (const auto& cache : caches)
    if (const auto folder = (fs::path(cache) / folder_name_of(id.id)).string(); is_hub_model(folder))
      return find_snapshot(folder, id.revision);
  return Error{Errc::not_found, fmt::format("{} is no file and no model in the hub cache {}{}", shortened(id.id, 100),
                                            shown_path(caches.front()), did_you_mean(id.id, hub_models(caches)))};
}

std::vector<std::string> hub_models(const std::vector<std::string>& caches) {
  std::vector<std::string> ids;
  for (const auto& cache : caches)
    for (const auto& name : folders_in(cache))
      if (auto id = id_of(name); !id.empty()) ids.push_back(std::move(id));
  return ids;
}

std::optional<Error> refusal_of_cache(const std::string& folder) {
  const auto ids = hub_models({folder});
  if (ids.empty()) return std::nullopt;
  return invalid("{}: the directory is a hub cache of {} {}, name one: {}", shown_path(folder), ids.size(),
                 ids.size() == 1 ? "model" : "models", name_list(ids, 40));
}

}  // namespace vqscope
