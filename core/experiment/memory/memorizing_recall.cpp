// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/memory/memorizing_recall.h"

#include "core/attention/kernels/kernels.h"
#include "core/base/sentence.h"
#include "core/experiment/memory/far_weights.h"
#include "core/experiment/memory/retrieval_setting.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/method/curve_set.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index most_queries = 256;

/// The last queries that have a memory: all that the curves look at.
Range asked_queries(const MemorySetting& s) { return {std::max(s.q_length - most_queries, s.segment_len), s.q_length}; }

/// One size of the memory.
struct RecallPoint {
  double planted = 0;         ///< fraction of queries that retrieve the key planted for them
  double planted_bucket = 0;  ///< the same with the best key of each bucket
  double bucket = 0;          ///< fraction of the exact top_k that the best keys of buckets are
  double far_weight = 0;      ///< of full attention's weight on earlier segments, what the retrieved keys have
  double memory_share = 0;    ///< of the output's weights
  double joint_share = 0;     ///< the same in one softmax over retrieved and local keys
};

class RecallStudy {
 public:
  RecallStudy(const RetrievalSetting& setting, const std::stop_token& stop)
      : m_setting(setting), m_tokens(memory_tokens(setting.memory, stop)), m_queries(asked_queries(setting.memory)) {}

  Result<void> prepare(const Work& work) {
    auto weights = far_weights(matrix_of(m_tokens.queries, m_tokens.d_k), matrix_of(m_tokens.keys, m_tokens.d_k),
                               m_setting.memory.segment_len, m_queries, work);
    if (!weights) return weights.error();
    m_far = std::move(*weights);
    return {};
  }

  bool planted() const { return !m_tokens.matches.empty(); }

  double full_far_share() const {
    double sum = 0;
    for (const FarWeights& each : m_far) sum += each.share();
    return sum / static_cast<double>(m_far.size());
  }

  Result<RecallPoint> at(Index memory_len, Index top_k, const std::stop_token& stop) const {
    RetrievalOptions options = m_setting.options;
    options.memory_len = memory_len;
    options.top_k = top_k;
    const Work quiet{.progress = {}, .stop = stop};
    const auto chosen = retrieval_attention(m_tokens.input(), options, m_queries, quiet);
    if (!chosen) return chosen.error();
    options.search =
        options.search == RetrievalSearch::exact ? RetrievalSearch::bucket_maximum : RetrievalSearch::exact;
    const auto other = retrieval_attention(m_tokens.input(), options, m_queries, quiet);
    if (!other) return other.error();
    const bool exact_chosen = m_setting.options.search == RetrievalSearch::exact;
    return measured((exact_chosen ? *chosen : *other).retrieved, (exact_chosen ? *other : *chosen).retrieved, *chosen,
                    top_k);
  }

 private:
  RecallPoint measured(const std::vector<RetrievedKey>& exact, const std::vector<RetrievedKey>& bucket,
                       const RetrievalOutput& chosen, Index top_k) const {
    RecallPoint sums;
    double found = 0;
    for (Index i = 0; i < m_queries.size(); ++i) {
      const auto of = [&](const std::vector<RetrievedKey>& all) {
        return std::span(all).subspan(static_cast<std::size_t>(i * top_k), static_cast<std::size_t>(top_k));
      };
      const auto best = of(exact), maxima = of(bucket);
      const auto has = [](auto keys, Index position) {
        return std::ranges::count(keys, position, &RetrievedKey::position) > 0;
      };
      if (planted()) {
        const Index match = m_tokens.matches[static_cast<std::size_t>(m_queries.begin + i)];
        sums.planted += has(best, match);
        sums.planted_bucket += has(maxima, match);
      }
      for (const RetrievedKey& key : best) {
        if (key.position < 0) break;
        ++found;
        sums.bucket += has(maxima, key.position);
      }
      const FarWeights& full = m_far[static_cast<std::size_t>(i)];
      double retrieved = 0;  // of the weight of all keys of earlier segments
      for (const RetrievedKey& key : of(chosen.retrieved))
        if (key.position >= 0) retrieved += std::exp(static_cast<double>(key.score) - full.far_sum);
      sums.far_weight += retrieved;
      sums.joint_share += FarWeights{full.far_sum + std::log(retrieved), full.local_sum}.share();
      sums.memory_share += static_cast<double>(chosen.memory_share[static_cast<std::size_t>(i)]);
    }
    const auto n = static_cast<double>(m_queries.size());
    return {sums.planted / n,    sums.planted_bucket / n, sums.bucket / found,
            sums.far_weight / n, sums.memory_share / n,   sums.joint_share / n};
  }

