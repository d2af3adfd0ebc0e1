// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/sequence_layout.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace vqscope {
namespace {

constexpr double max_length = 2147483648.0;  // 2^31

/// Padding and documents over all the key tokens, in order.
std::vector<TokenRun> token_runs(const SequenceInput& input) {
  std::vector<TokenRun> runs;
  Index next = 0;
  const auto append = [&](Index length, Index document, bool valid) {
    if (length > 0) runs.push_back({{next, next + length}, 0, document, valid});
    next += length;
  };
  const bool left = input.padding_side == PaddingSide::left;
  if (left) append(input.padding, -1, false);
  Index document = 0;
  for (const Index length : input.document_lengths) append(length, document++, true);
  if (input.document_lengths.empty()) append(input.kv_length - input.padding, 0, true);
  if (!left) append(input.padding, -1, false);
  return runs;
}

/// The runs of tokens [from, from + count), renumbered from 0.
std::vector<TokenRun> query_runs(std::span<const TokenRun> runs, Index from, Index count) {
  std::vector<TokenRun> queries;
  for (const auto& run : runs) {
    const Index begin = std::max(run.tokens.begin, from);
    const Index end = std::min(run.tokens.end, from + count);
    if (begin < end) queries.push_back({{begin - from, end - from}, run.position(begin), run.document, run.valid});
  }
  return queries;
}

const TokenRun& run_of(std::span<const TokenRun> runs, Index token) {
  assert(token >= 0 && token < runs.back().tokens.end);
  const auto after = std::ranges::upper_bound(runs, token, {}, [](const TokenRun& run) { return run.tokens.begin; });
  return *(after - 1);
}

/// Tokens of consecutive positions; -1 is padding.
std::vector<TokenRun> runs_of_positions(std::span<const Index> positions) {
  std::vector<TokenRun> runs;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto token = static_cast<Index>(i);
    const Index position = positions[i];
    const bool valid = position >= 0;
    if (!runs.empty() && runs.back().valid == valid && (!valid || runs.back().position(token) == position))
      ++runs.back().tokens.end;
    else
      runs.push_back({{token, token + 1}, valid ? position : 0, valid ? 0 : -1, valid});
  }
  return runs;
}

Result<void> check_documents(const SequenceInput& input) {
  if (input.document_lengths.empty()) return {};
  const Index sum = std::accumulate(input.document_lengths.begin(), input.document_lengths.end(), Index{0});
  const Index real = input.kv_length - input.padding;
  if (sum == real) return {};
  return invalid(
      "document_lengths add up to {} but must add up to {} (kv_length {} minus padding {}), or be empty for one "
      "document",
      sum, real, input.kv_length, input.padding);
}

}  // namespace

Result<SequenceLayout> SequenceLayout::make(const SequenceInput& input) {
  SequenceLayout layout;
  layout.m_input = input;
  const Index self = input.q_length + input.past_len;
  if (input.kv_length == 0) layout.m_input.kv_length = self;
  const SequenceInput& full = layout.m_input;
  if (full.query_source == QuerySource::keys && full.kv_length < self)
    return invalid("kv_length is {} but must be at least q_length + past_len = {}, or 0 to follow them", full.kv_length,
                   self);
  if (full.padding >= full.kv_length)
    return invalid("padding is {} but must be below kv_length = {}", full.padding, full.kv_length);
  if (auto checked = check_documents(full); !checked) return checked.error();

  layout.m_kv_runs = token_runs(full);
  if (full.query_source == QuerySource::keys)
    layout.m_q_runs = query_runs(layout.m_kv_runs, full.past_len, full.q_length);
  else
    layout.m_q_runs = {{{0, full.q_length}, full.past_len, 0, true}};
  return layout;
}

Result<SequenceLayout> SequenceLayout::with_slots(std::span<const Index> positions,
                                                  std::optional<Index> first_query) const {
  if (static_cast<Index>(positions.size()) != kv_length())
    return invalid("{} slots are given but must be kv_length = {}", positions.size(), kv_length());
  Index newest = -1;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] < -1) return invalid("slot {} has position {} but must be -1 or more", i, positions[i]);
    newest = std::max(newest, positions[i]);
  }
  return with_keys(runs_of_positions(positions), first_query.value_or(newest < 0 ? 0 : newest + 1 - q_length()));
}

SequenceLayout SequenceLayout::with_newest_keys() const {
  const Index first = past_len() + q_length() - kv_length();
  return with_keys({{{0, kv_length()}, first, 0, true}}, past_len());
}

