// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/title/compared_title.h"

#include "widgets/plot/title/mask_text_name.h"
#include "widgets/plot/value_summary.h"

#include <QRegularExpression>
#include <QStringList>

#include <optional>
#include <set>

namespace vqscope {
namespace {

constexpr qsizetype mostParts = 4;

struct Sides {
  QStringList a;
  QStringList b;
  std::set<std::string> apart;  ///< names of the parameters that differ
};

void addPart(QStringList& into, const ParameterSpec& spec, const ParameterValues& values,
             const std::optional<TextMask>& text) {
  if (!values.find(spec.name) || !is_relevant(spec, values)) return;
  into << (text && spec.name == text->choice ? text->name : valueText(spec, *values.find(spec.name)));
}

/// A parameter that only one side reads, with the value that it has without being set, distinguishes
/// nothing.
bool isDefaultOfOneSide(const ParameterSpec& spec, const ParameterValues& a, const ParameterValues& b) {
  const auto read = [&](const ParameterValues& side) {
    const ParameterValue* value = side.find(spec.name);
    return value && is_relevant(spec, side) ? value : nullptr;
  };
  const ParameterValue* left = read(a);
  const ParameterValue* right = read(b);
  return (left == nullptr) != (right == nullptr) && *(left ? left : right) == spec.default_value;
}

/// Two texts of different names; beside another kind of mask, the text is named there.
void addTexts(Sides& sides, const std::optional<TextMask>& a, const std::optional<TextMask>& b) {
  if (!a || !b || a->name == b->name) return;
  sides.a << a->name;
  sides.b << b->name;
}

Sides sidesOf(const Method& method, const ParameterValues& a, const ParameterValues& b) {
  Sides sides;
  std::set<std::string> done;
  const auto ofA = parameters_of(method, a);
  const auto ofB = parameters_of(method, b);
  const auto textA = textMaskIn(ofA, a);
  const auto textB = textMaskIn(ofB, b);
  for (const auto* specs : {&ofA, &ofB})
    for (const auto& spec : *specs) {
      if (!done.insert(spec.name).second || spec.role == ParameterRole::picture) continue;
      const ParameterValue* left = a.find(spec.name);
      const ParameterValue* right = b.find(spec.name);
      if (left && right && *left == *right) continue;
      sides.apart.insert(spec.name);
      if (isDefaultOfOneSide(spec, a, b)) continue;
      if (spec.kind == ParameterKind::text && spec.text_form == TextForm::mask) {
        addTexts(sides, textA, textB);
      } else if (spec.in_summary != InSummary::never) {
        addPart(sides.a, spec, a, textA);
        addPart(sides.b, spec, b, textB);
      }
    }
  return sides;
}

QString joined(QStringList parts) {
  if (parts.size() > mostParts) parts = parts.mid(0, mostParts) << QString(QChar(0x2026));
  return parts.join(QStringLiteral(" · "));
}

}  // namespace

QString ComparedTitle::difference() const {
  const auto side = [](const QString& text) {
    return text.contains(QStringLiteral(" · ")) || text.contains(QLatin1Char('-'))
               ? QLatin1Char('(') + text + QLatin1Char(')')
               : text;
  };
  return side(a) + QString::fromUtf8(" − ") + side(b);
}

ComparedTitle comparedTitle(const Method& method, const ParameterValues& a, const ParameterValues& b) {
  const Sides sides = sidesOf(method, a, b);
  ComparedTitle title{joined(sides.a), joined(sides.b), valueSummary(method, a, sides.apart)};
  if (title.a == title.b || title.a.isEmpty() || title.b.isEmpty()) {
    // One side may have nothing to name: a parameter that only the other one reads.
    const bool same = title.a == title.b;
    title.a = same || title.a.isEmpty() ? QStringLiteral("A") : title.a;
    title.b = same || title.b.isEmpty() ? QStringLiteral("B") : title.b;
  }
  return title;
}

QString comparedFileName(const ComparedTitle& title) {
  static const QRegularExpression others(QStringLiteral("[^A-Za-z0-9._-]+"));
  const auto part = [](QString text) {
    text.replace(others, QStringLiteral("_"));
    while (text.startsWith(QLatin1Char('_'))) text.remove(0, 1);
    while (text.endsWith(QLatin1Char('_'))) text.chop(1);
    return text.left(40);
  };
  QString a = part(title.a);
  QString b = part(title.b);
  if (a == b || a.isEmpty() || b.isEmpty()) a = QStringLiteral("A"), b = QStringLiteral("B");
  return a + QLatin1Char('-') + b;
}

}  // namespace vqscope
