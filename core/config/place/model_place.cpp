// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/place/model_place.h"

#include "core/base/sentence.h"
#include "core/config/place/hub_cache.h"
#include "core/io/bytes/path_text.h"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace vqscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view model_file_names[]{"config.json", "params.json"};
constexpr std::size_t longest_model_label = 120;

/// Absolute, without "." and "..", and without '/' at the end.
fs::path whole_path(const std::string& given) {
  std::error_code failed;
  const fs::path path = fs::absolute(given, failed).lexically_normal();
  return path.has_filename() ? path : path.parent_path();
}

std::string stem_of(const fs::path& file) { return file.stem().string(); }

/// Usual names of files say nothing about the model.
bool has_usual_name(const fs::path& file) {
  const auto name = file.filename().string();
  return std::ranges::count(model_file_names, name) > 0;
}

std::string label_of(const fs::path& folder) {
  const std::string hub = hub_model_name(folder.string());
  return hub.empty() ? folder.filename().string() : hub;
}

/// The first part of each GGUF model in the folder.
Result<std::vector<std::string>> gguf_files(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed)) {
    std::string name = each->path().filename().string();
    if (file_suffix(name) != "gguf") continue;
    const auto of = name.find("-of-");
    const bool later = of != std::string::npos && of >= 5 && name.substr(of - 5, 5) != "00001";
    if (!later && names.size() < 1000) names.push_back(std::move(name));
  }
  if (failed) return Error{Errc::io, fmt::format("cannot read {}: {}", shown_path(folder), failed.message())};
  std::ranges::sort(names);
  return names;
}

/// The file of a folder that describes its model.
Result<std::string> config_in(const std::string& folder, const std::string& name) {
  std::error_code failed;
  for (const auto each : model_file_names) {
    const fs::path file = fs::path(folder) / each;
    if (fs::exists(file, failed)) return file.string();
    if (fs::is_symlink(fs::symlink_status(file, failed)))
      return Error{Errc::not_found, fmt::format("{}: {} is a link to a file that is not there, the download is not "
                                                "complete",
                                                name, each)};
  }
  const auto files = gguf_files(folder);
  if (!files) return files.error();
  if (files->size() == 1) return (fs::path(folder) / files->front()).string();
  if (files->size() > 1)
    return invalid("{}: the directory has {} GGUF files, name one: {}, {}{}", name, files->size(),
                   shortened((*files)[0], 40), shortened((*files)[1], 40), files->size() > 2 ? ", …" : "");
  return Error{Errc::not_found, name + ": the directory has no config.json, params.json or GGUF file"};
}

Result<ModelPlace> place_in(const std::string& folder, const std::string& given, std::string name) {
  auto file = config_in(folder, shown_path(given));
  if (!file) return file.error();
  return ModelPlace{std::move(*file), folder, std::move(name), true};
}

Result<ModelPlace> place_of_folder(const std::string& given) {
  const std::string folder = whole_path(given).string();
  const std::string name = shortened(label_of(folder), longest_model_label);
  auto place = place_in(folder, given, name);
  if (place || place.error().code != Errc::not_found) return place;
  if (is_hub_model(folder)) {
    const auto snapshot = find_snapshot(folder, {});
    return snapshot ? place_in(snapshot->folder, given, name) : snapshot.error();
  }
  if (const auto refused = refusal_of_cache(folder)) return *refused;
  return place;
}

ModelPlace place_of_file(const std::string& given) {
  const fs::path path = whole_path(given);
  const fs::path folder = path.parent_path();
  const bool usual = has_usual_name(path) && folder.has_filename();
  return {given, folder.string(), shortened(usual ? label_of(folder) : stem_of(path), longest_model_label)};
}

/// A name without '/', or with a suffix of configs, is a path unless the cache has such a model.
bool reads_as_path(const std::string& given) {
  const std::string suffix = file_suffix(given);
  return suffix == "json" || suffix == "gguf" || given.find('/') == std::string::npos;
}

/// The last `count` parts of a path.
std::string tail_of(const fs::path& path, std::ptrdiff_t count) {
  fs::path tail;
  const auto parts = std::distance(path.begin(), path.end());
  for (auto each = std::next(path.begin(), std::max<std::ptrdiff_t>(0, parts - count)); each != path.end(); ++each)
    tail /= *each;
  return tail.string();
}

}  // namespace

std::string ModelPlace::absolute_file() const {
  return file.empty() || file == "-" ? std::string() : whole_path(file).string();
}

Result<ModelPlace> find_model(const std::string& given) {
  if (given == "-") return ModelPlace{given, {}, "standard input"};
  std::error_code failed;
  if (fs::is_directory(given, failed)) return place_of_folder(given);
  const bool exists = fs::exists(fs::symlink_status(given, failed));
  const auto id = exists ? std::nullopt : parse_model_id(given);
  if (!id) return place_of_file(given);
  const auto snapshot = find_snapshot(*id, hub_caches());
  if (snapshot) return place_in(snapshot->folder, given, given);
  const bool unknown = id->revision.empty() && reads_as_path(given);
  return unknown ? Result<ModelPlace>(place_of_file(given)) : snapshot.error();
}

std::pair<std::string, std::string> told_apart(const ModelPlace& a, const ModelPlace& b) {
  if (a.name != b.name || a.file == b.file) return {a.name, b.name};
  const fs::path first = whole_path(a.file), second = whole_path(b.file);
  for (std::ptrdiff_t parts = 2; parts < 64; ++parts) {
    const std::string x = tail_of(first, parts), y = tail_of(second, parts);
    if (x != y) return {shortened(x, longest_model_label), shortened(y, longest_model_label)};
  }
  return {a.name, b.name};
}

}  // namespace vqscope
