// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/sample_inputs.h"

#include "app/cli/arguments/batch_file.h"
#include "app/cli/arguments/mask_arguments.h"
#include "app/cli/arguments/text_inputs.h"
#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/lint/lint_case.h"
#include "core/mask/batch/token_counts.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vqscope {
namespace {

/// Tokens that the entries of an array stand for.
enum class TokensOf { queries, keys, either, none };

TokensOf tokensOf(std::string_view array) {
  constexpr std::array ofQueries{"labels", "loss_mask", "input_ids", "q_position_ids"};
  constexpr std::array ofKeys{"kv_position_ids", "span_ids"};
  if (std::ranges::count(ofQueries, array) > 0) return TokensOf::queries;
  if (std::ranges::count(ofKeys, array) > 0) return TokensOf::keys;
  return array == "position_ids" ? TokensOf::either : TokensOf::none;
}

bool isArrayOfExpectedMask(std::string_view name) {
  static const auto specs = lint_parameters();
  const auto* spec = find_spec(specs, name);
  return spec && spec->kind == ParameterKind::integer_list;
}

/// A list between commas is read by the parameter, which knows its range.
bool isPlainList(const std::string& text) { return !names_array_file(text) && !trimmed(text).starts_with('['); }

NamedCount tokens(std::string_view name, Index count) {
  return {count, fmt::format("{} has {} token{}", name, count, count == 1 ? "" : "s")};
}

class InputReader {
 public:
  InputReader(const MethodArguments& arguments, bool isBatchFile)
      : m_arguments(arguments), m_isBatchFile(isBatchFile) {}

  Result<SampleInputs> read() {
    if (auto done = readMask(); !done) return done.error();
    for (const Setting& setting : m_arguments.settings)
      if (auto done = readSetting(setting); !done) return done.error();
    readSequenceEnds();
    if (auto done = takeSequenceEnds(); !done) return done.error();
    if (auto done = readDocuments(); !done) return done.error();
    if (auto done = takePadding(); !done) return done.error();
    if (auto done = takeLengths(); !done) return done.error();
    m_inputs.tokens = m_counts.keys();
    m_inputs.samples = m_samples.known() ? m_samples.known()->count : 1;
    return std::move(m_inputs);
  }

 private:
  bool sets(std::string_view name) const {
    return std::ranges::any_of(m_arguments.settings,
                               [&](const Setting& each) { return each.name == name && !each.stated; });
  }

  std::optional<Index> given(std::string_view name) const {
    std::optional<Index> last;
    for (const Setting& each : m_arguments.settings)
      if (each.name == name && !each.stated) last = parse_count(each.value);
    return last;
  }

  /// Tokens of the array of the queries' positions; nothing without one, or for those of several samples.
  std::optional<Index> givenQueries() const {
    std::optional<Index> last;
    for (const Setting& each : m_arguments.settings) {
      if (!each.array || each.name != "q_position_ids") continue;
      last = std::ranges::count(each.value, ',') + 1;
      if (isPlainList(each.value)) continue;
      const auto array = read_sample_array(each.name, each.value);
      last = array && array->samples() == 1 ? std::optional(array->length()) : std::nullopt;
    }
    return last;
  }

  Result<void> readMask() {
    if (!m_arguments.mask) return {};
    ImportOptions options = importOptionsOf(m_arguments);
    auto batch = read_mask_batch(*m_arguments.mask, options);
    if (batch && batch->is_attention_mask() && givenQueries() == batch->shape[0]) {
      options.q_length = batch->shape[0];
      batch = read_mask_batch(*m_arguments.mask, options);
      m_inputs.notes.push_back(fmt::format("q_position_ids has {} tokens: the rows of {} are those queries",
                                           options.q_length, shown_input(file_name(*m_arguments.mask))));
    }
    if (!batch) return batch.error();
    m_inputs.mask = std::move(*batch);
    const MaskBatch& mask = *m_inputs.mask;
    if (mask.shape.empty()) return readText(std::get<0>(mask.masks.front()->mask));
    m_inputs.notes.push_back(mask_batch_sentence(*m_arguments.mask, mask));
    m_inputs.warnings = mask_batch_warnings(mask);
    const std::string name = "the mask " + shown_input(file_name(*m_arguments.mask));
    m_inputs.heads = mask.heads;
    if (auto taken = takeSamples(name, mask.samples); !taken) return taken;
    m_inputs.padding = mask.padding;
    if (mask.is_attention_mask()) return m_counts.take_keys(tokens(name, mask.shape.back()));
    const Extent extent = std::get<1>(mask.masks.front()->mask)->extent();
    if (auto taken = m_counts.take_queries({extent.rows, fmt::format("{} has {} queries", name, extent.rows)}); !taken)
      return taken;
    return m_counts.take_keys({extent.cols, fmt::format("{} has {} keys", name, extent.cols)});
  }

