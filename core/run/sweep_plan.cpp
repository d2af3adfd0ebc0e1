// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sweep.h"

#include "core/base/sentence.h"
#include "core/method/free_name.h"
#include "core/run/shard.h"

#include <algorithm>

namespace vqscope {
namespace {

bool varies(const Sweep& sweep, const std::string& name) {
  return std::ranges::find(sweep.varied, name, &Varied::name) != sweep.varied.end();
}

/// Names of the parameters that differ from their defaults and are the same in every point.
std::vector<std::string> changed_names(const Sweep& sweep) {
  const auto defaults = default_values(parameters_of(*sweep.method, sweep.fixed));
  std::vector<std::string> names;
  for (const auto& [name, value] : defaults.map())
    if (const auto* fixed = sweep.fixed.find(name); fixed && *fixed != value && !varies(sweep, name))
      names.push_back(name);
  return names;
}

/// Resets values that no point uses, which a form may have kept from other choices, to their
/// defaults.
Result<void> drop_unused(Sweep& sweep, const std::stop_token& stop) {
  std::vector<std::string> unused = changed_names(sweep);
  const auto count = static_cast<Index>(point_count(sweep));
  for (Index i = 0; i < count && !unused.empty(); ++i) {
    if (stop.stop_requested()) return cancelled();
    const auto values = sweep_point(sweep, i).values;
    const auto specs = parameters_of(*sweep.method, values);
    std::erase_if(unused, [&](const std::string& name) {
      const auto* spec = find_spec(specs, name);
      return spec && is_relevant(*spec, values);
    });
  }
  const auto defaults = default_values(parameters_of(*sweep.method, sweep.fixed));
  for (const auto& name : unused) sweep.fixed.set(name, *defaults.find(name));
  return {};
}

}  // namespace

Result<Varied> vary(const Method& method, const VaryText& text) {
  if (text.name.empty()) return invalid("--vary: missing parameter for the values {}", shortened(text.values));
  const auto* spec = find_meant(method.parameters, text.name, method.id);
  if (!spec) {
    std::vector<std::string> names;
    for (const auto& each : method.parameters) names.push_back(each.name);
    return invalid("--vary: unknown parameter {} of {}{}", shortened(text.name), method.id,
                   did_you_mean(text.name, names));
  }
  auto values = parse_varied(*spec, text.values);
  if (!values) return values.error();
  return Varied{spec->name, std::move(*values)};
}

Result<Varied> vary_seed(const Method& method, const ParameterValues& values, Index count) {
  const auto* spec = find_spec(method.parameters, "seed");
  if (!spec || spec->kind != ParameterKind::integer) return invalid("--seeds: {} has no parameter seed", method.id);
  Varied varied{spec->name, {}};
  for (Index i = 0; i < count; ++i) varied.values.emplace_back(values.integer("seed") + i);
  return varied;
}

SweepPlan plan_of(const Sweep& sweep) {
  SweepPlan plan{.method = sweep.method, .values = sweep.fixed, .varied = {}};
  const auto specs = parameters_of(*sweep.method, sweep.fixed);
  for (const auto& varied : sweep.varied) {
    std::vector<std::string> texts;
    for (const auto& value : varied.values) texts.push_back(format_value(value));
    const auto* spec = find_spec(specs, varied.name);
    plan.varied.push_back({varied.name, join(texts, spec && holds_commas(*spec) ? ";" : ",")});
  }
  return plan;
}

Result<Sweep> sweep_of(const SweepPlan& plan, const std::stop_token& stop) {
  const Method& method = *plan.method;
  Sweep sweep{.method = &method, .fixed = plan.values, .varied = {}};
  for (const auto& text : plan.varied) {
    auto varied = vary(method, text);
    if (!varied) return varied.error();
    // Parameters that vary take their first value, so the values are those of a point.
    sweep.fixed.set(varied->name, varied->values.front());
    sweep.varied.push_back(std::move(*varied));
  }
  sweep.fixed = completed_values(parameters_of(method, sweep.fixed), sweep.fixed, parameters_of(method, plan.values));
  if (auto checked = check_method_values(method, sweep.fixed); !checked) return checked.error();
  if (plan.seeds > 1) {
    auto seeds = vary_seed(method, sweep.fixed, plan.seeds);
    if (!seeds) return seeds.error();
    sweep.varied.push_back(std::move(*seeds));
  }
  if (auto checked = check_sweep(sweep, stop); !checked) return checked.error();
  if (auto dropped = drop_unused(sweep, stop); !dropped) return dropped.error();
  return sweep;
}

std::vector<std::string> sweep_words(const SweepPlan& plan, const Sweep& sweep, const std::string& folder, Index jobs) {
  const Method& method = *sweep.method;
  std::vector<std::string> words{"sweep", method.id};
  const auto add = [&](const char* option, std::string word) {
    words.emplace_back(option);
    words.push_back(std::move(word));
  };
  for (const auto& text : plan.varied) add("--vary", text.name + "=" + std::string(trimmed(text.values)));
  if (plan.seeds > 1) add("--seeds", to_text(plan.seeds));
  const auto specs = parameters_of(method, sweep.fixed);
  const auto changed = changed_names(sweep);
  for (const auto& spec : specs) {
    // The seed from which --seeds counts does vary.
    const bool first_seed = plan.seeds > 1 && spec.name == "seed" && *sweep.fixed.find(spec.name) != spec.default_value;
    if (first_seed || std::ranges::find(changed, spec.name) != changed.end())
      add("--set", name_to_give(specs, spec, method.id) + "=" + format_value(*sweep.fixed.find(spec.name)));
  }
  add("--out", folder);
  if (jobs > 1) add("--jobs", to_text(jobs));
  return words;
}

std::string command_line(const std::vector<std::string>& words) {
  std::string line = "vqscope";
  for (const auto& word : words) line += " " + script_word(word);
  return line;
}

}  // namespace vqscope
