// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/dump/dump_reading.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/tensor/tensor_file.h"
#include "core/io/tensor/tensor_list.h"
#include "core/method/qkv/qkv_names.h"

#include <numeric>

namespace vqscope {
namespace {

constexpr std::size_t most_layers = 4096;
/// A sparse file has any size.
constexpr std::uint64_t most_tensor_numbers = std::uint64_t{1} << 36, most_row_numbers = std::uint64_t{1} << 26;
constexpr std::uint64_t most_listed = std::uint64_t{1} << 26;
constexpr std::string_view batch_of_sglang = "forward_batch_info.";

/// What a tensor is called: its own name, or that of its file; SGLang's dumper puts it under "value".
std::string whole_name(const DumpFile& file, const std::string& name) {
  constexpr std::string_view value = "value";
  if (name.empty() || name.starts_with('[')) return file.name + name;
  const bool dumped = name.starts_with(value) && (name.size() == value.size() || name[value.size()] == '[');
  return dumped ? file.name + name.substr(value.size()) : name;
}

Result<void> check_size(const CapturedTensor& tensor) {
  const NpyHeader header{.shape = tensor.shape};
  const auto row = tensor.shape.empty() ? 0 : static_cast<std::uint64_t>(tensor.shape.back());
  if (header.count() <= most_tensor_numbers && row <= most_row_numbers) return {};
  return too_large("{}: {} of shape {} must have at most {} numbers, and {} a row", shown_path(tensor.file),
                   shortened(tensor.name), header.shape_text(), most_tensor_numbers, most_row_numbers);
}

bool is_of_norm(const CapturedTensor& tensor) {
  return tensor.name.find("norm") != std::string::npos || tensor.file.find("norm") != std::string::npos;
}

/// After a norm the projection has a name of its own; llama.cpp names q again once it is rotated.
void add_to_layer(CapturedLayer& tensors, TensorRole role, CapturedTensor tensor) {
  const auto known = tensors.find(role);
  if (known != tensors.end() && (role == TensorRole::q || role == TensorRole::k)) {
    const TensorRole before = role == TensorRole::q ? TensorRole::q_proj : TensorRole::k_proj;
    const bool was_normed = is_of_norm(known->second);
    if (is_of_norm(tensor)) tensors[before] = known->second;
    if (was_normed) role = before;
  }
  tensors[role] = std::move(tensor);
}

TensorRole rotated(TensorRole role) {
  if (role == TensorRole::q) return TensorRole::q_rot;
  return role == TensorRole::k ? TensorRole::k_rot : role;
}

}  // namespace

Result<std::vector<Index>> read_list(const std::shared_ptr<const ByteSource>& bytes, const std::string& path,
                                     const std::string& name) {
  const auto found = find_tensor(bytes, {path, name, {}}, TensorUse::cells);
  if (!found) return found.error();
  return read_values<Index>(*found, most_listed);
}

std::optional<ForeignTensor> DumpReading::place_of(const DumpFile& file, const std::string& name,
                                                   const std::string& whose, bool alone) const {
  if (auto told = m_names.find(name)) return told;
  if (auto told = alone ? m_names.find(file.name) : std::nullopt) return told;
  const auto role = tensor_role_of(whose);
  if (role && (file.layer || !alone || !name.empty())) return ForeignTensor{file.layer.value_or(0), *role};
  if (auto foreign = foreign_tensor_of(whose)) return foreign;
  return alone ? foreign_tensor_of(file.name) : std::nullopt;
}

/// SGLang tells positions, tokens and lengths of the whole batch once, each row a token.
Result<void> DumpReading::take_batch(const std::shared_ptr<const ByteSource>& bytes, const CapturedTensor& tensor,
                                     std::string_view name) {
  if (name == "positions") m_positions = tensor;
  const bool tokens = name == "input_ids", lengths = name == "seq_lens";
  if ((!tokens && !lengths) || tensor.shape.size() != 1) return {};
  auto values = read_list(bytes, tensor.file, tensor.name);
  if (!values) return values.error();
  CapturedInputs& inputs = m_capture.inputs;
  if (tokens && inputs.batch == 0) {
    inputs.batch = 1;
    inputs.tokens = std::ssize(*values);
    inputs.input_ids = std::move(*values);
  } else if (lengths && inputs.cu_seqlens.empty()) {
    std::vector<Index> ends{0};
    for (const Index length : *values) {
      if (length < 0 || length > Index{1} << 40) return {};
      ends.push_back(ends.back() + length);
    }
    inputs.cu_seqlens = std::move(ends);
  }
  return {};
}

Result<void> DumpReading::add(const DumpFile& file) {
  const auto bytes = open_file(file.path);
  if (!bytes) return bytes.error();
  const auto listed = list_tensors(*bytes, file.path, TensorUse::cells);
  if (!listed) return listed.error();
  const bool alone = listed->size() == 1, are_rotated = file.layer && is_of_attention_function(**bytes, file.path);
  for (const ListedTensor& tensor : *listed) {
    const std::string whose = whole_name(file, tensor.name);
    CapturedTensor stored{file.path, tensor.name, tensor.dtype, tensor.shape};
    if (const auto at = whose.find(batch_of_sglang); at != std::string::npos) {
      const auto name = std::string_view(whose).substr(at + batch_of_sglang.size());
      if (auto taken = take_batch(*bytes, stored, name); !taken) return taken;
      continue;
    }
    const auto place = place_of(file, tensor.name, whose, alone);
    auto fused = place ? std::nullopt : fused_layer_of(whose);
    if (!place && !fused && alone) fused = fused_layer_of(file.name);
    if (!place && !fused) continue;
    if (auto fits = check_size(stored); !fits) return fits;
    if (fused) {
      m_fused.push_back({*fused, std::move(stored)});
      continue;
    }
    CapturedLayer& tensors = m_capture.layers[place->layer];
    if (m_capture.layers.size() > most_layers)
      return too_large("{} has more than {} layers", shown_path(file.path), most_layers);
    add_to_layer(tensors, are_rotated ? rotated(place->role) : place->role, std::move(stored));
  }
  return {};
}

void DumpReading::finish() {
  // Lengths with tokens of earlier steps say nothing about the rows of this one.
  CapturedInputs& inputs = m_capture.inputs;
  if (m_positions && !inputs.cu_seqlens.empty() && inputs.cu_seqlens.back() != inputs.tokens) inputs.cu_seqlens.clear();
  split_fused(m_fused, m_capture);
  if (!m_positions) return;
  for (auto& [layer, tensors] : m_capture.layers) tensors.emplace(TensorRole::position_ids, *m_positions);
}

}  // namespace vqscope