  /// A range of b or h that is set has one sample or head.
  Result<void> readText(const std::string& text) {
    m_text = textInputsOf(m_arguments, text);
    m_inputs.readsBatch = m_text.readsBatch;
    m_inputs.givenBatch = given("b");
    m_inputs.readsHead = m_text.readsHead;
    for (const NamedCount& each : m_text.samples)
      if (auto taken = m_text.readsBatch ? m_samples.take(each) : Result<void>(); !taken) return taken;
    SharedCount heads;
    for (const NamedCount& each : m_text.heads)
      if (auto taken = m_text.readsHead ? heads.take(each) : Result<void>(); !taken) return taken;
    if (heads.known()) m_inputs.heads = heads.known()->count;
    return {};
  }

  Result<void> takeSamples(std::string_view name, Index samples) {
    if (samples == 1) return {};
    return m_samples.take({samples, fmt::format("{} has {} samples", name, samples)});
  }

  Result<void> takeTokens(std::string_view name, Index count, TokensOf of) {
    if (of == TokensOf::queries) return m_counts.take_queries(tokens(name, count));
    if (of == TokensOf::keys) return m_counts.take_keys(tokens(name, count));
    if (of == TokensOf::either && !m_either) m_either = count;
    return {};
  }

  Result<void> readSetting(const Setting& setting) {
    if (!setting.array) return keep(setting);
    const std::string& name = setting.name;
    const bool isFree = m_text.free.contains(name);
    const bool isByBatch = isFree && m_text.byBatch.contains(name);
    if (isByBatch) m_inputs.settings.push_back(setting);
    if (isFree && !isKnown(name)) return isByBatch ? Result<void>() : keep(setting);
    if (name == "attention_mask") return readPadding(setting);
    if (name == "prefix_length") return readPrefixes(setting);
    const bool isDocuments = name == "document_ids";
    if (!isDocuments && !isArrayOfExpectedMask(name)) return keep(setting);
    if (!isDocuments && name != "cu_seqlens" && isPlainList(setting.value)) {
      const auto count = std::ranges::count(setting.value, ',') + 1;
      if (auto taken = takeTokens(name, count, tokensOf(name)); !taken) return taken;
      return isByBatch ? Result<void>() : keep(setting);
    }
    auto array = read_sample_array(name, setting.value);
    if (!array) return array.error();
    if (auto taken = takeSamples(name, array->samples()); !taken) return taken;
    if (isDocuments) {
      m_documents = std::move(*array);
      return m_counts.take_keys(tokens(name, m_documents->length()));
    }
    if (auto taken = takeTokens(name, array->length(), tokensOf(name)); !taken) return taken;
    std::erase_if(m_inputs.arrays, [&](const NamedSampleArray& each) { return each.name == name; });
    m_inputs.arrays.push_back({name, std::move(*array), isByBatch});
    return {};
  }

  static bool isKnown(const std::string& name) {
    return name == "attention_mask" || name == "document_ids" || name == "prefix_length" || isArrayOfExpectedMask(name);
  }

  Result<void> keep(const Setting& setting) {
    m_inputs.settings.push_back(setting);
    return {};
  }

  Result<void> readPadding(const Setting& setting) {
    if (m_inputs.mask && m_inputs.mask->is_attention_mask())
      return invalid("--mask and --array attention_mask both are attention masks; use one of them");
    auto array = read_sample_array(setting.name, setting.value);
    if (!array) return array.error();
    auto padding = sample_padding(*array);
    if (!padding) return padding.error();
    m_inputs.padding = std::move(*padding);
    if (auto taken = takeSamples(setting.name, array->samples()); !taken) return taken;
    return m_counts.take_keys(tokens(setting.name, array->length()));
  }