SequenceLayout SequenceLayout::with_keys(std::vector<TokenRun> kv_runs, Index first_query) const {
  SequenceLayout layout = *this;
  layout.m_has_slots = true;
  layout.m_input.past_len = 0;
  for (const TokenRun& run : kv_runs)
    if (run.valid) layout.m_input.past_len += std::clamp<Index>(first_query - run.first, 0, run.tokens.size());
  layout.m_input.padding = 0;
  layout.m_input.document_lengths.clear();
  layout.m_input.query_source = QuerySource::keys;
  layout.m_kv_runs = std::move(kv_runs);
  layout.m_q_runs = {{{0, q_length()}, first_query, 0, true}};
  return layout;
}

SequenceLayout SequenceLayout::with_query_positions(std::span<const Index> positions) const {
  assert(static_cast<Index>(positions.size()) == q_length());
  SequenceLayout layout = *this;
  layout.m_q_runs = runs_of_positions(positions);
  return layout;
}

std::optional<Index> SequenceLayout::key_of(Index q) const {
  if (m_input.query_source == QuerySource::own) return std::nullopt;
  if (!m_has_slots) return m_input.past_len + q;
  const Index position = q_pos(q);
  for (const TokenRun& run : m_kv_runs)
    if (run.valid && run.first <= position && position < run.first + run.tokens.size())
      return run.tokens.begin + position - run.first;
  return std::nullopt;
}

const TokenRun& SequenceLayout::q_run(Index q) const { return run_of(m_q_runs, q); }
const TokenRun& SequenceLayout::kv_run(Index kv) const { return run_of(m_kv_runs, kv); }

std::vector<ParameterSpec> sequence_parameters(SequenceUse use, Index default_q_length) {
  const std::string group = "Sequence";
  std::vector<ParameterSpec> specs{
      make_parameter("q_length", group, "Number of queries: the sequence length T in self-attention.",
                     {.label = "T",
                      .role = ParameterRole::shape,
                      .default_value = default_q_length,
                      .minimum = 1,
                      .maximum = max_length,
                      .logarithmic = true,
                      .unit = "tokens",
                      .short_label = "T",
                      .in_summary = InSummary::always}),
      make_parameter("kv_length", group, "Number of keys, cached ones included.",
                     {.label = "Keys",
                      .role = ParameterRole::shape,
                      .default_value = Index{0},
                      .minimum = 0,
                      .maximum = 2 * max_length,
                      .logarithmic = true,
                      .unit = "tokens",
                      .automatic = "q_length + past_len"}),
      make_parameter("past_len", group, "Tokens already in the key/value cache: the first query has position past_len.",
                     {.label = "Cache offset",
                      .role = ParameterRole::tokens,
                      .default_value = Index{0},
                      .minimum = 0,
                      .maximum = max_length,
                      .logarithmic = true,
                      .unit = "tokens"})};
  if (use == SequenceUse::lengths) return specs;
  specs.push_back(make_parameter("padding", group,
                                 "Number of padding keys. They have no position and are never visible.",
                                 {.label = "Padding",
                                  .role = ParameterRole::tokens,
                                  .default_value = Index{0},
                                  .minimum = 0,
                                  .maximum = max_length,
                                  .logarithmic = true,
                                  .unit = "tokens"}));
  specs.push_back(make_parameter("padding_side", group, "Side on which the padding tokens are.",
                                 {.label = "Padding side",
                                  .role = ParameterRole::tokens,
                                  .default_value = std::string("left"),
                                  .choices = {{"left", "before the real tokens, as in batched generation"},
                                              {"right", "after the real tokens, as in training"}}}));
  specs.push_back(
      make_parameter("document_lengths", group,
                     "Lengths of the documents packed into the sequence; they add up to kv_length - padding.",
                     {.label = "Documents",
                      .role = ParameterRole::tokens,
                      .default_value = std::vector<Index>{},
                      .minimum = 1,
                      .maximum = 2 * max_length,
                      .unit = "tokens",
                      .automatic = "one document"}));
  return specs;
}

ParameterValues lengths_in_force(const ParameterValues& values) {
  ParameterValues used;
  const SequenceInput input = sequence_input(values);
  used.set("kv_length", input.kv_length > 0 ? input.kv_length : input.q_length + input.past_len);
  return used;
}

SequenceInput sequence_input(const ParameterValues& values) {
  SequenceInput input;
  const auto integer = [&](const char* name, Index default_value) {
    return values.find(name) ? values.integer(name) : default_value;
  };
  input.q_length = integer("q_length", 1);
  input.kv_length = integer("kv_length", 0);
  input.past_len = integer("past_len", 0);
  input.padding = integer("padding", 0);
  input.prefix_length = integer("prefix_length", 0);
  if (values.find("padding_side"))
    input.padding_side = values.choice("padding_side") == "left" ? PaddingSide::left : PaddingSide::right;
  if (values.find("document_lengths")) input.document_lengths = values.integers("document_lengths");
  return input;
}

}  // namespace vqscope
