// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/capture.h"

#include "core/base/sentence.h"
#include "core/capture/store/fused_tensors.h"
#include "core/capture/store/name_map.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/tensor/tensor_file.h"
#include "core/io/tensor/tensor_list.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <system_error>

namespace vqscope {
namespace {

constexpr std::size_t most_capture_files = 100'000;
constexpr std::size_t most_layers = 4096;
constexpr std::uint64_t most_input_numbers = std::uint64_t{1} << 26;

std::string stem_of(std::string_view path) {
  const std::string_view name = file_name(path);
  const std::string suffix = file_suffix(path);
  return std::string(name.substr(0, name.size() - (suffix.empty() ? 0 : suffix.size() + 1)));
}

Result<std::vector<std::string>> tensor_files(const std::string& folder) {
  std::error_code failed;
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with('.') || !has_tensor_suffix(name) || name.ends_with(".csv")) continue;
    files.push_back(folder + "/" + name);
    if (files.size() > most_capture_files)
      return too_large("{} has more than {} files of tensors", shown_path(folder), most_capture_files);
  }
  if (failed) return Error{Errc::io, shown_path(folder) + ": " + failed.message()};
  std::sort(files.begin(), files.end());
  return files;
}

Result<std::vector<Index>> input_list(const std::shared_ptr<const ByteSource>& bytes, const std::string& path,
                                      const ListedTensor& listed) {
  const auto found = find_tensor(bytes, {path, listed.name, {}}, TensorUse::cells);
  if (!found) return found.error();
  return read_values<Index>(*found, most_input_numbers);
}

/// Positions and borders of documents count on from 0.
Result<void> check_counts(const std::string& path, const CapturedInputs& inputs) {
  constexpr Index most = Index{1} << 40;
  for (const auto& [name, values] :
       {std::pair{"cu_seqlens", &inputs.cu_seqlens}, std::pair{"cache_position", &inputs.cache_position}})
    for (const Index value : *values)
      if (value < 0 || value > most)
        return invalid("{}: {} has {} but its numbers must be from 0 to {}", shown_path(path), name, value, most);
  const auto& ends = inputs.cu_seqlens;
  if (const auto fall = std::ranges::adjacent_find(ends, std::greater<>()); fall != ends.end())
    return invalid("{}: cu_seqlens must not fall, but {} follows {}", shown_path(path), fall[1], fall[0]);
  return {};
}

Result<void> read_inputs(const std::string& path, CapturedInputs& inputs) {
  const auto bytes = open_file(path);
  if (!bytes) return bytes.error();
  const auto listed = list_tensors(*bytes, path, TensorUse::cells);
  if (!listed) return listed.error();
  const std::pair<std::string_view, std::vector<Index>*> known[]{{"input_ids", &inputs.input_ids},
                                                                 {"attention_mask", &inputs.attention_mask},
                                                                 {"cu_seqlens", &inputs.cu_seqlens},
                                                                 {"cache_position", &inputs.cache_position}};
  for (const ListedTensor& tensor : *listed)
    for (const auto& [name, into] : known) {
      if (tensor.name != name) continue;
      auto values = input_list(*bytes, path, tensor);
      if (!values) return values.error();
      *into = std::move(*values);
      if (into != &inputs.input_ids && into != &inputs.attention_mask) continue;
      if (tensor.shape.size() > 2 || tensor.shape.empty())
        return invalid("{}: {} has {} axes but must be [B, T]", path, tensor.name, tensor.shape.size());
      const Index batch = tensor.shape.size() == 2 ? tensor.shape[0] : 1;
      if (inputs.batch != 0 && (batch != inputs.batch || tensor.shape.back() != inputs.tokens))
        return invalid("{}: input_ids and attention_mask must have the same shape", path);
      inputs.batch = batch;
      inputs.tokens = tensor.shape.back();
    }
  return check_counts(path, inputs);
}

/// What is known of the names of a dump, and what has to be split once all is read.
struct DumpReading {
  NameMap names;
  std::vector<FusedTensor> fused;
};

