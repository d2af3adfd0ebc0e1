// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/settle.h"

#include "core/base/sentence.h"
#include "core/session/page_parameters.h"
#include "core/session/subject/subject.h"
#include "core/session/subject/subject_tensors.h"

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

/// More parameters than any page has.
constexpr int most_taken_back = 256;

/// The parameter with which the error of a check begins, or nothing.
const ParameterSpec* subject(const Error& error, std::span<const ParameterSpec> specs) {
  const auto end = error.message.find_first_of(" ,:");
  return find_spec(specs, std::string_view(error.message).substr(0, end));
}

ParameterValues with_default(const PageInfo& info, const std::string& method, const ParameterValues& values,
                             const ParameterSpec& spec) {
  const auto former = specs_of_page(info, values, method);
  ParameterValues next = values;
  next.set(spec.name, spec.default_value);
  return completed_values(specs_of_page(info, next, method), next, former);
}

bool is_default(const ParameterSpec& spec, const ParameterValues& values) {
  const auto* value = values.find(spec.name);
  return !value || *value == spec.default_value;
}

/// Resets one value, towards values that pass the check; false if no value is left to reset.
bool take_back_one(const PageInfo& info, const std::string& method, const Error& error, ParameterValues& values,
                   Notes& notes) {
  auto specs = shown_parameters(method, values);
  std::erase_if(specs, [&](const ParameterSpec& spec) { return is_default(spec, values); });
  if (specs.empty()) return false;
  // Shared values are replaced last; the page would differ from its bar in sequence or model.
  std::stable_partition(specs.begin(), specs.end(),
                        [](const ParameterSpec& spec) { return !find_subject_parameter(spec.name); });
  if (const auto* named = subject(error, specs))
    std::swap(specs.front(), specs[static_cast<std::size_t>(named - specs.data())]);
  const auto mends = [&](const ParameterSpec& spec) {
    return check_shown(method, with_default(info, method, values, spec)).has_value();
  };
  const auto found = std::ranges::find_if(specs, mends);
  const ParameterSpec& back = found == specs.end() ? specs.front() : *found;
  notes.push_back(fmt::format("{}; {} is {} now", error.message, back.name, short_value(back.default_value)));
  values = with_default(info, method, values, back);
  return true;
}

void settle(const PageInfo& info, const std::string& method, ParameterValues& values, Notes& notes) {
  for (int i = 0; i < most_taken_back; ++i) {
    const auto checked = check_shown(method, *kept_parameters(info, values, method), values);
    if (checked || !take_back_one(info, method, checked.error(), values, notes)) return;
  }
}

/// Whether the vectors come from the same place.
bool has_same_tensors(const ParameterValues& a, const ParameterValues& b) {
  return shows_tensors(b) && std::ranges::all_of(tensor_names(), [&](const std::string& name) {
           const auto *first = a.find(name), *second = b.find(name);
           return first && second ? *first == *second : first == second;
         });
}

}  // namespace

ParameterValues values_from(const GivenValue& given, const PageInfo& info, const std::string& method,
                            ParameterValues start) {
  ParameterValues values = std::move(start);
  for (int round = 0; round < most_rounds; ++round) {
    ParameterValues next;
    const auto page = kept_parameters(info, values, method);
    for (const auto& spec : page->specs) next.set(spec.name, given(spec).value_or(spec.default_value));
    if (next == values) break;
    values = std::move(next);
  }
  return values;
}

void settle_shown(const PageInfo& info, const std::string& method, ParameterValues& values, Notes& notes) {
  const ParameterValues given = values;
  const std::size_t known = notes.size();
  settle(info, method, values, notes);
  // Other data must not stand in the place of tensors that cannot be shown: their error does.
  if (!shows_tensors(given) || has_same_tensors(given, values)) return;
  values = given;
  notes.resize(known);
}

}  // namespace vqscope
