// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/checkpoint/checkpoint.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/json/json_reader.h"
#include "core/io/tensor/safetensors.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace vqscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_index_bytes = std::size_t{32} << 20;  // 10 MB for 150,000 tensors
constexpr std::size_t most_shards = 2000;
constexpr std::size_t most_checkpoint_tensors = 1 << 20;
constexpr std::size_t most_listed_files = 100000;
constexpr std::string_view file_ending = ".safetensors";
constexpr std::string_view lfs_pointer = "version https://git-lfs";

/// Tensors by the file in which the index says they are.
using WeightMap = std::map<std::string, std::vector<std::string>, std::less<>>;

bool is_file_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

class CheckpointReader {
 public:
  CheckpointReader(fs::path folder, bool params) : m_folder(std::move(folder)), m_params(params) {}

  Checkpoint read() {
    const std::string stem = m_params ? "consolidated" : "model";
    if (const std::string index = stem + ".safetensors.index.json"; is_there(m_folder / index))
      read_indexed(index);
    else if (is_there(m_folder / (stem + ".safetensors")))
      read_file(stem + ".safetensors", {});
    else
      read_listed(stem);
    return std::move(m_all);
  }

 private:
  void read_indexed(const std::string& name) {
    auto weights = weight_map(name);
    if (!weights) return m_all.problems.push_back(within(name, weights.error()).message);
    m_all.has_index = true;
    for (const auto& [file, tensors] : *weights) {
      if (is_there(m_folder / file))
        read_file(file, tensors);
      else
        add_missing(file, tensors);
    }
  }

  Result<WeightMap> weight_map(const std::string& name) const {
    const auto text = read_text((m_folder / name).string(), most_index_bytes);
    if (!text) return text.error();
    const auto json = read_json(*text, {.most_bytes = most_index_bytes});
    if (!json) return json.error();
    const auto* map = json->find("weight_map");
    if (!map || !map->object()) return invalid("it has no weight_map, an object that names the file of each tensor");
    WeightMap weights;
    if (map->object()->members.size() > most_checkpoint_tensors)
      return too_large("it names {} tensors, must be at most {}", map->object()->members.size(),
                       most_checkpoint_tensors);
    for (const auto& member : map->object()->members) {
      const auto* file = member.text();
      if (!file || !is_file_name(*file))
        return invalid("{}tensor {} is in {}, must be in a file of the same folder", member.place.text(),
                       shortened(member.key), shortened(member.shown()));
      weights[*file].push_back(member.key);
    }
    if (weights.size() > most_shards)
      return too_large("it names {} files, must be at most {}", weights.size(), most_shards);
    return weights;
  }

  void add_missing(const std::string& file, const std::vector<std::string>& tensors) {
    m_all.missing.push_back(file);
    for (const auto& tensor : tensors) m_all.tensors.push_back({tensor, {}, false});
  }

  /// `expected`: the tensors that the index names.
  void read_file(const std::string& name, const std::vector<std::string>& expected) {
    const auto problem = [&](const std::string& what) {
      m_all.problems.push_back(shortened(name, 100) + ": " + what);
      for (const auto& tensor : expected) m_all.tensors.push_back({tensor, {}, false});
    };
    const auto source = open_file((m_folder / name).string());
    if (!source) return problem(source.error().message);
    if (is_lfs_pointer(**source)) return m_all.has_pointers = true, add_missing(name, expected);
    auto entries = read_safetensors_header(**source);
    if (!entries) return problem(entries.error().message);
    if (m_all.tensors.size() + entries->size() > most_checkpoint_tensors)
      return problem(fmt::format("the checkpoint has more than {} tensors", most_checkpoint_tensors));
    m_all.files.push_back(name);
    check_expected(name, *entries, expected);
    for (auto& entry : *entries) m_all.tensors.push_back({std::move(entry.name), std::move(entry.shape), true});
  }

  static bool is_lfs_pointer(const ByteSource& source) {
    std::string start(std::min<std::uint64_t>(source.size(), lfs_pointer.size()), '\0');
    return source.read(0, start) && start == lfs_pointer;
  }

  void check_expected(const std::string& name, const std::vector<SafetensorsEntry>& entries,
                      const std::vector<std::string>& expected) {
    std::vector<std::string_view> names;
    for (const auto& entry : entries) names.push_back(entry.name);
    std::ranges::sort(names);
    const auto absent = [&](const std::string& tensor) { return !std::ranges::binary_search(names, tensor); };
    const auto count = std::ranges::count_if(expected, absent);
    if (count > 0)
      m_all.problems.push_back(fmt::format("{} does not have {} of the {} tensors that the index names in it: {}",
                                           shortened(name, 100), count, expected.size(),
                                           shortened(*std::ranges::find_if(expected, absent), 100)));
  }

  /// Files without an index. The name of each says how many there are.
  void read_listed(const std::string& stem) {
    std::vector<std::string> parts, others;
    std::error_code failed;
    std::size_t seen = 0;
    for (fs::directory_iterator each(m_folder, failed), end; !failed && each != end; each.increment(failed)) {
      if (++seen > most_listed_files) break;
      const std::string name = each->path().filename().string();
      if (name.starts_with(stem + "-") && name.ends_with(file_ending) && parts.size() < most_shards)
        parts.push_back(name);
      const bool torch = name.starts_with("pytorch_model") || name.starts_with("consolidated");
      if (torch && (name.ends_with(".bin") || name.ends_with(".pth")) && others.size() < most_shards)
        others.push_back(name);
    }
    std::ranges::sort(parts);
    std::ranges::sort(others);
    for (const auto& name : parts) read_file(name, {});
    if (!parts.empty()) add_absent_parts(stem, parts);
    if (parts.empty()) m_all.unread = std::move(others);
  }

  /// "model-00002-of-00003.safetensors" says that there are three.
  void add_absent_parts(const std::string& stem, const std::vector<std::string>& parts) {
    const auto of = parts.front().rfind("-of-");
    if (of == std::string::npos) return;
    const std::string digits = parts.front().substr(of + 4, parts.front().size() - of - 4 - file_ending.size());
    const auto count = parse_index(digits);
    if (!count || *count < 1 || *count > static_cast<Index>(most_shards)) return;
    for (Index part = 1; part <= *count; ++part) {
      const std::string name = fmt::format("{}-{:0{}}-of-{}{}", stem, part, digits.size(), digits, file_ending);
      if (std::ranges::count(parts, name) == 0) m_all.missing.push_back(name);
    }
  }

  fs::path m_folder;
  bool m_params;
  Checkpoint m_all;
};

}  // namespace

Checkpoint read_checkpoint(const std::string& folder, bool params) { return CheckpointReader(folder, params).read(); }

}  // namespace vqscope
