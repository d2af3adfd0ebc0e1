// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/batch/sample_batch.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/lint/lint_case.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vqscope {
namespace {

/// Tokens that the entries of an array stand for.
enum class TokensOf { queries, keys, either, none };

TokensOf tokens_of_array(std::string_view array) {
  constexpr std::array of_queries{"labels", "loss_mask", "input_ids", "q_position_ids"};
  constexpr std::array of_keys{"kv_position_ids", "span_ids", "attention_mask", "document_ids"};
  if (std::ranges::count(of_queries, array) > 0) return TokensOf::queries;
  if (std::ranges::count(of_keys, array) > 0) return TokensOf::keys;
  return array == "position_ids" ? TokensOf::either : TokensOf::none;
}

NamedCount token_count(std::string_view name, Index count) {
  return {count, fmt::format("{} has {} token{}", name, count, count == 1 ? "" : "s")};
}

/// The entry of a sample; one entry serves all.
template <class T>
const T& entry_of(const std::vector<T>& all, Index sample) {
  return all[all.size() == 1 ? 0 : static_cast<std::size_t>(sample)];
}

}  // namespace

bool is_sample_array(std::string_view name) {
  static const auto specs = lint_parameters();
  if (name == "attention_mask" || name == "document_ids" || name == "prefix_length") return true;
  const auto* spec = find_spec(specs, name);
  return spec && spec->kind == ParameterKind::integer_list;
}

bool SampleBatch::has_cells() const { return mask && !mask->masks.empty() && !mask->masks.front()->is_text(); }

std::shared_ptr<const MaskImport> SampleBatch::mask_of(Index sample, Index head) const {
  if (!mask || mask->masks.empty()) return nullptr;
  const Index row = mask->samples_checked == 1 ? 0 : sample;
  const Index column = mask->heads_checked == 1 ? 0 : head;
  return mask->masks[static_cast<std::size_t>(row * mask->heads_checked + column)];
}

SampleSequence SampleBatch::sequence_of(Index sample) const {
  SampleSequence sequence;
  if (!padding.empty()) sequence.padding = entry_of(padding, sample);
  if (!documents.empty()) {
    const SampleDocuments& own = entry_of(documents, sample);
    sequence.padding = own.padding;
    sequence.document_lengths = own.lengths;
    sequence.is_padding = own.lengths.empty();
  }
  if (sequence.padding && tokens) sequence.is_padding = sequence.is_padding || sequence.padding->padding >= *tokens;
  return sequence;
}

std::optional<Index> SampleBatch::prefix_of(Index sample) const {
  return prefixes.empty() ? std::nullopt : std::optional(entry_of(prefixes, sample));
}

bool SampleBatch::are_equal(Index a, Index a_head, Index b, Index b_head) const {
  const auto alike = [&](const auto& all) { return all.empty() || entry_of(all, a) == entry_of(all, b); };
  if (mask_of(a, a_head) != mask_of(b, b_head) || !alike(padding) || !alike(documents) || !alike(prefixes))
    return false;
  return std::ranges::all_of(
      arrays, [&](const NamedSampleArray& each) { return std::ranges::equal(each.array.row(a), each.array.row(b)); });
}

Result<void> SampleBatchReader::take_samples(const NamedCount& given) { return m_samples.take(given); }

Result<void> SampleBatchReader::take_samples(std::string_view name, Index samples) {
  if (samples == 1) return {};
  return m_samples.take({samples, fmt::format("{} has {} samples", name, samples)});
}

Result<void> SampleBatchReader::take_length(std::string_view name, Index count) {
  switch (tokens_of_array(name)) {
    case TokensOf::queries: return counts.take_queries(token_count(name, count));
    case TokensOf::keys: return counts.take_keys(token_count(name, count));
    case TokensOf::either:
      if (!m_either) m_either = count;
      break;
    case TokensOf::none: break;
  }
  return {};
}

Result<void> SampleBatchReader::take_mask(const std::string& path, MaskBatch mask) {
  const std::string name = "the mask " + shown_input(file_name(path));
  batch.heads = mask.heads;
  if (auto taken = take_samples(name, mask.samples); !taken) return taken;
  batch.padding = mask.padding;
  batch.mask = std::move(mask);
  if (batch.mask->is_attention_mask()) return counts.take_keys(token_count(name, batch.mask->shape.back()));
  const Extent extent = std::get<1>(batch.mask->masks.front()->mask)->extent();
  if (auto taken = counts.take_queries({extent.rows, fmt::format("{} has {} queries", name, extent.rows)}); !taken)
    return taken;
  return counts.take_keys({extent.cols, fmt::format("{} has {} keys", name, extent.cols)});
}

