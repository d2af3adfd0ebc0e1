// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/experiment/long_context/context_curves.h"
#include "core/experiment/measure/measured_time.h"
#include "core/experiment/methods.h"
#include "core/experiment/setting/vq_experiment.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index first_context_length = 256;
constexpr double learning_fraction = 0.1;  // of the progress, a guess

/// "error of far fact".
std::string error_title(const ContextSetting& setting) {
  if (setting.tasks.front() == ContextTask::full_attention) return "error of the output";
  if (setting.tasks.size() > 1) return setting.compares_tasks() ? "error" : "error, mean of the tasks";
  std::string id = info_of(setting.tasks.front()).id;
  std::ranges::replace(id, '_', ' ');
  return "error of " + id;
}

std::string quantity_title(const ContextSetting& setting) {
  if (setting.quantity == "seconds") return "seconds per token";
  if (setting.quantity == "reach") return "tokens that can influence the newest";
  if (setting.quantity == "bytes") return "bytes kept by a head and layer";
  if (setting.quantity == "operations") return "floating-point operations per token";
  return error_title(setting);
}

std::string formula_of(const ContextSetting& setting, Index repeats) {
  const std::string of = "for the newest token, one head, one layer except for the reach";
  if (!setting.needs_tokens()) return of + "; counted, not performance of a model";
  if (setting.quantity == "seconds")
    return fmt::format("{}; one output from the kept state, median of {}, {}; {}", of, repeats, machine_text(1),
                       memory_measured);
  if (setting.tasks.front() == ContextTask::full_attention)
    return fmt::format(
        "Σ |o - o_full|² / Σ |o_full|² over up to 128 tokens of the newest segment; memorizing, clustered and infini: "
        "the gate whose error is least, one for all of these; {}",
        memory_measured);
  return fmt::format(
      "Σ |o - answer|² / Σ |answer|² over up to 64 tokens of the newest segment, 1 for a reader that returns 0; the "
      "scale of scores, the gate and the scale of the output are fitted on as many other tokens; rest: heads trained "
      "with full attention; {}",
      memory_measured);
}

CurveSet context_axes(const ContextSetting& setting, Index repeats) {
  const std::string cost = setting.cost();
  CurveSet set{.x_name = "length",
               .x_title = "tokens T",
               .y_title = quantity_title(setting),
               .formula = formula_of(setting, repeats),
               .log_x = true,
               .log_y = !setting.quantity.starts_with("error"),
               .exact = false};
  if (setting.compares_tasks()) {
    set.x_name = "task";
    set.x_title = fmt::format("what the head reads from {} tokens", grouped(setting.memory.q_length));
    set.log_x = false;
  } else if (!cost.empty()) {
    set.x_name = cost;
    set.x_title = cost == "bytes" ? "bytes kept by a head and layer" : "floating-point operations per token";
    set.names_at_points = true;
  } else {
    set.x = powers_of_two(std::min(first_context_length, setting.memory.q_length), setting.memory.q_length);
  }
  return set;
}

Result<CurveSet> counted_costs(const ContextSetting& setting, CurveSet set) {
  for (const ContextSystemInfo& info : setting.systems) {
    Curve& curve = set.curves.emplace_back(Curve{info.id, {}});
    for (const double length : set.x) {
      const ContextCosts costs = costs_of(info.system, setting.sizes, static_cast<Index>(length));
      curve.y.push_back(setting.quantity == "reach"   ? costs.reach
                        : setting.quantity == "bytes" ? costs.bytes
                                                      : costs.operations);
    }
  }
  return set;
}

/// Of far facts, or of own tensors.
Result<CurveSet> timed_systems(const ContextSetting& setting, CurveSet set, Index most, Index repeats,
                               const Work& work) {
  MemorySetting memory = setting.memory;
  memory.q_length = most;
  const TaskTokens task(setting.tasks.front(), memory, setting.task, work.stop);
  if (work.stop.stop_requested()) return cancelled();
  std::vector<ContextSystem> systems;
  for (const ContextSystemInfo& info : setting.systems) {
    systems.push_back(info.system);
    set.curves.push_back({info.id, {}});
  }
  add_spread_curves(set);
  auto codebooks = learnt_codebooks(task, setting.sizes, systems, memory.seed, part_of(work, 0, learning_fraction));
  if (!codebooks) return codebooks.error();
  ContextOutputs outputs(task.tokens(), setting.sizes, std::move(*codebooks), {.systems = systems});
  for (const double x : set.x) {
    const auto length = static_cast<Index>(x);
    if (length <= most) outputs.go_on_to(length, work.stop);
    for (std::size_t i = 0; i < systems.size(); ++i) {
      if (work.stop.stop_requested()) return cancelled();
      add_spread(set, i, length > most ? Spread() : seconds_of({.progress = {}, .stop = work.stop}, repeats, [&] {
                   (void)outputs.parts(systems[i], length);
                 }));
    }
    if (work.partial) work.partial(set);
    work.report(learning_fraction + (1 - learning_fraction) * x / set.x.back());
  }
  return set;
}

Result<CurveSet> make_long_context_costs(const ParameterValues& values, const Work& work) {
  auto setting = context_setting(values, true);
  if (!setting) return setting.error();
  const Index repeats = values.integer("repeats"), most = std::min(setting->memory.q_length, setting->most_computed());
  if (setting->compares_tasks() || !setting->cost().empty()) setting->memory.q_length = most;
  CurveSet axes = context_axes(*setting, repeats);
  if (!setting->needs_tokens()) return counted_costs(*setting, std::move(axes));
  auto set = setting->quantity == "seconds" ? timed_systems(*setting, std::move(axes), most, repeats, work)
                                            : context_errors(*setting, std::move(axes), most, work);
  if (!set) return set;
  set->facts.emplace_back("measured_up_to", static_cast<double>(most));
  if (setting->cost().empty() && !setting->compares_tasks())
    mark_skipped(*set, fmt::format("more than {} of tokens", byte_count(most_memory_bytes())));
  return set;
}

std::string long_context_remark(const ParameterValues& values, const Work&) {
  const auto setting = context_setting(values, false);
  if (!setting || !setting->needs_tokens()) return {};
  const std::string tensors = memory_remark(values);
  if (setting->memory.q_length <= setting->most_computed()) return tensors;
  const std::string limit = fmt::format(
      "{} is measured up to {} tokens, whose queries, keys and values take {}; bytes, operations and reach "
      "are counted up to {}",
      setting->quantity, setting->most_computed(), byte_count(most_memory_bytes()), setting->memory.q_length);
  return tensors.empty() ? limit : limit + ". " + tensors;
}

}  // namespace

Method long_context_costs_method() {
  return {.id = "long_context_costs",
          .title = "Long contexts side by side",
          .help =
              "What ten systems for long sequences read from them, and what it costs. Full attention is one of "
              "them.",
          .citation = {"Dai et al. 2019; Rae et al. 2020; Roy et al. 2021; Wu et al. 2022; Xiao et al. 2023; Lingle "
                       "2023; Munkhdalai et al. 2024",
                       "the methods of the page Memory and of VQ attention"},
          .parameters = context_parameters(),
          .check = check_context,
          .remark = long_context_remark,
          .recipe = CurveRecipe{.make = make_long_context_costs, .origin = CurveOrigin::measured, .clocked = true}};
}

}  // namespace vqscope