  RetrievalSetting m_setting;
  MemoryTokens m_tokens;
  Range m_queries;
  std::vector<FarWeights> m_far;
};

/// Of top_k keys that lie in any of as many buckets, the fraction that are the best of theirs: the expected fraction of
/// buckets that are not empty, 1 - (1 - 1/k)^k.
double expected_bucket_recall(Index top_k) {
  const auto k = static_cast<double>(top_k);
  return 1 - std::pow(1 - 1 / k, k);
}

/// Multiplications and additions, and bytes, that the last query needs.
struct RecallCost {
  double search = 0, attention = 0, full = 0, bytes = 0;
};

RecallCost cost_of(const RetrievalSetting& setting, Index memory_len, Index top_k) {
  const MemorySetting& s = setting.memory;
  const Index last = s.q_length - 1, segment = last / s.segment_len * s.segment_len;
  const auto keys = static_cast<double>(std::min(memory_len, segment));
  const auto width = static_cast<double>(s.d_k + s.d_v);
  return {.search = keys * static_cast<double>(s.d_k),
          .attention = static_cast<double>(last + 1 - segment) * width +
                       std::min(keys, static_cast<double>(top_k)) * static_cast<double>(s.d_v),
          .full = static_cast<double>(s.q_length) * width,
          .bytes = 4 * keys * width};
}

std::vector<std::string> curve_names(const std::string& quantity, bool planted) {
  if (quantity == "attention") return {"memory", "local", "memory_if_joint"};
  if (quantity == "multiply_adds") return {"search", "attention", "full_attention"};
  if (quantity == "bytes") return {"memory"};
  std::vector<std::string> names;
  if (planted) names = {"planted", "planted_bucket_maximum"};
  names.emplace_back("bucket_maximum");
  names.emplace_back("far_weight");
  return names;
}

std::vector<double> curve_values_of(const std::string& quantity, bool planted, const RecallPoint& point) {
  if (quantity == "attention") return {point.memory_share, 1 - point.memory_share, point.joint_share};
  if (planted) return {point.planted, point.planted_bucket, point.bucket, point.far_weight};
  return {point.bucket, point.far_weight};
}

std::string formula_of(const std::string& quantity) {
  if (quantity == "attention")
    return "memory: mean share of the attention weights that retrieved keys have; local: the rest; memory_if_joint: "
           "their "
           "share in one softmax with the local keys";
  if (quantity == "multiply_adds")
    return "multiplications and additions for the last query: search: memory keys · d_k; attention: local keys · "
           "(d_k + d_v) and retrieved keys · d_v; full_attention: T · (d_k + d_v)";
  if (quantity == "bytes") return "float32 keys and values in the memory of one head: 4 · keys · (d_k + d_v)";
  return "planted: fraction of queries whose planted key is among the exact top_k; planted_bucket_maximum: the same "
         "for "
         "the best key of each of top_k buckets; bucket_maximum: fraction of the exact top_k that these are; "
         "far_weight: of full attention's weight on earlier segments, the part on retrieved keys";
}

CurveSet empty_recall_set(const ParameterValues& values, bool planted) {
  const std::string& quantity = values.choice("recall_quantity");
  const bool by_memory = values.choice("recall_against") == "memory_len";
  CurveSet set{.x_name = by_memory ? "memory_len" : "top_k",
               .x_title = by_memory ? "keys in the memory" : "keys retrieved, top_k",
               .y_title = quantity == "recall"      ? "fraction"
                          : quantity == "attention" ? "share of the attention weights"
                          : quantity == "bytes"     ? "bytes"
                                                    : "multiply-adds of a query",
               .formula = fmt::format("{}; last {} queries with a memory; {}", formula_of(quantity), most_queries,
                                      memory_measured),
               .log_x = true,
               .log_y = quantity == "multiply_adds" || quantity == "bytes",
               .exact = false};
  const Index top_k = values.integer("top_k");
  const Index memory_len = std::min(values.integer("memory_len"), values.integer("q_length"));
  set.x = by_memory ? powers_of_two(std::min(top_k, memory_len), memory_len) : powers_of_two(1, top_k);
  for (auto& name : curve_names(quantity, planted)) set.curves.push_back({std::move(name), {}});
  return set;
}