Result<void> SampleBatchReader::take_array(const std::string& name, SampleArray array, bool stated) {
  if (name == "prefix_length") {
    batch.prefixes = std::move(array.values);
    return take_samples(name, static_cast<Index>(batch.prefixes.size()));
  }
  if (name == "attention_mask") {
    if (batch.mask && batch.mask->is_attention_mask())
      return invalid("the mask and attention_mask both are attention masks; use one of them");
    auto padding = sample_padding(array);
    if (!padding) return padding.error();
    batch.padding = std::move(*padding);
  }
  if (auto taken = take_samples(name, array.samples()); !taken) return taken;
  if (auto taken = take_length(name, array.length()); !taken) return taken;
  if (name == "attention_mask") return {};
  if (name == "document_ids") {
    m_documents = std::move(array);
    return {};
  }
  std::erase_if(batch.arrays, [&](const NamedSampleArray& each) { return each.name == name; });
  batch.arrays.push_back({name, std::move(array), stated});
  return {};
}

/// cu_seqlens of a batch without padding between its samples: one sequence a sample.
void SampleBatchReader::split_sequence_ends() {
  const auto found = std::ranges::find(batch.arrays, "cu_seqlens", &NamedSampleArray::name);
  const Index samples = m_samples.known() ? m_samples.known()->count : 1;
  if (found == batch.arrays.end() || found->array.is_table() || samples == 1) return;
  const std::vector<Index>& ends = found->array.values;
  if (static_cast<Index>(ends.size()) != samples + 1 || ends.front() != 0 || !std::ranges::is_sorted(ends)) return;
  SampleArray each{{samples, 2}, {}};
  for (std::size_t i = 0; i + 1 < ends.size(); ++i)
    each.values.insert(each.values.end(), {Index{0}, ends[i + 1] - ends[i]});
  found->array = std::move(each);
}

Result<void> SampleBatchReader::take_sequence_ends(bool give_length) {
  const auto found = std::ranges::find(batch.arrays, "cu_seqlens", &NamedSampleArray::name);
  if (found == batch.arrays.end()) return {};
  const std::vector<Index>& ends = found->array.values;
  const bool rises = found->array.samples() == 1 && ends.front() == 0 && std::ranges::is_sorted(ends);
  if (!rises || ends.back() == 0) return {};
  const Index padding = batch.padding.size() == 1 ? batch.padding.front().padding : 0;
  const auto keys = counts.keys() ? counts.keys() : counts.queries();
  const bool fits = keys ? ends.back() + padding == *keys : give_length;
  if (batch.padding.size() > 1 || !fits) return {};
  SampleDocuments documents;
  if (padding > 0) documents.padding = batch.padding.front();
  for (std::size_t i = 1; i < ends.size(); ++i)
    if (ends[i] > ends[i - 1]) documents.lengths.push_back(ends[i] - ends[i - 1]);
  batch.documents.push_back(std::move(documents));
  return counts.take_keys(token_count("cu_seqlens", ends.back() + padding));
}

Result<void> SampleBatchReader::take_documents(SequenceEnds ends) {
  split_sequence_ends();
  if (!m_documents)
    return ends == SequenceEnds::unused ? Result<void>() : take_sequence_ends(ends == SequenceEnds::give_length);
  const Index samples = std::max(m_documents->samples(), static_cast<Index>(batch.padding.size()));
  for (Index sample = 0; sample < samples; ++sample) {
    const SamplePadding padding = batch.padding.empty() ? SamplePadding{} : entry_of(batch.padding, sample);
    auto documents = sample_documents(m_documents->row(sample), padding);
    if (!documents && samples == 1) return within("document_ids", documents.error());
    if (!documents) return within(fmt::format("document_ids: sample {}", sample), documents.error());
    batch.documents.push_back(std::move(*documents));
  }
  return {};
}

Result<void> SampleBatchReader::check_positions(Index past_len) const {
  const auto& known = counts.known();
  if (!m_either || !known) return {};
  const auto q = counts.queries(), kv = counts.keys();
  const auto fits = [&](const std::optional<Index>& count, Index more) {
    return count && (*m_either == *count + more || *m_either == 3 * (*count + more));
  };
  if (fits(q, 0) || fits(kv, 0) || fits(q, past_len) || fits(kv, -past_len)) return {};
  return invalid("{}, but {}", token_count("position_ids", *m_either).phrase, known->phrase);
}

Result<std::optional<Index>> SampleBatchReader::q_length(Index past_len) const {
  if (auto fits = check_positions(past_len); !fits) return fits.error();
  auto length = counts.q_length(past_len);
  if (length && !*length) *length = m_either;
  return length;
}

SampleBatch SampleBatchReader::finished() && {
  batch.tokens = counts.keys();
  batch.samples = m_samples.known() ? m_samples.known()->count : 1;
  return std::move(batch);
}

}  // namespace vqscope
