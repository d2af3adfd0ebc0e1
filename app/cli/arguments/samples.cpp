// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/samples.h"

#include "app/cli/arguments/sample_inputs.h"
#include "app/cli/arguments/token_arguments.h"
#include "app/process/console.h"
#include "core/base/sentence.h"

#include <algorithm>
#include <map>
#include <utility>

namespace vqscope {
namespace {

/// `servesAll`: one of a file of masks is that of every index.
Result<Index> chosen(const char* option, const std::optional<Index>& given, Index count, const char* what,
                     bool servesAll) {
  if (!given || (count == 1 && servesAll)) return Index{0};
  if (auto fits = check_index(option, given, count, what); !fits) return fits.error();
  return *given;
}

class CaseMaker {
 public:
  CaseMaker(const MethodArguments& arguments, const SampleInputs& inputs, Samples& samples)
      : m_arguments(arguments), m_inputs(inputs), m_samples(samples) {}

  void makeAll() {
    for (Index i = 0; i < m_samples.samplesChecked * m_samples.headsChecked; ++i) {
      const Index sample = m_samples.firstSample + i / m_samples.headsChecked;
      const Index head = m_samples.firstHead + i % m_samples.headsChecked;
      const auto known = std::ranges::find_if(
          m_made, [&](const auto& each) { return areEqual(each.first, each.second, sample, head); });
      m_samples.caseOf.push_back(static_cast<std::size_t>(known - m_made.begin()));
      if (known != m_made.end()) continue;
      m_made.emplace_back(sample, head);
      m_samples.cases.push_back(caseOf(sample, head));
    }
  }

 private:
  bool areEqual(Index a, Index aHead, Index b, Index bHead) const {
    if ((m_inputs.readsBatch && a != b) || (m_inputs.readsHead && aHead != bHead)) return false;
    return m_inputs.are_equal(a, aHead, b, bHead);
  }

  Samples::Case caseOf(Index sample, Index head) const {
    Samples::Case made{.arguments = m_arguments};
    MethodArguments& one = made.arguments;
    one.isOneSample = true;
    one.tokenizer = tokenizerOf(m_arguments);
    one.isFurtherSample = !m_samples.cases.empty();
    if (m_inputs.mask && m_inputs.mask->is_attention_mask()) one.imported = {};
    const bool isSeveral = m_inputs.has_cells() || m_samples.samples > 1 || m_samples.heads > 1;
    if (isSeveral || one.imported.batch == Index{0}) one.imported.batch.reset();
    if (isSeveral || one.imported.head == Index{0}) one.imported.head.reset();
    one.settings = m_inputs.settings;
    one.batchFile.reset();
    one.mask = m_inputs.path;
    one.opened = m_inputs.mask_of(sample, head);
    if (!one.opened) one.mask.reset();
    const auto set = [&](const char* name, std::string value) { one.settings.push_back({name, std::move(value)}); };
    const SampleSequence sequence = m_inputs.sequence_of(sample);
    made.isPadding = sequence.is_padding;
    if (sequence.document_lengths)
      one.settings.push_back({.name = "document_lengths",
                              .array = true,
                              .numbers = std::make_shared<const std::vector<Index>>(*sequence.document_lengths)});
    if (sequence.padding) {
      set("padding", to_text(sequence.padding->padding));
      if (sequence.padding->padding > 0)
        set("padding_side", sequence.padding->side == PaddingSide::left ? "left" : "right");
    }
    if (m_inputs.readsBatch && m_samples.samples > 1) set("b", to_text(sample));
    if (m_inputs.readsHead && m_samples.heads > 1) set("h", to_text(head));
    if (const auto prefix = m_inputs.prefix_of(sample))
      one.settings.push_back({.name = "prefix_length", .value = to_text(*prefix), .stated = m_inputs.statesPrefixes});
    for (const NamedSampleArray& each : m_inputs.arrays) {
      const auto row = each.array.row(sample);
      one.settings.push_back({.name = each.name,
                              .array = true,
                              .stated = each.stated,
                              .numbers = std::make_shared<const std::vector<Index>>(row.begin(), row.end())});
    }
    return made;
  }

