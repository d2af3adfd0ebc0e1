// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/compared_fields.h"

#include "core/base/registry.h"
#include "core/field/difference_field.h"

namespace vqscope {
namespace {

using Side = ComparedFields::Side;

Result<Side> made(const Method& method, const ParameterValues& values, const Side& last) {
  if (last.field && last.method == method.id && last.values == values) return last;
  auto field = make_field(method, carried_values(method, values));
  if (!field) return field.error();
  return Side{method.id, values, *field};
}

}  // namespace

Result<void> ComparedFields::update(const WorkspaceState& state) {
  const Method& method = *find_method(state.method);
  auto a = made(method, state.values, m_a);
  if (!a) return a.error();
  auto b = state.compare == CompareMode::none ? Result<Side>(m_b) : made(method, state.other, m_b);
  if (!b) return b.error();
  std::shared_ptr<const Field> difference;
  if (state.compare == CompareMode::difference) {
    auto subtracted = make_method_difference(method, a->field, b->field);
    if (!subtracted) return subtracted.error();
    difference = *subtracted;
  }
  m_a = std::move(*a);
  m_b = std::move(*b);
  m_difference = std::move(difference);
  return {};
}

}  // namespace vqscope
