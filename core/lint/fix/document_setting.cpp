// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/fix/document_setting.h"

#include "core/mask/recognise/mask_shape.h"

namespace vqscope {
namespace {

constexpr std::size_t most_documents = 65536;  // of the parameter

/// The ends of documents of these lengths.
std::vector<Index> ends_of(const std::vector<Index>& lengths) {
  std::vector<Index> ends;
  for (const Index length : lengths) ends.push_back((ends.empty() ? 0 : ends.back()) + length);
  return ends;
}

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
  if (!lengths || lengths->empty()) return "documents of its own";
  std::vector<Index> ends = ends_of(*lengths);
  const Index end = ends.back();
  ends.pop_back();
  return "documents " + lengths_text(ends, end);
}

}  // namespace vqscope
