// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/subject/batch_tokens.h"

#include "core/base/text.h"
#include "core/io/tensor/tensor_list.h"
#include "core/mask/batch/batch_members.h"
#include "core/mask/batch/sample_array.h"
#include "core/mask/import/mask_array.h"
#include "core/session/subject/tokenizer.h"

#include <algorithm>

namespace vqscope {
namespace {

/// FILE:NAME of the ids: those of the batch that `mask` names, else those beside the mask; empty: none.
std::string ids_of(const MaskInput& input, const std::string& mask) {
  if (const auto members = batch_members(mask))
    for (const BatchMember& member : members->known)
      if (member.name == "input_ids") return member.value;
  const auto tensors = list_tensors(input.file, input.name.file, TensorUse::cells);
  const bool has_ids = tensors && std::ranges::count(*tensors, "input_ids", &ListedTensor::name) > 0;
  return has_ids ? input.name.file + ":input_ids" : std::string();
}

}  // namespace

std::string tokenizer_of(const std::string& file, const std::string& model_file) {
  const std::string beside = file.empty() ? std::string() : tokenizer_beside(file);
  return beside.empty() && !model_file.empty() ? tokenizer_beside(model_file) : beside;
}

TokenTexts batch_token_texts(const std::string& mask, Index sample, const std::string& model_file) {
  const auto input = open_mask(mask);
  if (!input || !input->known.has_tensors()) return {};
  const std::string& file = input->name.file;
  const std::string tokenizer = tokenizer_of(file, model_file);
  if (tokenizer.empty()) return {};
  const std::string place = ids_of(*input, mask);
  if (place.empty()) return {};
  const auto ids = read_sample_array("input_ids", place);
  if (!ids || (ids->samples() > 1 && sample >= ids->samples())) return {};
  const auto vocabulary = Tokenizer::open(tokenizer);
  auto texts = vocabulary ? vocabulary->texts(ids->row(ids->samples() > 1 ? sample : 0)) : vocabulary.error();
  return texts ? std::move(*texts) : TokenTexts();
}

std::vector<Index> parse_token_ids(std::string_view text) {
  std::string_view inner = trimmed(text);
  if (inner.starts_with('[') && inner.ends_with(']')) inner = inner.substr(1, inner.size() - 2);
  std::vector<Index> ids;
  for (std::size_t at = 0; at < inner.size();) {
    const auto end = std::min(inner.find_first_of(", \t\n\r", at), inner.size());
    const auto piece = inner.substr(at, end - at);
    at = end + 1;
    if (piece.empty()) continue;
    const auto id = parse_index(piece);
    if (!id) return {};
    ids.push_back(*id);
  }
  return ids;
}

}  // namespace vqscope
