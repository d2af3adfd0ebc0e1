// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/compared_fields.h"

#include "core/base/registry.h"
#include "core/field/difference_field.h"

#include <algorithm>

namespace vqscope {
namespace {

using Side = ComparedFields::Side;

Side linkedSide(const LinkedMap& map, const ParameterValues& values) {
  Side side{map.title, find_method(map.method), values, nullptr};
  for (const auto& [name, value] : map.with.map()) side.values.set(name, value);
  return side;
}

}  // namespace

std::vector<Side> ComparedFields::asked(const WorkspaceState& state) {
  const Method* method = find_method(state.method);
  if (state.compare != CompareMode::none)
    return {{"A", method, state.values, nullptr}, {"B", method, state.other, nullptr}};
  const auto& linked = method->field()->linked;
  if (linked.empty()) return {{"", method, state.values, nullptr}};
  std::vector<Side> sides;
  for (const auto& map : linked) sides.push_back(linkedSide(map, state.values));
  return sides;
}

Result<std::shared_ptr<const Field>> ComparedFields::made(const Side& side) const {
  const auto there = std::ranges::find_if(
      m_sides, [&](const Side& each) { return each.method == side.method && each.values == side.values; });
  if (there != m_sides.end()) return there->field;
  return make_field(*side.method, carried_values(*side.method, side.values));
}

Result<void> ComparedFields::update(const WorkspaceState& state) {
  auto sides = asked(state);
  for (auto& side : sides) {
    auto field = made(side);
    if (!field) return field.error();
    side.field = std::move(*field);
  }
  std::shared_ptr<const Field> difference;
  if (state.compare == CompareMode::difference) {
    auto subtracted = make_method_difference(*sides[0].method, sides[0].field, sides[1].field);
    if (!subtracted) return subtracted.error();
    difference = std::move(*subtracted);
  }
  m_sides = std::move(sides);
  m_difference = std::move(difference);
  return {};
}

}  // namespace vqscope
