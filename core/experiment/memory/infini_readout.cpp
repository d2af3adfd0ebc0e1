// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/experiment/memory/memory_setting.h"
#include "core/method/curve_set.h"
#include "core/method/shared/common_parameters.h"

#include <algorithm>

namespace vqscope {
namespace {

const float* row_of(const std::vector<float>& rows, Index row, Index width) { return rows.data() + row * width; }

constexpr Index most_followed_pairs = 64;

/// The pair alone, or some pairs of its segment.
std::vector<Index> followed_pairs(const MemorySetting& setting, const ParameterValues& values) {
  const Index pair = values.integer("pair");
  if (values.choice("followed") == "pair") return {pair};
  const Range segment = segment_at(setting, pair / setting.segment_len);
  const Index count = std::min(segment.size(), most_followed_pairs);
  std::vector<Index> pairs;
  for (Index i = 0; i < count; ++i) pairs.push_back(segment.begin + i * segment.size() / count);
  return pairs;
}

/// Mean over the pairs after each segment; missing for segments before their own.
Result<std::vector<double>> read_outs(const MemorySetting& setting, const MemoryTokens& tokens,
                                      const std::vector<Index>& pairs, InfiniRule rule, bool error,
                                      const std::stop_token& stop) {
  InfiniMemory memory(tokens.d_k, tokens.d_v);
  std::vector<double> y;
  for (Index segment = 0; segment < segments_of(setting); ++segment) {
    store_segment(setting, tokens, segment, rule, stop, memory);
    if (stop.stop_requested()) return cancelled();
    double sum = 0;
    for (const Index pair : pairs) {
      const ReadOut read =
          read_out(memory, row_of(tokens.keys, pair, tokens.d_k), row_of(tokens.values, pair, tokens.d_v));
      sum += error ? read.error : read.cosine;
    }
    y.push_back(pairs.front() >= segment_at(setting, segment).end ? no_value : sum / static_cast<double>(pairs.size()));
  }
  return y;
}

/// Fraction of the memory in |local part| + |memory's part|, by segment.
Result<std::vector<double>> memory_fractions(const MemorySetting& setting, const MemoryTokens& tokens,
                                             const InfiniOptions& options, const Work& work) {
  const auto out = infini_attention(tokens.input(), options, work);
  if (!out) return out.error();
  std::vector<double> y;
  for (Index segment = 0; segment < segments_of(setting); ++segment) {
    double memory = 0, all = 0;
    const Range queries = segment_at(setting, segment);
    for (Index i = queries.begin; i < queries.end; ++i) {
      memory += static_cast<double>(out->memory[static_cast<std::size_t>(i)]);
      all += static_cast<double>(out->memory[static_cast<std::size_t>(i)]) +
             static_cast<double>(out->local[static_cast<std::size_t>(i)]);
    }
    y.push_back(all > 0 ? memory / all : 0);
  }
  return y;
}

CurveSet empty_readout_set(const MemorySetting& setting, const ParameterValues& values) {
  const std::string& quantity = values.choice("readout_quantity");
  const bool fraction = quantity == "memory_share";
  CurveSet set{.x_name = fraction ? "segment" : "segments",
               .x_title = fraction ? "segment of the queries" : "segments in the memory",
               .y_title = fraction              ? "fraction of the memory in the output"
                          : quantity == "error" ? "|read − v| / |v|"
                                                : "cosine of read and v",
               .formula = fmt::format(
                   "{}; {}",
                   fraction ? "|memory's part| / (|memory's part| + |local part|) of the output, over the queries of a "
                              "segment"
                            : fmt::format("read: what the memory returns for the key at position {}{}, with value v",
                                          values.integer("pair"),
                                          values.choice("followed") == "pair" ? "" : ", or others of its segment"),
                   memory_measured)};
  for (Index segment = 0; segment < segments_of(setting); ++segment)
    set.x.push_back(static_cast<double>(fraction ? segment : segment + 1));
  for (const auto& rule : values.choices("rules")) set.curves.push_back({rule, {}});
  if (quantity == "error") set.levels = {{1, "nothing remembered"}};
  return set;
}

Result<CurveSet> make_readout(const ParameterValues& values, const Work& work) {
  const auto setting = memory_setting(values);
  if (!setting) return setting.error();
  const std::string& quantity = values.choice("readout_quantity");
  CurveSet set = empty_readout_set(*setting, values);
  const MemoryTokens tokens = memory_tokens(*setting, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  for (std::size_t i = 0; i < set.curves.size(); ++i) {
    const InfiniRule rule = infini_rule(set.curves[i].name);
    auto y = quantity == "memory_share"
                 ? memory_fractions(*setting, tokens, infini_options(values, *setting, rule), {{}, work.stop})
                 : read_outs(*setting, tokens, followed_pairs(*setting, values), rule, quantity == "error", work.stop);
    if (!y) return y.error();
    set.curves[i].y = std::move(*y);
    work.report(static_cast<double>(i + 1) / static_cast<double>(set.curves.size()));
    if (work.partial) work.partial(set);
  }
  return set;
}

Result<void> check_readout(const ParameterValues& values) {
  if (auto checked = check_memory(values); !checked) return checked;
  if (auto checked = check_chosen(values, "rules"); !checked) return checked;
  const Index pair = values.integer("pair"), length = values.integer("q_length");
  if (pair < length) return {};
  return invalid("pair is {} but must be below {}, the number of tokens", pair, length);
}

std::vector<ParameterSpec> readout_parameters() {
  auto specs = infini_parameters();
  specs.push_back(infini_rules_parameter());
  for (auto& spec : infini_gate_parameters()) {
    spec.relevant = {{"readout_quantity", {"memory_share"}}};
    specs.push_back(std::move(spec));
  }
  add_parameter(specs, "readout_quantity", "Curve", "Quantity to plot for each segment.",
                {.label = "Read-out",
                 .default_value = std::string("cosine"),
                 .choices = {{"cosine", "cosine between what is read for a stored key and its value"},
                             {"error", "distance between them, divided by the length of the value"},
                             {"memory_share", "fraction of the memory in the output"}}});
  add_parameter(specs, "pair", "Curve", "Position of the token whose key and value are followed.",
                {.label = "Stored pair",
                 .default_value = Index{0},
                 .minimum = 0,
                 .maximum = 131071,
                 .relevant = {{"readout_quantity", {"cosine", "error"}}}});
  add_parameter(specs, "followed", "Curve", "Stored pairs to follow.",
                {.label = "Pairs followed",
                 .default_value = std::string("segment"),
                 .choices = {{"segment", fmt::format("mean over up to {} pairs of its segment", most_followed_pairs)},
                             {"pair", "only this pair"}},
                 .relevant = {{"readout_quantity", {"cosine", "error"}}}});
  return specs;
}

}  // namespace

Method infini_readout_method() {
  return {.id = "infini_readout",
          .title = "Read-out by segment",
          .help =
              "What a compressive memory returns for stored pairs as segments pass. Also shows the memory's fraction "
              "of the output.",
          .citation = infini_citation(),
          .parameters = readout_parameters(),
          .check = check_readout,
          .recipe = CurveRecipe{.make = make_readout, .origin = CurveOrigin::measured}};
}

}  // namespace vqscope
