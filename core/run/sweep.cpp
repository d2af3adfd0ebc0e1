// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sweep.h"

#include "core/base/fingerprint.h"
#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/run/run_file.h"

#include <algorithm>
#include <set>

namespace vqscope {
namespace {

Error in_point(const Sweep& sweep, const SweepPoint& point, const Error& error) {
  return within("point " + point_text(sweep, point), error);
}

/// The method must use the parameters that vary, or two points would be the same.
Result<void> check_point(const Sweep& sweep, const SweepPoint& point) {
  if (auto checked = check_method_values(*sweep.method, point.values); !checked)
    return in_point(sweep, point, checked.error());
  const auto specs = parameters_of(*sweep.method, point.values);
  for (const auto& varied : sweep.varied)
    if (const auto* spec = find_spec(specs, varied.name))
      if (auto used = check_relevant(*spec, point.values); !used) return in_point(sweep, point, used.error());
  return {};
}

Result<void> check_varied(const std::vector<Varied>& all) {
  std::set<std::string> names;
  for (const auto& varied : all) {
    if (!names.insert(varied.name).second) return invalid("--vary names {} twice", shortened(varied.name));
    if (varied.values.empty()) return invalid("--vary {} has no values", shortened(varied.name));
  }
  return {};
}

}  // namespace

double point_count(const Sweep& sweep) {
  double count = 1;
  for (const auto& varied : sweep.varied) count *= static_cast<double>(varied.values.size());
  return count;
}

SweepPoint sweep_point(const Sweep& sweep, Index index) {
  SweepPoint point{.id = {}, .values = sweep.fixed};
  for (auto varied = sweep.varied.rbegin(); varied != sweep.varied.rend(); ++varied) {
    const auto count = static_cast<Index>(varied->values.size());
    point.values.set(varied->name, varied->values[static_cast<std::size_t>(index % count)]);
    index /= count;
  }
  point.id = run_id(*sweep.method, point.values);
  return point;
}

const ParameterValue& varied_value(const Sweep& sweep, Index index, std::size_t which) {
  for (std::size_t later = sweep.varied.size(); --later > which;)
    index /= static_cast<Index>(sweep.varied[later].values.size());
  const auto& values = sweep.varied[which].values;
  return values[static_cast<std::size_t>(index) % values.size()];
}

std::string point_text(const Sweep& sweep, const SweepPoint& point) {
  std::vector<std::string> parts;
  for (const auto& varied : sweep.varied)
    parts.push_back(varied.name + "=" + shortened(format_value(*point.values.find(varied.name))));
  return parts.empty() ? point.id : join(parts, " ");
}

std::string run_id(const Method& method, const ParameterValues& values) {
  Fingerprint fingerprint;
  fingerprint.add(method.id);
  for (const auto& [name, value] : values.map()) {
    fingerprint.add(name);
    fingerprint.add(format_value(value));
  }
  return fingerprint.text();
}

std::string sweep_id(const Sweep& sweep) {
  Fingerprint fingerprint;
  fingerprint.add(sweep.method->id);
  for (const auto& [name, value] : sweep.fixed.map()) {
    if (std::ranges::find(sweep.varied, name, &Varied::name) != sweep.varied.end()) continue;
    fingerprint.add(name);
    fingerprint.add(format_value(value));
  }
  for (const auto& varied : sweep.varied) {
    fingerprint.add("--vary " + varied.name);
    for (const auto& value : varied.values) fingerprint.add(format_value(value));
  }
  return fingerprint.text();
}

Result<void> check_sweep(const Sweep& sweep, const std::stop_token& stop) {
  if (!sweep.method->curves())
    return invalid("{} has no curves; a sweep needs a method that vqscope list shows as curves", sweep.method->id);
  if (auto checked = check_varied(sweep.varied); !checked) return checked;
  const double count = point_count(sweep);
  if (count > static_cast<double>(most_sweep_points))
    return too_large("the sweep has {} points but must have at most {}: vary fewer values", plain_text(count),
                     most_sweep_points);
  for (Index i = 0; i < static_cast<Index>(count); ++i) {
    if (stop.stop_requested()) return cancelled();
    if (auto checked = check_point(sweep, sweep_point(sweep, i)); !checked) return checked;
  }
  return {};
}

}  // namespace vqscope
