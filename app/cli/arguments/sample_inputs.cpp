// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/sample_inputs.h"

#include "app/cli/arguments/batch_file.h"
#include "app/cli/arguments/mask_arguments.h"
#include "app/cli/arguments/text_inputs.h"
#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/mask/batch/token_counts.h"

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

/// A list between commas is read by the parameter, which knows its range.
bool isPlainList(const std::string& text) { return !names_array_file(text) && !trimmed(text).starts_with('['); }

class InputReader {
 public:
  InputReader(const MethodArguments& arguments, bool isBatchFile)
      : m_arguments(arguments), m_isBatchFile(isBatchFile) {}

  Result<SampleInputs> read() {
    if (auto done = readMask(); !done) return done.error();
    for (const Setting& setting : m_arguments.settings)
      if (auto done = readSetting(setting); !done) return done.error();
    if (m_reader.has_document_ids() && sets("document_lengths"))
      return invalid("document_ids and document_lengths are given; use one of them");
    if (auto done = m_reader.take_documents(sequenceEnds()); !done) return done.error();
    if (auto done = takePadding(); !done) return done.error();
    if (auto done = takeLengths(); !done) return done.error();
    static_cast<SampleBatch&>(m_inputs) = std::move(m_reader).finished();
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
    if (batch->shape.empty()) {
      m_reader.batch.mask = std::move(*batch);
      return readText(std::get<0>(m_reader.batch.mask->masks.front()->mask));
    }
    const bool isPadding = batch->serves_all_queries() && !batch->padding.empty();
    m_inputs.notes.push_back(mask_batch_sentence(*m_arguments.mask, *batch) +
                             (isPadding ? "; give --set q_length=1 to read it as masks of one query" : ""));
    m_inputs.warnings = mask_batch_warnings(*batch);
    return m_reader.take_mask(*m_arguments.mask, std::move(*batch));
  }

  SampleBatchReader::SequenceEnds sequenceEnds() const {
    using enum SampleBatchReader::SequenceEnds;
    if (sets("document_lengths")) return unused;
    if (m_isBatchFile) return give_length;
    if (m_arguments.session || sets("past_len") || sets("padding")) return unused;
    if (m_reader.batch.has_cells()) return fitting;
    if (m_arguments.mask || sets("kv_length") || sets("mask_text")) return unused;
    const auto ends = std::ranges::find(m_reader.batch.arrays, "cu_seqlens", &NamedSampleArray::name);
    const auto q = given("q_length");
    const bool fits = !q || (ends != m_reader.batch.arrays.end() && ends->array.values.back() == *q);
    return fits ? give_length : unused;
  }

  /// A range of b or h that is set has one sample or head.
  Result<void> readText(const std::string& text) {
    m_text = textInputsOf(m_arguments, text);
    m_inputs.readsBatch = m_text.readsBatch;
    m_inputs.givenBatch = given("b");
    m_inputs.readsHead = m_text.readsHead;
    for (const NamedCount& each : m_text.samples)
      if (auto taken = m_text.readsBatch ? m_reader.take_samples(each) : Result<void>(); !taken) return taken;
    SharedCount heads;
    for (const NamedCount& each : m_text.heads)
      if (auto taken = m_text.readsHead ? heads.take(each) : Result<void>(); !taken) return taken;
    if (heads.known()) m_reader.batch.heads = heads.known()->count;
    return {};
  }

  Result<void> readSetting(const Setting& setting) {
    if (!setting.array) return keep(setting);
    const std::string& name = setting.name;
    if (trimmed(setting.value).empty())
      return refusedOption("--array", name + "=" + setting.value, "name=1,2,3 or name=FILE");
    const bool isFree = m_text.free.contains(name);
    const bool isByBatch = isFree && m_text.byBatch.contains(name);
    if (isByBatch) m_inputs.settings.push_back(setting);
    if (isFree && !is_sample_array(name)) return isByBatch ? Result<void>() : keep(setting);
    if (!is_sample_array(name)) return keep(setting);
    if (name == "prefix_length") m_inputs.statesPrefixes = isFree;
    const bool hasRowsAlways =
        name == "attention_mask" || name == "prefix_length" || name == "document_ids" || name == "cu_seqlens";
    if (!hasRowsAlways && isPlainList(setting.value)) {
      const auto count = std::ranges::count(setting.value, ',') + 1;
      if (auto taken = m_reader.take_length(name, count); !taken) return taken;
      return isByBatch ? Result<void>() : keep(setting);
    }
    auto array = read_sample_array(name, setting.value);
    if (!array) return array.error();
    return m_reader.take_array(name, std::move(*array), isByBatch);
  }

