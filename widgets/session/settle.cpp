// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/settle.h"

#include "core/base/text.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Parameters that parameters bring along bring along others at most so many times.
constexpr int mostRounds = 8;
/// More than any page has parameters.
constexpr int mostTakenBack = 256;

/// The parameter that a check's sentence begins with, or nothing.
const ParameterSpec* subject(const Error& error, std::span<const ParameterSpec> specs) {
  const auto end = error.message.find_first_of(" ,:");
  return find_spec(specs, std::string_view(error.message).substr(0, end));
}

ParameterValues withDefault(const WorkspaceInfo& info, const std::string& method, const ParameterValues& values,
                            const ParameterSpec& spec) {
  const auto former = workspaceParameters(info, values, method);
  ParameterValues next = values;
  next.set(spec.name, spec.fallback);
  return completed_values(workspaceParameters(info, next, method), next, former);
}

bool isDefault(const ParameterSpec& spec, const ParameterValues& values) {
  const auto* value = values.find(spec.name);
  return !value || *value == spec.fallback;
}

/// One step towards values that check; false where no value is left to take back.
bool takeBackOne(const WorkspaceInfo& info, const std::string& method, const Error& error, ParameterValues& values,
                 Notes& notes) {
  auto specs = shownParameters(method, values);
  std::erase_if(specs, [&](const ParameterSpec& spec) { return isDefault(spec, values); });
  if (specs.empty()) return false;
  if (const auto* named = subject(error, specs))
    std::swap(specs.front(), specs[static_cast<std::size_t>(named - specs.data())]);
  const auto mends = [&](const ParameterSpec& spec) {
    return checkShown(method, withDefault(info, method, values, spec)).has_value();
  };
  const auto found = std::ranges::find_if(specs, mends);
  const ParameterSpec& back = found == specs.end() ? specs.front() : *found;
  notes.push_back(error.message + "; " + back.name + " is " + shortValue(back.fallback) + " now");
  values = withDefault(info, method, values, back);
  return true;
}

}  // namespace

ParameterValues valuesFrom(const GivenValue& given, const WorkspaceInfo& info, const std::string& method) {
  ParameterValues values;
  for (int round = 0; round < mostRounds; ++round) {
    ParameterValues next;
    for (const auto& spec : workspaceParameters(info, values, method))
      next.set(spec.name, given(spec).value_or(spec.fallback));
    if (next == values) break;
    values = std::move(next);
  }
  return values;
}

void settleShown(const WorkspaceInfo& info, const std::string& method, ParameterValues& values, Notes& notes) {
  for (int i = 0; i < mostTakenBack; ++i) {
    const auto checked = checkShown(method, values);
    if (checked || !takeBackOne(info, method, checked.error(), values, notes)) return;
  }
}

}  // namespace vqscope
