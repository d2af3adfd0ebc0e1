// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/fix/document_setting.h"

#include "core/mask/recognise/mask_shape.h"

namespace vqscope {
namespace {

constexpr std::size_t most_documents = 65536;  // of the parameter

}  // namespace

SuggestedValue document_setting(const SequenceLayout& layout, const std::vector<Index>& starts) {
  SuggestedValue setting{"document_lengths"};
  SequenceInput input = layout.input();
  Index begin = 0;
  const auto add = [&](Index end) {
    if (end > begin) input.document_lengths.push_back(end - begin);
    begin = std::max(begin, end);
  };
  input.document_lengths.clear();
  if (starts.size() >= most_documents) return setting;
  for (const Index start : starts) add(start);
  add(layout.kv_length() - input.padding);
  if (input.document_lengths.size() > 1 && SequenceLayout::make(input)) setting.value = input.document_lengths;
  return setting;
}

std::string documents_text(const SuggestedValue& setting) {
  const auto* lengths = setting.value ? std::get_if<std::vector<Index>>(&*setting.value) : nullptr;
  return lengths ? "documents " + lengths_text(*lengths) : "documents of its own";
}

}  // namespace vqscope
