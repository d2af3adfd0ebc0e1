// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/resolve.h"

#include "core/catalogue/registry.h"
#include "core/method/method.h"
#include "core/session/page_parameters.h"
#include "core/session/settle.h"
#include "core/session/subject/subject_tensors.h"

namespace vqscope {
namespace {

bool is_of_kind(const ParameterSpec& spec, const ParameterValue& value) {
  return value.index() == spec.default_value.index();
}

/// The subject's tensors give lengths and data to the methods that take them.
ParameterValue unset_value(const std::string& shown, const PageInfo& info, const ParameterSpec& spec,
                           const Subject& subject) {
  const Method* method = find_method(shown);
  const auto value = method ? value_of_tensors(*method, spec, subject) : std::nullopt;
  return value && check_value(spec, *value) ? *value : default_value(info, spec);
}

/// Removes names that a text no longer has: another text may use a name for something else.
void forget_former(ShownPage& state, std::span<const ParameterSpec> specs) {
  std::vector<std::string> former;
  for (const auto& [name, value] : state.own.map())
    if (!find_spec(specs, name)) former.push_back(name);
  for (const auto& name : former) state.own = without(state.own, name);
}

void fill_first(ShownPage& state, const Subject& subject) {
  const PageInfo& info = *find_page_info(state.id);
  const auto given = [&](const ParameterSpec& spec) -> std::optional<ParameterValue> {
    const auto* set = state.own.find(spec.name);
    if (!set && is_linked(state, spec.name)) set = subject.values.find(spec.name);
    if (!set || !is_of_kind(spec, *set)) return unset_value(state.method, info, spec, subject);
    return check_value(spec, *set) ? *set : nearest_value(spec, *set);
  };
  state.values = values_from(given, info, state.method, state.values);
  forget_former(state, kept_parameters(info, state.values, state.method)->specs);
  state.lint = completed_values(page_lint(info), state.lint);
}

void fill_second(ShownPage& state) {
  if (state.compare == CompareMode::none) {
    state.other = state.values;
    return;
  }
  const PageInfo& info = *find_page_info(state.id);
  ParameterValues near = state.values;
  for (const auto& [name, value] : state.other.map()) near.set(name, value);
  const auto given = [&](const ParameterSpec& spec) -> std::optional<ParameterValue> {
    const auto* a = state.values.find(spec.name);
    if (spec.role == ParameterRole::shape && a) return *a;
    const auto* b = state.other.find(spec.name);
    if (b && is_of_kind(spec, *b)) return check_value(spec, *b) ? *b : nearest_value(spec, *b);
    return a && check_value(spec, *a) ? *a : spec.default_value;
  };
  state.other = values_from(given, info, state.method, std::move(near));
}

}  // namespace

bool is_linked(const PageSettings& state, std::string_view name) {
  const SubjectParameter* shared = find_subject_parameter(name);
  if (!shared || state.own.find(name)) return false;
  return find_page_info(state.id)->shares || shared->part == SubjectPart::tensors;
}

ParameterValues without(const ParameterValues& values, std::string_view name) {
  ParameterValues others;
  for (const auto& [each, value] : values.map())
    if (each != name) others.set(each, value);
  return others;
}

bool same_value(const ParameterValues& a, const ParameterValues& b, std::string_view name) {
  const auto *first = a.find(name), *second = b.find(name);
  return first && second ? *first == *second : first == second;
}

ParameterValues different(const ParameterValues& side, const ParameterValues& from) {
  ParameterValues all;
  for (const auto& [name, value] : side.map())
    if (!same_value(side, from, name)) all.set(name, value);
  return all;
}

ParameterValue default_value(const PageInfo& info, const ParameterSpec& spec) {
  const auto* first = info.first.find(spec.name);
  return first && check_value(spec, *first) ? *first : spec.default_value;
}

Result<void> keep_edits(ShownPage& state, const ShownPage& before, Subject& subject) {
  const PageInfo& info = *find_page_info(state.id);
  const auto page = kept_parameters(info, state.values, state.method);
  const auto& specs = page->specs;
  for (const auto& [name, value] : state.values.map()) {
    const auto* former = before.values.find(name);
    if (former && *former == value) continue;
    const ParameterSpec* spec = find_spec(specs, name);
    if (!spec && former) continue;  // the edit makes it superfluous
    if (!spec) return check_values(specs, state.values);
    if (auto checked = check_value(*spec, value); !checked) return checked;
    const bool is_shared = is_linked(state, name) && check_value(find_subject_parameter(name)->spec, value);
    (is_shared ? subject.values : state.own).set(name, value);
  }
  for (const auto& [name, value] : before.values.map())
    if (!state.values.find(name)) {
      auto& kept = is_linked(state, name) ? subject.values : state.own;
      kept = without(kept, name);
    }
  // If B was equal to A, it takes A's value under the other method.
  if (state.method != before.method && state.compare != CompareMode::none)
    state.other = different(state.other, before.values);
  return {};
}

void fill_page(ShownPage& state, const Subject& subject) {
  fill_first(state, subject);
  fill_second(state);
}

Notes resolve_page(ShownPage& state, const Subject& subject) {
  const PageInfo& info = *find_page_info(state.id);
  Notes notes;
  fill_first(state, subject);
  settle_shown(info, state.method, state.values, notes);
  fill_second(state);
  if (state.compare != CompareMode::none) settle_shown(info, state.method, state.other, notes);
  return notes;
}

void follow_subject(ShownPage& state, const Subject& now, const Subject& next) {
  if (state.compare == CompareMode::none) return;
  const bool turns = has_tensors(now) != has_tensors(next);
  for (const auto& [name, value] : state.values.map()) {
    if (!same_value(state.other, state.values, name)) continue;
    const bool is_data = turns && (name == "data" || name == "vectors") && !state.own.find(name);
    if (is_data || (is_linked(state, name) && !same_value(now.values, next.values, name)))
      state.other = without(state.other, name);
  }
}

}  // namespace vqscope
