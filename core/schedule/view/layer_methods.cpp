// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/method/curve_set.h"
#include "core/schedule/cache/layer_cache.h"
#include "core/schedule/finding/findings.h"
#include "core/schedule/methods.h"
#include "core/schedule/setting/schedule_parameters.h"
#include "core/schedule/text/layer_texts.h"
#include "core/schedule/view/reach_field.h"

namespace vqscope {
namespace {

constexpr std::size_t most_remark = 400;

/// Layers, tokens and the query that the values state.
struct ReachCase {
  LayerSight sight;
  Index query;
};

Result<ReachCase> case_of(const ParameterValues& values) {
  auto sight = sight_from(values);
  if (!sight) return sight.error();
  const auto query = query_token(*sight, values);
  if (!query) return query.error();
  return ReachCase{std::move(*sight), *query};
}

/// The layers that are meant to be, of as many as there are; nothing if none are stated.
Result<std::optional<LayerSight>> intended_sight(const ParameterValues& values, const LayerSight& given) {
  const std::string& text = values.text("intended_layers");
  if (text.empty()) return std::optional<LayerSight>();
  auto schedule = parse_layers(text, given.layers());
  if (!schedule) return invalid("intended_{}", schedule.error().message);
  auto sight = sight_from(values, std::move(*schedule));
  if (!sight) return sight.error();
  return std::optional(std::move(*sight));
}

Result<void> check_reach(const ParameterValues& values) {
  const auto made = case_of(values);
  return made ? Result<void>() : made.error();
}

Result<void> check_growth(const ParameterValues& values) {
  const auto made = case_of(values);
  if (!made) return made.error();
  const auto intended = intended_sight(values, made->sight);
  return intended ? Result<void>() : intended.error();
}

/// As many findings as have room.
std::string findings_text(const std::vector<ScheduleFinding>& findings) {
  std::string text;
  for (const ScheduleFinding& each : findings) {
    const std::string more = each.title + ": " + each.sentence;
    if (!text.empty() && text.size() + more.size() > most_remark) break;
    text += (text.empty() ? "" : " ") + more;
  }
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string reach_remark(const ParameterValues& values, const Work&) {
  const auto made = case_of(values);
  return made ? findings_text(find_in_schedule(made->sight, made->query)) : std::string();
}

std::string growth_remark(const ParameterValues& values, const Work& work) {
  const auto made = case_of(values);
  if (!made) return {};
  const auto intended = intended_sight(values, made->sight);
  if (!intended || !*intended) return reach_remark(values, work);
  const auto findings = compare_schedules(**intended, made->sight, made->query);
  return findings.empty() ? "The layers see what is intended" : findings_text(findings);
}

Result<std::shared_ptr<const Field>> make_reach_field(const ParameterValues& values, const Work& work) {
  auto made = case_of(values);
  if (!made) return made.error();
  auto reach = LayerReach::make(made->sight, made->query, work.stop);
  if (!reach) return reach.error();
  return std::shared_ptr<const Field>(std::make_shared<ReachField>(std::move(made->sight), std::move(*reach)));
}

Categories reach_categories(const ParameterValues&) {
  return {.count = reach_kinds,
          .second = reach_kinds,
          .groups = {{0, "not reached"},
                     {1, "through layers below"},
                     {2, "direct"},
                     {3, "another document"},
                     {4, "possible, if selected"}}};
}

/// One curve: tokens that reach the query after each layer.
Result<void> add_growth(CurveSet& set, std::string name, const LayerSight& sight, Index query, const Work& work) {
  const auto reach = LayerReach::make(sight, query, work.stop);
  if (!reach) return reach.error();
  auto& y = set.curves.emplace_back(Curve{std::move(name), {}}).y;
  for (Index l = 0; l < reach->layers(); ++l) y.push_back(static_cast<double>(reach->reach(l).size()));
  return {};
}

Result<CurveSet> make_growth(const ParameterValues& values, const Work& work) {
  const auto made = case_of(values);
  if (!made) return made.error();
  const auto& [sight, query] = *made;
  const auto intended = intended_sight(values, sight);
  if (!intended) return intended.error();
  CurveSet set{.x_name = "layer",
               .x_title = "layer",
               .y_title = "tokens that reach the query",
               .formula = "tokens whose inputs the state of the query depends on after each layer, the query included",
               .log_y = true,
               .integer = true};
  for (Index l = 0; l < sight.layers(); ++l) set.x.push_back(static_cast<double>(l));
  struct Named {
    std::string name;
    std::optional<LayerSight> sight;
  };
  const auto windows = windows_everywhere(sight.schedule());
  const auto positions = without_nope_layers(sight.schedule());
  const Named all[]{
      {"these layers", sight},
      {"intended layers", *intended},
      {"windows in full layers too", windows ? std::optional(sight.with(windows->schedule)) : std::nullopt},
      {"without NoPE layers", positions ? std::optional(sight.with(positions->schedule)) : std::nullopt}};
  for (const Named& each : all)
    if (each.sight)
      if (auto added = add_growth(set, each.name, *each.sight, query, work); !added) return added.error();
  set.facts = {{"query", static_cast<double>(query)}, {"tokens", set.curves.front().y.back()}};
  return set;
}

std::vector<ParameterSpec> growth_parameters() {
  auto specs = reach_parameters();
  add_parameter(specs, "intended_layers", "Model",
                "Layers as they are meant to be, written as layers, to compare with; empty: none.",
                {.kind = ParameterKind::text, .default_value = std::string()});
  return specs;
}

const Citation citation{"Dai et al. 2019, Transformer-XL, section 3.2; Beltagy et al. 2020, Longformer, section 3.1",
                        "Hugging Face transformers, masking_utils: sliding_window_overlay, chunked_overlay"};

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

Method layer_reach_method() {
  return {.id = "layer_reach",
          .title = "Reach through depth",
          .help =
              "How each token can influence a query after each layer of a model: not, through layers below, "
              "directly, or out of another document.",
          .citation = citation,
          .parameters = reach_parameters(),
          .check = check_reach,
          .remark = reach_remark,
          .recipe = FieldRecipe{.row_title = "layer l",
                                .col_title = "token k",
                                .value_title = "how the token reaches the query",
                                .scale = ValueScale::categorical,
                                .row_name = "layer",
                                .col_name = [](const ParameterValues&) { return std::string("token"); },
                                .related = {"layer_reach_growth", "layer_kv_cache"},
                                .categories = reach_categories,
                                .make = make_reach_field,
                                .make_checks = true}};
}

Method layer_reach_growth_method() {
  return {.id = "layer_reach_growth",
          .title = "Reach by layer",
          .help = "Number of tokens that can influence a query after each layer of a model.",
          .citation = citation,
          .parameters = growth_parameters(),
          .check = check_growth,
          .remark = growth_remark,
          .recipe = CurveRecipe{.make = make_growth}};
}

Method layer_kv_cache_method() {
  auto specs = schedule_parameters();
  for (auto& spec : layer_cache_parameters()) specs.push_back(std::move(spec));
  return {.id = "layer_kv_cache",
          .title = "KV cache of a model's layers",
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