  Result<void> readPrefixes(const Setting& setting) {
    auto array = read_sample_array(setting.name, setting.value);
    if (!array) return array.error();
    m_inputs.prefixes = std::move(array->values);
    m_inputs.statesPrefixes = m_text.free.contains(setting.name);
    return takeSamples(setting.name, static_cast<Index>(m_inputs.prefixes.size()));
  }

  /// cu_seqlens of a batch without padding between its samples: one sequence a sample.
  void readSequenceEnds() {
    const auto found = std::ranges::find(m_inputs.arrays, "cu_seqlens", &NamedSampleArray::name);
    const Index samples = m_samples.known() ? m_samples.known()->count : 1;
    if (found == m_inputs.arrays.end() || found->array.is_table() || samples == 1) return;
    const std::vector<Index>& ends = found->array.values;
    if (static_cast<Index>(ends.size()) != samples + 1 || ends.front() != 0 || !std::ranges::is_sorted(ends)) return;
    SampleArray each{{samples, 2}, {}};
    for (std::size_t i = 0; i + 1 < ends.size(); ++i)
      each.values.insert(each.values.end(), {Index{0}, ends[i + 1] - ends[i]});
    found->array = std::move(each);
  }

  /// cu_seqlens of a file that has no other documents gives them.
  Result<void> takeSequenceEnds() {
    const auto found = std::ranges::find(m_inputs.arrays, "cu_seqlens", &NamedSampleArray::name);
    if (!m_isBatchFile || found == m_inputs.arrays.end() || m_documents || sets("document_lengths")) return {};
    const std::vector<Index>& ends = found->array.values;
    const bool rises = found->array.samples() == 1 && ends.front() == 0 && std::ranges::is_sorted(ends);
    if (!rises || ends.back() == 0) return {};
    const Index padding = m_inputs.padding.size() == 1 ? m_inputs.padding.front().padding : 0;
    const auto keys = m_counts.keys() ? m_counts.keys() : m_counts.queries();
    if (m_inputs.padding.size() > 1 || (keys && ends.back() + padding != *keys)) return {};
    SampleDocuments documents;
    if (padding > 0) documents.padding = m_inputs.padding.front();
    for (std::size_t i = 1; i < ends.size(); ++i)
      if (ends[i] > ends[i - 1]) documents.lengths.push_back(ends[i] - ends[i - 1]);
    m_inputs.documents.push_back(std::move(documents));
    return m_counts.take_keys(tokens("cu_seqlens", ends.back() + padding));
  }

  Result<void> readDocuments() {
    if (!m_documents) return {};
    if (sets("document_lengths")) return invalid("document_ids and document_lengths are given; use one of them");
    const Index samples = std::max(m_documents->samples(), static_cast<Index>(m_inputs.padding.size()));
    for (Index sample = 0; sample < samples; ++sample) {
      SamplePadding padding;
      if (!m_inputs.padding.empty())
        padding = m_inputs.padding[m_inputs.padding.size() == 1 ? 0 : static_cast<std::size_t>(sample)];
      auto documents = sample_documents(m_documents->row(sample), padding);
      if (!documents && samples == 1) return within("document_ids", documents.error());
      if (!documents) return within(fmt::format("document_ids: sample {}", sample), documents.error());
      m_inputs.documents.push_back(std::move(*documents));
    }
    return {};
  }

  /// Without a mask, that of the objective; null: the default.
  const char* maskOfObjective() const {
    const auto states = [&](std::string_view name, std::string_view value) {
      return std::ranges::any_of(m_arguments.settings,
                                 [&](const Setting& each) { return each.name == name && each.value == value; });
    };
    if (states("objective", "bidirectional") || states("labels_are", "masked")) return "bidirectional";
    return states("objective", "prefix") ? "prefix_lm" : nullptr;
  }

