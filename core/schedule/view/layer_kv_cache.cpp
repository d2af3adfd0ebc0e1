// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/methods.h"

#include "core/base/sentence.h"
#include "core/method/curve_set.h"
#include "core/schedule/cache/cache_parameters.h"
#include "core/schedule/setting/schedule_parameters.h"

namespace vqscope {
namespace {

Result<void> check_layer_cache(const ParameterValues& values) {
  if (const auto schedule = schedule_from(values); !schedule) return schedule.error();
  return check_cache_memory(values);
}

Result<CurveSet> make_layer_cache(const ParameterValues& values, const Work&) {
  const auto schedule = schedule_from(values);
  if (!schedule) return schedule.error();
  const CacheUse use = cache_use(values);
  const LayerSchedule full = all_full(*schedule);
  CurveSet set = cache_axes(
      values,
      "sum over layers of batch × numbers per token × bytes per number × tokens kept: T in full and sparse layers, at "
      "most the window or chunk in others, T / ratio and the window in compressed ones, none in layers that share keys "
      "and values; sparse layers add the keys of their indexer");
  add_cache_curve(set, "these layers", *schedule, use);
  add_cache_curve(set, "all layers full", full, use);
  const double free = free_memory(values);
  add_cache_fit(set, values, most_cached_tokens(*schedule, free, use));
  const Index most_full = most_cached_tokens(full, free, use);
  set.facts.emplace_back("longest_all_full", most_full > 0 ? static_cast<double>(most_full) : no_value);
  set.facts.emplace_back("bytes_of_a_token", cache_bytes(*schedule, 1, use));
  set.facts.emplace_back("bytes", set.curves[0].y.back());
  set.facts.emplace_back("bytes_all_full", set.curves[1].y.back());
  return set;
}

std::string layer_cache_remark(const ParameterValues& values, const Work&) {
  const auto schedule = schedule_from(values);
  if (!schedule) return {};
  const CacheUse use = cache_use(values);
  std::string text = cache_fit_text(values, {most_cached_tokens(*schedule, free_memory(values), use),
                                             cache_bytes(*schedule, values.integer("length_max"), use)});
  const Index unknown = unknown_caches(*schedule);
  return unknown == 0 ? text : text + fmt::format("; the state of {} layers is not counted: state:N gives it", unknown);
}

}  // namespace

Method layer_kv_cache_method() {
  auto specs = schedule_parameters();
  for (auto& spec : layer_cache_parameters()) specs.push_back(std::move(spec));
  return {.id = "layer_kv_cache",
          .title = "KV cache of a model's layers",
          .category = "model",
          .help =
              "Bytes of the keys and values that the layers of a model keep, and the longest sequence that fits; "
              "counted.",
          .citation = {"Shazeer 2019, Fast Transformer Decoding, section 2.4",
                       "Hugging Face transformers, cache_utils: a sliding or chunked layer keeps its window"},
          .parameters = std::move(specs),
          .check = check_layer_cache,
          .remark = layer_cache_remark,
          .recipe = CurveRecipe{.make = make_layer_cache}};
}

}  // namespace vqscope