  Result<void> keep(const Setting& setting) {
    m_inputs.settings.push_back(setting);
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
    SampleBatch& batch = m_reader.batch;
    const bool own = !batch.padding.empty() && !batch.has_cells();
    if ((own || m_reader.has_document_ids()) && sets("padding"))
      return invalid("{} gives the padding of each sample, and padding is set; use one of them",
                     m_reader.has_document_ids() ? "document_ids" : "attention_mask");
    if (sets("padding")) batch.padding.clear();
    if (own && !sets("mask") && !m_arguments.session && (!batch.mask || batch.mask->is_attention_mask()))
      if (const char* mask = maskOfObjective()) m_inputs.settings.push_back({.name = "mask", .value = mask});
    return {};
  }

  /// The lengths that the text gives, unless they are set: then a warning.
  Result<void> takeTextLengths() {
    const TextSizes& sizes = m_text.sizes;
    const auto warnOf = [&](const char* name, const std::optional<NamedCount>& size) {
      const auto set = given(name);
      auto warning = set ? length_warning(name, *set, size) : std::string();
      if (!warning.empty()) m_inputs.warnings.push_back(std::move(warning));
    };
    warnOf("q_length", sizes.queries);
    if (sizes.overruled) m_inputs.warnings.push_back(sizes.overruled->phrase);
    if (given("q_length")) return {};
    if (sizes.contrary) return invalid("{}; set q_length", sizes.contrary->phrase);
    if (sizes.queries)
      if (auto taken = m_reader.counts.take_queries(*sizes.queries); !taken) return taken;
    if (sizes.keys && !given("kv_length")) return m_reader.counts.take_keys(*sizes.keys);
    warnOf("kv_length", sizes.keys);
    return {};
  }

  Result<void> checkLengthsOfCells() const {
    TokenCounts all = m_reader.counts;
    const auto q = given("q_length"), kv = given("kv_length");
    if (q)
      if (auto taken = all.take_queries({*q, fmt::format("q_length is {}", *q)}); !taken) return taken;
    if (kv && *kv > 0)
      if (auto taken = all.take_keys({*kv, fmt::format("kv_length is {}", *kv)}); !taken) return taken;
    return m_reader.check_positions(given("past_len").value_or(0));
  }

  /// T is that of the arrays and of the text unless it is set.
  Result<void> takeLengths() {
    const auto q = given("q_length");
    if (m_reader.batch.has_cells()) return checkLengthsOfCells();
    if (m_arguments.session || sets("mask_text")) return {};
    if (auto taken = takeTextLengths(); !taken) return taken;
    const Index past = given("past_len").value_or(0);
    const auto kv = given("kv_length");
    if (kv && *kv > 0)
      if (auto taken = m_reader.counts.take_keys({*kv, fmt::format("kv_length is {}", *kv)}); !taken) return taken;
    const bool isCross = std::ranges::any_of(m_arguments.settings, [](const Setting& each) {
      return each.name == "mask" && (each.value == "cross" || each.value == "encoder_decoder");
    });
    if (q) {
      if (isCross || kv || !m_reader.counts.keys()) return {};
      TokenCounts all = m_reader.counts;
      if (auto taken = all.take_queries({*q, fmt::format("q_length is {}", *q)}); !taken) return {};
      const auto fits = all.q_length(past);
      return fits ? Result<void>() : fits.error();
    }
    if (isCross || (kv && *kv > 0)) {
      if (const auto queries = m_reader.counts.queries()) setLength("q_length", *queries);
      if (const auto keys = m_reader.counts.keys(); keys && !kv) setLength("kv_length", *keys);
      return {};
    }
    // A text may have more keys than queries.
    if (const auto keys = m_reader.counts.keys(), queries = m_reader.counts.queries();
        m_text.sizes.keys && keys && queries && *keys > *queries + past) {
      setLength("q_length", *queries);
      setLength("kv_length", *keys);
      return {};
    }
    const auto length = m_reader.q_length(past);
    if (!length) return length.error();
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
  SampleBatchReader m_reader;
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
