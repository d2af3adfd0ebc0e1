// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/dump/dump_files.h"

#include "core/base/sentence.h"
#include "core/capture/store/capture_names.h"
#include "core/io/bytes/path_text.h"
#include "core/io/tensor/tensor_name.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace vqscope {
namespace {

constexpr std::size_t most_capture_files = 100'000;
constexpr int most_seen = 300;
constexpr int deepest = 4;

/// The number that follows `word`; `text` becomes what follows the number.
std::optional<Index> number_behind(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return std::nullopt;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", word.size()), text.size());
  const auto number = end > word.size() && end <= word.size() + 9
                          ? parse_index(text.substr(word.size(), end - word.size()))
                          : std::nullopt;
  if (number) text.remove_prefix(end);
  return number;
}

std::optional<Index> number_of(std::string_view text, std::string_view word) {
  const auto number = number_behind(text, word);
  return text.empty() ? number : std::nullopt;
}

std::optional<Index> step_of_folder(std::string_view name) {
  const auto step = number_of(name, "step_");
  return step ? step : number_of(name, "iteration_");
}

/// "TP0_PP0_Rank0_pid17" of SGLang, "PP_0" and "TP_0" of TensorRT-LLM.
bool is_rank_folder(std::string_view name) {
  if (number_of(name, "PP_") || number_of(name, "TP_")) return true;
  return number_behind(name, "TP") && number_behind(name, "_PP") && number_behind(name, "_Rank");
}

bool is_module_folder(std::string_view name) { return name.find("layers.") != std::string_view::npos; }

/// "forward_pass_id=0___rank=0___name=q___layer_id=3"
void take_fields(std::string_view stem, DumpFile& file) {
  while (!stem.empty()) {
    const std::size_t end = std::min(stem.find("___"), stem.size());
    const std::string_view field = stem.substr(0, end);
    stem.remove_prefix(std::min(end + 3, stem.size()));
    const std::size_t equals = field.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = field.substr(0, equals), value = field.substr(equals + 1);
    if (key == "name") file.name = value;
    if (key == "step" || key == "forward_pass_id") file.step = number_of(value, "");
    if (key == "layer_id") file.layer = number_of(value, "");
    if (key == "rank") file.rank = number_of(value, "").value_or(0);
  }
}

/// "inputs_1_cuda_0" of a module is its ".inputs.1", "outputs_cuda_0" itself, "outputs_1_cuda_0" its "[1]".
std::string name_within(const std::string& module, std::string_view stem) {
  for (const auto& [word, before, behind] :
       {std::tuple{"inputs", ".inputs.", ""}, {"outputs", "[", "]"}, {"output", "[", "]"}}) {
    if (!stem.starts_with(word)) continue;
    std::string_view rest = stem.substr(std::string_view(word).size());
    if (const auto number = number_behind(rest, "_")) return fmt::format("{}{}{}{}", module, before, *number, behind);
    return *before == '[' ? module : module + before + "0";
  }
  return module + "." + std::string(stem);
}

struct Entries {
  std::vector<std::string> files, folders;  ///< paths and names
};

Result<Entries> entries_of(const std::string& folder) {
  std::error_code failed;
  Entries entries;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (name.starts_with('.')) continue;
    if (has_tensor_suffix(name) && !name.ends_with(".csv"))
      entries.files.push_back(folder + "/" + name);
    else if (at->is_directory(ignored))
      entries.folders.push_back(name);
    if (entries.files.size() + entries.folders.size() > most_capture_files)
      return too_large("{} has more than {} files of tensors", shown_path(folder), most_capture_files);
  }
  if (failed) return Error{Errc::io, shown_path(folder) + ": " + failed.message()};
  std::sort(entries.files.begin(), entries.files.end());
  std::sort(entries.folders.begin(), entries.folders.end());
  return entries;
}

Result<void> add_files(const std::string& folder, const DumpFile& place, int depth, DumpFiles& all) {
  const auto entries = entries_of(folder);
  if (!entries) return entries.error();
  for (const std::string& path : entries->files) {
    DumpFile file = dump_file_of(path, place.name);
    if (place.step) file.step = place.step;
    all.files.push_back(std::move(file));
  }
  if (all.files.size() > most_capture_files)
    return too_large("{} has more than {} files of tensors", shown_path(folder), most_capture_files);
  if (!entries->files.empty() || depth == deepest) return {};
  bool has_rank = false;
  std::size_t left_out = 0;
  for (const std::string& name : entries->folders) {
    DumpFile within = place;
    const bool is_rank = is_rank_folder(name);
    if (is_rank && has_rank) ++left_out;
    const auto step = step_of_folder(name);
    if (step) within.step = step;
    if (!step && !is_rank) within.name = name;
    if (is_rank ? has_rank : !step && !is_module_folder(name)) continue;
    has_rank = has_rank || is_rank;
    if (auto added = add_files(folder + "/" + name, within, depth + 1, all); !added) return added;
  }
  if (left_out > 0)
    all.remarks.push_back(fmt::format("{}: of {} ranks the first is read", shown_path(folder), left_out + 1));
  return {};
}

}  // namespace

DumpFile dump_file_of(const std::string& path, const std::string& module) {
  const std::string suffix = file_suffix(path);
  std::string_view stem = file_name(path);
  stem.remove_suffix(suffix.empty() ? 0 : suffix.size() + 1);
  DumpFile file{path, std::string(stem), {}, {}};
  if (const auto place = layer_file_of(stem)) {
    file.step = place->step;
    file.layer = place->layer;
  } else if (const auto pass = number_of(stem, "Pass")) {
    file.step = pass;
  } else if (stem.find("name=") != std::string_view::npos) {
    take_fields(stem, file);
  } else if (!module.empty()) {
    file.name = name_within(module, stem);
  }
  return file;
}

Result<DumpFiles> files_of_dump(const std::string& folder) {
  DumpFiles all;
  if (auto added = add_files(folder, {}, 0, all); !added) return added.error();
  const auto least = std::ranges::min_element(all.files, {}, &DumpFile::rank);
  const Index rank = least == all.files.end() ? 0 : least->rank;
  if (std::erase_if(all.files, [rank](const DumpFile& file) { return file.rank != rank; }) > 0)
    all.remarks.push_back(fmt::format("{}: of several ranks, rank {} is read", shown_path(folder), rank));
  return all;
}

bool has_dump_folders(const std::string& folder) {
  std::error_code failed;
  int seen = 0;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (++seen > most_seen) return false;
    if (!at->is_directory(ignored)) continue;
    if (is_rank_folder(name)) return true;
    if (!step_of_folder(name)) continue;
    // A folder of training has steps, too.
    int within = 0;
    for (std::filesystem::directory_iterator inner(at->path(), ignored);
         !ignored && inner != end && ++within < most_seen; inner.increment(ignored)) {
      const std::string module = inner->path().filename().string();
      if (is_module_folder(module) || is_rank_folder(module)) return true;
    }
  }
  return false;
}

}  // namespace vqscope
