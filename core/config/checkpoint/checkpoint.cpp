// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/checkpoint/checkpoint.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/json/json_reader.h"
#include "core/io/tensor/tensor_list.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>

namespace vqscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_index_bytes = std::size_t{32} << 20;  // 10 MB for 150,000 tensors
constexpr std::size_t most_shards = 2000;
constexpr std::size_t most_checkpoint_tensors = 1 << 20;
constexpr std::size_t most_listed_files = 100000;

/// Names of a checkpoint's files: model.safetensors, its parts and its index.
struct CheckpointForm {
  std::string_view stem, ending;
};
constexpr CheckpointForm usual_forms[]{{"model", ".safetensors"}, {"pytorch_model", ".bin"}};
constexpr CheckpointForm params_forms[]{{"consolidated", ".safetensors"}};
constexpr std::string_view lfs_pointer = "version https://git-lfs";

/// Tensors by the file in which the index says they are.
using WeightMap = std::map<std::string, std::vector<std::string>, std::less<>>;

bool is_file_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

/// Integers hold several weights each, in a shape of their own; only int8 is a weight.
bool is_packed(std::string_view dtype) {
  return dtype.starts_with("uint") || (dtype.starts_with("int") && dtype != "int8");
}

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

class CheckpointReader {
 public:
  CheckpointReader(fs::path folder, bool params) : m_folder(std::move(folder)), m_params(params) {}

  Checkpoint read() {
    const auto forms = m_params ? std::span<const CheckpointForm>(params_forms) : usual_forms;
    for (const auto& form : forms) {
      read_form(form);
      if (!m_all.is_empty()) break;
    }
    if (m_all.is_empty()) list_unread();
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
      return too_large("it names {} tensors but must name at most {}", map->object()->members.size(),
                       most_checkpoint_tensors);
    for (const auto& member : map->object()->members) {
      const auto* file = member.text();
      if (!file || !is_file_name(*file))
        return invalid("{}tensor {} is in {} but must be in a file of the same folder", member.place.text(),
                       shortened(member.key), shortened(member.shown()));
      weights[*file].push_back(member.key);
    }
    if (weights.size() > most_shards)
      return too_large("it names {} files but must name at most {}", weights.size(), most_shards);
    return weights;
  }

  void add_missing(const std::string& file, const std::vector<std::string>& tensors) {
    m_all.missing.push_back(file);
    for (const auto& tensor : tensors) m_all.tensors.push_back({tensor, {}, false});
  }

  /// `expected`: the tensors that the index names.
  void read_file(const std::string& name, const std::vector<std::string>& expected) {
    const auto problem = [&](const std::string& what) {
      m_all.problems.push_back(what);
      for (const auto& tensor : expected) m_all.tensors.push_back({tensor, {}, false});
    };
    const auto source = open_file((m_folder / name).string());
    if (!source) return problem(source.error().message);
    if (is_lfs_pointer(**source)) return m_all.has_pointers = true, add_missing(name, expected);
    auto entries = list_tensors(*source, name, TensorUse::cells);
    if (!entries && name.ends_with(usual_forms[1].ending)) return m_all.unread.push_back(name);
    if (!entries) return problem(entries.error().message);
    if (m_all.tensors.size() + entries->size() > most_checkpoint_tensors)
      return problem(
          fmt::format("{}: the checkpoint has more than {} tensors", shown_path(name), most_checkpoint_tensors));
    m_all.files.push_back(name);
    check_expected(name, *entries, expected);
    for (auto& entry : *entries)
      m_all.tensors.push_back({std::move(entry.name), std::move(entry.shape), !is_packed(entry.dtype)});
  }

  static bool is_lfs_pointer(const ByteSource& source) {
    std::string start(std::min<std::uint64_t>(source.size(), lfs_pointer.size()), '\0');
    return source.read(0, start) && start == lfs_pointer;
  }

  void check_expected(const std::string& name, const std::vector<ListedTensor>& entries,
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

  void read_form(const CheckpointForm& form) {
    const std::string single = fmt::format("{}{}", form.stem, form.ending), index = single + ".index.json";
    if (is_there(m_folder / index)) return read_indexed(index);
    if (is_there(m_folder / single)) return read_file(single, {});
    const auto parts = names_in_folder([&](std::string_view name) {
      return name.starts_with(fmt::format("{}-", form.stem)) && name.ends_with(form.ending);
    });
    for (const auto& name : parts) read_file(name, {});
    if (!parts.empty()) add_absent_parts(form, parts);
  }

  /// Formats of other frameworks, and parts of tensors.
  void list_unread() {
    m_all.unread = names_in_folder([](std::string_view name) {
      return (name.starts_with("consolidated") && name.ends_with(".pth")) || name == "tf_model.h5" ||
             name == "flax_model.msgpack";
    });
  }

  template <class Condition>
  std::vector<std::string> names_in_folder(const Condition& is_wanted) const {
    std::vector<std::string> names;
    std::error_code failed;
    std::size_t seen = 0;
    for (fs::directory_iterator each(m_folder, failed), end; !failed && each != end; each.increment(failed)) {
      std::string name = each->path().filename().string();
      if (++seen > most_listed_files || names.size() == most_shards) break;
      if (is_wanted(name)) names.push_back(std::move(name));
    }
    std::ranges::sort(names);
    return names;
  }

  /// "model-00002-of-00003.safetensors" says that there are three.
  void add_absent_parts(const CheckpointForm& form, const std::vector<std::string>& parts) {
    const auto of = parts.front().rfind("-of-");
    if (of == std::string::npos) return;
    const std::string digits = parts.front().substr(of + 4, parts.front().size() - of - 4 - form.ending.size());
    const auto count = parse_index(digits);
    if (!count || *count < 1 || *count > static_cast<Index>(most_shards)) return;
    for (Index part = 1; part <= *count; ++part) {
      const std::string name = fmt::format("{}-{:0{}}-of-{}{}", form.stem, part, digits.size(), digits, form.ending);
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