  Result<void> takePadding() {
    const bool own = !m_inputs.padding.empty() && !m_inputs.hasCells();
    if ((own || m_documents) && sets("padding"))
      return invalid("{} gives the padding of each sample, and padding is set; use one of them",
                     m_documents ? "document_ids" : "attention_mask");
    if (sets("padding")) m_inputs.padding.clear();
    if (own && !sets("mask") && !m_arguments.session && (!m_inputs.mask || m_inputs.mask->is_attention_mask()))
      if (const char* mask = maskOfObjective()) m_inputs.settings.push_back({.name = "mask", .value = mask});
    return {};
  }

  /// The lengths that the text gives, unless they are set: then a warning.
  Result<void> takeTextLengths() {
    const TextSizes& sizes = m_text.sizes;
    const auto warnOf = [&](const char* name, const std::optional<NamedCount>& size) {
      const auto set = given(name);
      if (!set || !size || *set == size->count) return;
      m_inputs.warnings.push_back(fmt::format("{} is {}, but {}", name, *set, size->phrase));
    };
    warnOf("q_length", sizes.queries);
    if (given("q_length")) return {};
    if (sizes.contrary) return invalid("{}; set q_length", sizes.contrary->phrase);
    if (sizes.queries)
      if (auto taken = m_counts.take_queries(*sizes.queries); !taken) return taken;
    if (sizes.keys && !given("kv_length")) return m_counts.take_keys(*sizes.keys);
    warnOf("kv_length", sizes.keys);
    return {};
  }

  /// T is that of the arrays and of the text unless it is set.
  Result<void> takeLengths() {
    const auto q = given("q_length");
    if (m_inputs.hasCells() || m_arguments.session || sets("mask_text")) return {};
    if (auto taken = takeTextLengths(); !taken) return taken;
    const Index past = given("past_len").value_or(0);
    const auto kv = given("kv_length");
    if (kv && *kv > 0)
      if (auto taken = m_counts.take_keys({*kv, fmt::format("kv_length is {}", *kv)}); !taken) return taken;
    const bool isCross = std::ranges::any_of(m_arguments.settings, [](const Setting& each) {
      return each.name == "mask" && (each.value == "cross" || each.value == "encoder_decoder");
    });
    if (q) {
      if (isCross || kv || !m_counts.keys()) return {};
      TokenCounts all = m_counts;
      if (auto taken = all.take_queries({*q, fmt::format("q_length is {}", *q)}); !taken) return {};
      const auto fits = all.q_length(past);
      return fits ? Result<void>() : fits.error();
    }
    if (isCross || (kv && *kv > 0)) {
      if (const auto queries = m_counts.queries()) setLength("q_length", *queries);
      if (const auto keys = m_counts.keys(); keys && !kv) setLength("kv_length", *keys);
      return {};
    }
    // A text may have more keys than queries.
    if (const auto keys = m_counts.keys(), queries = m_counts.queries();
        m_text.sizes.keys && keys && queries && *keys > *queries + past) {
      setLength("q_length", *queries);
      setLength("kv_length", *keys);
      return {};
    }
    auto length = m_counts.q_length(past);
    if (!length) return length.error();
    if (!*length) *length = m_either;
    if (*length) setLength("q_length", **length);
    return {};
  }

  void setLength(const char* name, Index length) {
    m_inputs.settings.insert(m_inputs.settings.begin(), Setting{.name = name, .value = to_text(length)});
  }

  const MethodArguments& m_arguments;
  bool m_isBatchFile = false;
  TextInputs m_text;
  SampleInputs m_inputs;
  SharedCount m_samples;
  TokenCounts m_counts;
  std::optional<Index> m_either;  ///< length of position_ids, of queries or of all tokens
  std::optional<SampleArray> m_documents;
};

}  // namespace

Result<SampleInputs> readSampleInputs(const MethodArguments& arguments) {
  std::vector<std::string> notes;
  const auto all = withBatchFile(arguments, notes);
  if (!all) return all.error();
  auto inputs = InputReader(*all, arguments.batchFile.has_value()).read();
  if (!inputs) return inputs;
  for (auto& sentence : notes)
    inputs->notes.insert(inputs->notes.begin(),
                         fmt::format("{}, of {} sample{}", sentence, inputs->samples, inputs->samples == 1 ? "" : "s"));
  inputs->path = all->mask;
  return inputs;
}

}  // namespace vqscope
