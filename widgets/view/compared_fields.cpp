// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/compared_fields.h"

#include "core/catalogue/registry.h"
#include "core/mask/map/read_visible.h"
#include "core/mask/preset/presets.h"
#include "core/method/compared.h"
#include "widgets/parts/text.h"
#include "widgets/plot/title/compared_title.h"
#include "widgets/plot/value_summary.h"

#include <QFileInfo>

#include <algorithm>

namespace vqscope {
namespace {

using Side = ComparedFields::Side;

QString withCommon(const QString& method, const QString& common) {
  return common.isEmpty() ? method : method + QStringLiteral(" · ") + common;
}

Side linkedSide(const LinkedMap& map, const ParameterValues& values) {
  Side side{map.title, find_method(map.method), values, nullptr};
  for (const auto& [name, value] : map.with.map()) {
    side.values.set(name, value);
    side.named.insert(name);
  }
  return side;
}

std::shared_ptr<const LintCase> caseOf(std::shared_ptr<const Mask> mask, const ParameterValues& page) {
  if (!mask) return nullptr;
  const auto values = carried_values(*find_method("visibility"), page);
  auto layout = SequenceLayout::make(preset_sequence(values));
  return layout ? std::make_shared<const LintCase>(lint_case(std::move(mask), std::move(*layout), values)) : nullptr;
}

}  // namespace

std::vector<Side> ComparedFields::sidesOf(const ShownPage& state) {
  const Method* method = find_method(state.method);
  if (state.compare != CompareMode::none)
    return {{"A", method, state.values, nullptr}, {"B", method, state.other, nullptr}};
  const auto& linked = method->field()->linked;
  if (linked.empty()) return {{"", method, state.values, nullptr}};
  std::vector<Side> sides;
  for (const auto& map : linked) sides.push_back(linkedSide(map, state.values));
  return sides;
}

Result<std::shared_ptr<const Field>> ComparedFields::made(const Side& side, const Work& work) const {
  const auto there = std::ranges::find_if(
      m_sides, [&](const Side& each) { return each.method == side.method && each.values == side.values; });
  if (there != m_sides.end()) return there->field;
  return make_field(*side.method, side.carried, work);
}

Result<ComparedFields> ComparedFields::make(const ShownPage& state, const ComparedFields& there, const Work& work) {
  ComparedFields made;
  made.m_sides = sidesOf(state);
  if (state.batch.text && state.batch.second < made.m_sides.size())
    made.m_sides[state.batch.second].file = QFileInfo(textOfBytes(state.batch.file)).fileName();
  made.m_compared = state.compare != CompareMode::none;
  for (auto& side : made.m_sides) {
    side.carried = carried_values(*side.method, side.values);
    auto field = there.made(side, work);
    if (!field) return field.error();
    side.field = std::move(*field);
    if (work.stop.stop_requested()) return cancelled();
  }
  const Side& first = made.m_sides.front();
  if (state.compare == CompareMode::difference) {
    auto subtracted = make_method_difference(*first.method, first.field, made.m_sides[1].field);
    if (!subtracted) return subtracted.error();
    made.m_difference = std::move(*subtracted);
  }
  // Comparison and colours do not affect the check.
  const bool sameMask = !there.isEmpty() && first.field == there.m_sides.front().field;
  made.m_case = sameMask ? there.m_case : caseOf(made.mask(), first.values);
  if (const auto second = made.secondMask()) {
    const bool sameSecond = there.m_compared && second == there.secondMask();
    made.m_secondCase = sameSecond ? there.m_secondCase : caseOf(second, made.m_sides[1].values);
  }
  made.m_rowMarks = lossMarks(state, first.field->extent().rows);
  return made;
}

std::pair<QString, QString> ComparedFields::titlesOf(const Side& side) const {
  const QString method = QString::fromStdString(side.method->title);
  if (!m_compared) {
    // Linked maps belong to the method of the page, and have names of their own.
    const QString name = QString::fromStdString(side.name);
    return {name.isEmpty() ? method : name, valueSummary(*side.method, side.carried, side.named, side.file)};
  }
  const ComparedTitle title = comparedTitle(*side.method, m_sides[0].carried, m_sides[1].carried);
  const QString values = &side == &m_sides[0] || side.name == "A" ? title.a : title.b;
  const QString name = QString::fromStdString(side.name);
  // Functions of the same name do not tell the sides apart; the file of one of them does.
  const QString& own = values == name && !side.file.isEmpty() ? side.file : values;
  return {own == name ? name : name + QStringLiteral(": ") + own, withCommon(method, title.common)};
}

std::pair<QString, QString> ComparedFields::differenceTitles() const {
  const Side& a = m_sides[0];
  const ComparedTitle title = comparedTitle(*a.method, a.carried, m_sides[1].carried);
  return {title.difference(), withCommon(QString::fromStdString(a.method->title), title.common)};
}

std::shared_ptr<const Mask> ComparedFields::mask() const {
  return isEmpty() ? nullptr : mask_of(m_sides.front().field);
}

std::shared_ptr<const Mask> ComparedFields::secondMask() const {
  return m_compared ? mask_of(m_sides[1].field) : nullptr;
}

std::shared_ptr<const BlockView> ComparedFields::blocks() const {
  return isEmpty() ? nullptr : blocksOf(m_sides.front().field);
}

std::shared_ptr<const BlockView> blocksOf(const std::shared_ptr<const Field>& field) {
  const FieldForm form = field->form();
  const auto* blocks = std::get_if<const BlockView*>(&form);
  return blocks ? std::shared_ptr<const BlockView>(field, *blocks) : nullptr;
}

}  // namespace vqscope