CurveSet cost_curves(const RetrievalSetting& setting, const ParameterValues& values, CurveSet set) {
  for (const double x : set.x) {
    const bool by_memory = set.x_name == "memory_len";
    const RecallCost cost = cost_of(setting, by_memory ? static_cast<Index>(x) : setting.options.memory_len,
                                    by_memory ? setting.options.top_k : static_cast<Index>(x));
    const bool bytes = values.choice("recall_quantity") == "bytes";
    const double y[] = {bytes ? cost.bytes : cost.search, cost.attention, cost.full};
    for (std::size_t c = 0; c < set.curves.size(); ++c) set.curves[c].y.push_back(y[c]);
  }
  return set;
}

Result<CurveSet> make_recall(const ParameterValues& values, const Work& work) {
  const auto setting = retrieval_setting(values);
  if (!setting) return setting.error();
  const std::string& quantity = values.choice("recall_quantity");
  CurveSet set = empty_recall_set(values, !setting->memory.tokens);
  if (work.stop.stop_requested()) return cancelled();
  if (quantity == "multiply_adds" || quantity == "bytes") {
    work.report(1);
    return cost_curves(*setting, values, std::move(set));
  }
  RecallStudy study(*setting, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  const Work quiet{.progress = {}, .stop = work.stop};
  if (auto prepared = study.prepare(quiet); !prepared) return prepared.error();
  const bool by_memory = set.x_name == "memory_len";
  if (quantity == "attention") set.levels = {{study.full_far_share(), "earlier segments in full attention"}};
  if (quantity == "recall" && by_memory)
    set.levels = {{expected_bucket_recall(setting->options.top_k), "1 − (1 − 1/k)^k"}};
  for (const double x : set.x) {
    const auto each = static_cast<Index>(x);
    const auto point = study.at(by_memory ? each : setting->options.memory_len,
                                by_memory ? std::min(setting->options.top_k, each) : each, work.stop);
    if (!point) return point.error();
    const auto y = curve_values_of(quantity, study.planted(), *point);
    for (std::size_t c = 0; c < y.size(); ++c) set.curves[c].y.push_back(y[c]);
    work.report(static_cast<double>(set.curves[0].y.size()) / static_cast<double>(set.x.size()));
    if (work.partial) work.partial(set);
  }
  set.facts = {{"queries", static_cast<double>(asked_queries(setting->memory).size())},
               {"full_far_share", study.full_far_share()}};
  return set;
}

Result<void> check_recall(const ParameterValues& values) {
  if (auto checked = check_retrieval_values(values); !checked) return checked;
  const Index length = values.integer("q_length"), segment = values.integer("segment_len");
  if (segment >= length)
    return invalid("segment_len is {}, must be below q_length = {}: the first segment has no memory", segment, length);
  return {};
}

std::vector<ParameterSpec> recall_parameters() {
  auto specs = retrieval_parameters();
  specs.push_back({.name = "recall_against",
                   .label = "Recall against",
                   .group = "Curve",
                   .help = "Quantity of the x axis; its largest value is the parameter's.",
                   .kind = ParameterKind::choice,
                   .fallback = std::string("memory_len"),
                   .choices = {{"memory_len", "number of keys in the memory"}, {"top_k", "number of keys retrieved"}}});
  specs.push_back({.name = "recall_quantity",
                   .label = "Recall or cost",
                   .group = "Curve",
                   .help = "Quantity to plot for each size.",
                   .kind = ParameterKind::choice,
                   .fallback = std::string("recall"),
                   .choices = {{"recall", "how many of the keys that matter are retrieved"},
                               {"attention", "shares of the attention weights: memory and local"},
                               {"multiply_adds", "multiplications and additions for one query"},
                               {"bytes", "memory for keys and values of one head"}}});
  return specs;
}

}  // namespace

Method memorizing_recall_method() {
  return {.id = "memorizing_recall",
          .title = "Recall of retrieved keys",
          .category = "experiments",
          .help = "What queries retrieve from a memory of keys, its share of attention and its cost, against its size.",
          .citation = retrieval_citation(),
          .parameters = recall_parameters(),
          .check = check_recall,
          .recipe = CurveRecipe{.make = make_recall, .origin = CurveOrigin::measured, .kernels = best_kernels().name}};
}

}  // namespace vqscope