/// The tensors of a file under names that a person wrote down, of a layer, or of another program.
Result<void> add_tensors(const std::string& path, DumpReading& dump, std::optional<Index> layer, Capture& capture) {
  const auto bytes = open_file(path);
  if (!bytes) return bytes.error();
  const auto listed = list_tensors(*bytes, path, TensorUse::cells);
  if (!listed) return listed.error();
  const bool alone = listed->size() == 1;
  for (const ListedTensor& tensor : *listed) {
    std::optional<ForeignTensor> place = dump.names.find(tensor.name);
    if (!place && alone) place = dump.names.find(stem_of(path));
    if (const auto role = tensor_role_of(tensor.name); !place && role && (layer || !alone || tensor.name != ""))
      place = ForeignTensor{layer.value_or(0), *role};
    if (!place) place = foreign_tensor_of(tensor.name);
    if (!place && alone) place = foreign_tensor_of(stem_of(path));
    const std::string whose = alone && tensor.name.empty() ? stem_of(path) : tensor.name;
    if (const auto fused = place ? std::nullopt : fused_layer_of(whose); fused)
      dump.fused.push_back({*fused, {path, tensor.name, tensor.dtype, tensor.shape}});
    if (!place) continue;
    CapturedLayer& tensors = capture.layers[place->layer];
    if (capture.layers.size() > most_layers)
      return too_large("{} has more than {} layers", shown_path(path), most_layers);
    TensorRole role = place->role;
    // After a norm the projection has a name of its own; llama.cpp names q again once it is rotated.
    const auto known = tensors.find(role);
    if (known != tensors.end() && (role == TensorRole::q || role == TensorRole::k)) {
      const bool normed = tensor.name.find("norm") != std::string::npos || path.find("norm") != std::string::npos;
      const bool was_normed =
          known->second.name.find("norm") != std::string::npos || known->second.file.find("norm") != std::string::npos;
      const TensorRole before = role == TensorRole::q ? TensorRole::q_proj : TensorRole::k_proj;
      if (normed) tensors[before] = known->second;
      if (was_normed) role = before;
    }
    tensors[role] = {path, tensor.name, tensor.dtype, tensor.shape};
  }
  return {};
}

Result<void> add_folder(const std::string& folder, DumpReading& dump, std::optional<Index> step, Capture& capture) {
  const auto files = tensor_files(folder);
  if (!files) return files.error();
  std::set<Index> steps;
  for (const std::string& file : *files) {
    const auto place = layer_file_of(stem_of(file));
    if (place && std::max(place->step, place->layer) > most_layer_number)
      return invalid("{}: numbers of steps and layers must be at most {}", shown_path(file), most_layer_number);
    if (place) steps.insert(place->step);
  }
  capture.steps.assign(steps.begin(), steps.end());
  capture.step = step.value_or(steps.empty() ? 0 : *steps.rbegin());
  if (step && !steps.contains(*step)) return invalid("{} has no step {}", shown_path(folder), *step);
  for (const std::string& file : *files) {
    const auto place = layer_file_of(stem_of(file));
    if (place && place->step != capture.step) continue;
    if (stem_of(file) == "inputs") {
      if (auto read = read_inputs(file, capture.inputs); !read) return read;
    } else if (auto added = add_tensors(file, dump, place ? std::optional(place->layer) : std::nullopt, capture);
               !added) {
      return added;
    }
  }
  std::error_code failed;
  const bool is_there = std::filesystem::exists(folder + "/capture.json", failed);
  if (failed) return Error{Errc::io, shown_path(folder) + "/capture.json: " + failed.message()};
  if (!is_there) return {};
  const auto text = read_text(folder + "/capture.json", std::size_t{16} << 20);
  if (!text) return within(shown_path(folder) + "/capture.json", text.error());
  auto info = read_capture_info(*text, folder);
  if (!info) return within(shown_path(folder), info.error());
  capture.info = std::move(*info);
  if (!capture.info.remark.empty()) capture.remarks.push_back(capture.info.remark);
  capture.is_whole = true;
  return {};
}

}  // namespace

Result<Capture> Capture::open(const std::string& path, std::optional<Index> step) {
  Capture capture;
  capture.path = path;
  std::error_code failed;
  const bool is_folder = std::filesystem::is_directory(path, failed);
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  auto names = NameMap::of_folder(is_folder ? path : parent.empty() ? "." : parent.string());
  if (!names) return names.error();
  DumpReading dump{std::move(*names), {}};
  auto added = is_folder ? add_folder(path, dump, step, capture) : add_tensors(path, dump, std::nullopt, capture);
  if (!added) return added.error();
  split_fused(dump.fused, capture);
  if (capture.layers.empty())
    return invalid(
        "{} holds no tensor of an attention layer: files layerNNN.safetensors with q, k, v, out and others, or dumps "
        "of "
        "Hugging Face's model debugger, vLLM, SGLang or llama.cpp",
        shown_path(path));
  return capture;
}

const CapturedTensor* Capture::find(Index layer, TensorRole role) const {
  const auto tensors = layers.find(layer);
  if (tensors == layers.end()) return nullptr;
  const auto tensor = tensors->second.find(role);
  return tensor == tensors->second.end() ? nullptr : &tensor->second;
}

}  // namespace vqscope
