// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/base/work.h"
#include "core/experiment/memory/recall_study.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/method/curve_set.h"

#include <algorithm>

namespace vqscope {
namespace {

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
  if (quantity == "attention") return {point.memory_fraction, 1 - point.memory_fraction, point.joint_fraction};
  if (planted) return {point.planted, point.planted_bucket, point.bucket, point.far_weight};
  return {point.bucket, point.far_weight};
}

std::string formula_of(const std::string& quantity) {
  if (quantity == "attention")
    return "memory: mean fraction of the attention weight on retrieved keys; local: the rest; memory_if_joint: "
           "their fraction in one softmax with the local keys";
  if (quantity == "multiply_adds")
    return "multiplications and additions for the last query: search: memory keys · d_k; attention: local keys · "
           "(d_k + d_v) and retrieved keys · d_v; full_attention: T · (d_k + d_v)";
  if (quantity == "bytes") return "float32 keys and values in the memory of one head: 4 · keys · (d_k + d_v)";
  return "planted: fraction of queries whose planted key is among the exact top_k; planted_bucket_maximum: the same "
         "for the best key of each of top_k buckets; bucket_maximum: fraction of the exact top_k among these; "
         "far_weight: fraction of full attention's weight on earlier segments that falls on retrieved keys";
}

CurveSet empty_recall_set(const ParameterValues& values, bool planted) {
  const std::string& quantity = values.choice("recall_quantity");
  const bool by_memory = values.choice("recall_against") == "memory_len";
  CurveSet set{.x_name = by_memory ? "memory_len" : "top_k",
               .x_title = by_memory ? "keys in the memory" : "keys retrieved, top_k",
               .y_title = quantity == "recall"      ? "fraction"
                          : quantity == "attention" ? "fraction of the attention weight"
                          : quantity == "bytes"     ? "bytes"
                                                    : "multiply-adds per query",
               .formula = fmt::format("{}; last {} queries with a memory; {}", formula_of(quantity),
                                      most_recall_queries, memory_measured),
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
    const RecallCost cost = recall_cost(setting, by_memory ? static_cast<Index>(x) : setting.options.memory_len,
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
  constexpr double preparing_fraction = 0.5;
  if (auto prepared = study.prepare(part_of(work, 0, preparing_fraction)); !prepared) return prepared.error();
  const bool by_memory = set.x_name == "memory_len";
  if (quantity == "attention") set.levels = {{study.full_far_fraction(), "earlier segments in full attention"}};
  if (quantity == "recall" && by_memory)
    set.levels = {{expected_bucket_recall(setting->options.top_k), "1 − (1 − 1/k)^k"}};
  for (const double x : set.x) {
    const auto each = static_cast<Index>(x);
    const auto point = study.at(by_memory ? each : setting->options.memory_len,
                                by_memory ? std::min(setting->options.top_k, each) : each, work.stop);
    if (!point) return point.error();
    const auto y = curve_values_of(quantity, study.planted(), *point);
    for (std::size_t c = 0; c < y.size(); ++c) set.curves[c].y.push_back(y[c]);
    work.report(preparing_fraction + (1 - preparing_fraction) * x / set.x.back());
    if (work.partial) work.partial(set);
  }
  set.facts = {{"queries", static_cast<double>(recall_queries(setting->memory).size())},
               {"full_far_share", study.full_far_fraction()}};
  return set;
}

Result<void> check_recall(const ParameterValues& values) {
  if (auto checked = check_retrieval_values(values); !checked) return checked;
  const Index length = values.integer("q_length"), segment = values.integer("segment_len");
  if (segment >= length)
    return invalid("segment_len is {} but must be below q_length = {}: the first segment has no memory", segment,
                   length);
  return {};
}

std::vector<ParameterSpec> recall_parameters() {
  auto specs = retrieval_parameters();
  add_parameter(specs, "recall_against", "Curve",
                "Quantity on the x axis; the parameter of that name sets the largest value.",
                {.label = "Recall against",
                 .default_value = std::string("memory_len"),
                 .choices = {{"memory_len", "number of keys in the memory"}, {"top_k", "number of keys retrieved"}}});
  add_parameter(specs, "recall_quantity", "Curve", "Quantity to plot for each size.",
                {.label = "Recall or cost",
                 .default_value = std::string("recall"),
                 .choices = {{"recall", "fraction of the important keys that are retrieved"},
                             {"attention", "fractions of the attention weight: memory and local"},
                             {"multiply_adds", "multiplications and additions for one query"},
                             {"bytes", "memory for keys and values of one head"}}});
  return specs;
}

}  // namespace

Method memorizing_recall_method() {
  return {.id = "memorizing_recall",
          .title = "Recall of retrieved keys",
          .help =
              "What queries retrieve from a memory of keys, by its size. Also shows their fraction of attention and "
              "their cost.",
          .citation = retrieval_citation(),
          .parameters = recall_parameters(),
          .check = check_recall,
          .remark = memory_remark,
          .recipe = CurveRecipe{.make = make_recall, .origin = CurveOrigin::measured}};
}

}  // namespace vqscope
