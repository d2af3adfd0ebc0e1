// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/capture.h"

#include "core/base/sentence.h"
#include "core/capture/store/dump/dump_reading.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/tensor/tensor_list.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>
#include <system_error>

namespace vqscope {
namespace {

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

/// `beside`: of a file of layers, which may have the tokens beside them.
Result<void> read_inputs(const std::string& path, bool beside, CapturedInputs& inputs) {
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
      if (tensor.name != name || (beside && (name != "input_ids" || tensor.shape.size() > 2))) continue;
      auto values = read_list(*bytes, path, tensor.name);
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

Result<void> add_folder(const std::string& folder, DumpReading& dump, std::optional<Index> step, Capture& capture) {
  const auto dumped = files_of_dump(folder);
  if (!dumped) return dumped.error();
  capture.remarks = dumped->remarks;
  std::set<Index> steps;
  for (const DumpFile& file : dumped->files) {
    if (std::max(file.step.value_or(0), file.layer.value_or(0)) > most_layer_number)
      return invalid("{}: numbers of steps and layers must be at most {}", shown_path(file.path), most_layer_number);
    if (file.step) steps.insert(*file.step);
  }
  capture.steps.assign(steps.begin(), steps.end());
  capture.step = step.value_or(steps.empty() ? 0 : *steps.rbegin());
  if (step && !steps.contains(*step)) return invalid("{} has no step {}", shown_path(folder), *step);
  for (const DumpFile& file : dumped->files) {
    if (file.step && *file.step != capture.step) continue;
    if (auto added = file.name == "inputs" ? read_inputs(file.path, false, capture.inputs) : dump.add(file); !added)
      return added;
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
  DumpReading dump(std::move(*names), capture);
  // A file of one step or layer alone is that of a capture without either.
  DumpFile file = dump_file_of(path);
  file.layer = {};
  auto added = is_folder ? add_folder(path, dump, step, capture) : dump.add(file);
  if (added && !is_folder) added = read_inputs(path, true, capture.inputs);
  if (!added) return added.error();
  dump.finish();
  if (capture.layers.empty())
    return invalid(
        "{} holds no tensor of an attention layer: files layerNNN.safetensors with q, k, v, out and others, or dumps "
        "of Hugging Face's model debugger, vLLM, SGLang or llama.cpp",
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