  const MethodArguments& m_arguments;
  const SampleInputs& m_inputs;
  Samples& m_samples;
  std::vector<std::pair<Index, Index>> m_made;
};

/// "0 to 2, 5": sorted numbers; after eight pieces the rest is counted.
std::string numbersText(const std::vector<Index>& numbers) {
  constexpr int mostPieces = 8;
  std::string text;
  int pieces = 0;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (pieces++ == mostPieces) return text + fmt::format(" and {} more", numbers.size() - i);
    if (!text.empty()) text += ", ";
    text += to_text(numbers[i]);
    if (end - i > 1) text += fmt::format("{}{}", end - i > 2 ? " to " : ", ", numbers[end - 1]);
    i = end;
  }
  return text;
}

std::string nounAndNumbers(const char* noun, const std::vector<Index>& numbers) {
  return fmt::format("{}{} {}", noun, numbers.size() == 1 ? "" : "s", numbersText(numbers));
}

}  // namespace

void Samples::say() const {
  for (const auto& sentence : notes) noteOfInput(sentence);
  for (const auto& sentence : warnings) warnOfInput(sentence);
}

std::string Samples::placeOf(std::size_t index) const {
  const auto at = static_cast<Index>(index);
  std::string place;
  if (samples > 1) place = fmt::format("sample {} of {}", firstSample + at / headsChecked, samples);
  if (heads > 1)
    place += fmt::format("{}head {} of {}", place.empty() ? "" : ", ", firstHead + at % headsChecked, heads);
  return place;
}

std::string Samples::placesOf(const std::vector<std::size_t>& indices) const {
  if (samplesChecked * headsChecked == 1) return {};
  std::map<Index, std::vector<Index>> headsOf;  // by sample
  for (const std::size_t index : indices)
    headsOf[firstSample + static_cast<Index>(index) / headsChecked].push_back(firstHead +
                                                                              static_cast<Index>(index) % headsChecked);
  std::map<std::vector<Index>, std::vector<Index>> samplesWith;  // by their heads
  for (const auto& [sample, ofSample] : headsOf) samplesWith[ofSample].push_back(sample);
  std::vector<std::string> parts;
  for (const auto& [ofSample, which] : samplesWith) {
    const bool allHeads = static_cast<Index>(ofSample.size()) == headsChecked;
    const bool allSamples = static_cast<Index>(which.size()) == samplesChecked;
    std::string part;
    if (!allSamples || (allHeads && samplesChecked > 1)) part = nounAndNumbers("sample", which);
    if (!allHeads || part.empty()) part += (part.empty() ? "" : ", ") + nounAndNumbers("head", ofSample);
    parts.push_back(std::move(part));
  }
  return shortened(join(parts, "; "), 200);
}

std::vector<std::size_t> Samples::withCases(const std::vector<std::size_t>& which) const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < caseOf.size(); ++i)
    if (std::ranges::count(which, caseOf[i]) > 0) indices.push_back(i);
  return indices;
}

Result<Samples> samplesOf(const MethodArguments& arguments) {
  const auto inputs = readSampleInputs(arguments);
  if (!inputs) return inputs.error();
  Samples all{.samples = inputs->samples, .heads = inputs->heads};
  const auto batch = arguments.imported.batch ? arguments.imported.batch : inputs->givenBatch;
  // Without samples and heads, what takes the mask refuses the options.
  const bool servesAll = inputs->has_cells() || (all.samples == 1 && all.heads == 1);
  const auto sample = chosen("--batch", batch, all.samples, "sample", servesAll);
  if (!sample) return sample.error();
  const auto head = chosen("--head", arguments.imported.head, all.heads, "head", servesAll);
  if (!head) return head.error();
  all.firstSample = *sample;
  all.firstHead = *head;
  all.samplesChecked = batch ? 1 : all.samples;
  all.headsChecked = arguments.imported.head ? 1 : all.heads;
  if (inputs->mask) all.shape = inputs->mask->shape;
  if (inputs->mask) all.broadcast = inputs->mask->broadcast();
  all.notes = inputs->notes;
  all.warnings = inputs->warnings;
  CaseMaker(arguments, *inputs, all).makeAll();
  return all;
}

Result<MethodArguments> oneSampleOf(const MethodArguments& arguments) {
  auto samples = samplesOf(arguments);
  if (!samples) return samples.error();
  const Samples::Case& first = samples->cases[samples->caseOf.front()];
  const std::string place = samples->placeOf(0);
  if (first.isPadding) return invalid("{}is padding alone", place.empty() ? "the sequence " : place + " ");
  samples->say();
  if (samples->cases.size() > 1)
    noteOfInput(fmt::format("this is {}; --batch and --head choose another", place));
  else if (arguments.imported.batch || arguments.imported.head)
    if (!place.empty()) noteOfInput("this is " + place);
  return first.arguments;
}

}  // namespace vqscope
