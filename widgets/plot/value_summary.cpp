// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/value_summary.h"

#include "core/method/free_name.h"
#include "core/method/shown_part.h"
#include "widgets/parts/text.h"
#include "widgets/plot/axis/index_ticker.h"
#include "widgets/plot/title/mask_text_name.h"

#include <QStringList>

#include <algorithm>

namespace vqscope {
namespace {

QString shortText(const ParameterValue& value) {
  if (const auto* number = std::get_if<Index>(&value)) return plotNumber(static_cast<double>(*number));
  if (const auto* real = std::get_if<double>(&value)) return plotNumber(*real);
  if (const auto* list = std::get_if<std::vector<Index>>(&value); list && list->size() > 4)
    return QStringLiteral("%1 items").arg(list->size());
  if (const auto* list = std::get_if<std::vector<double>>(&value); list && list->size() > 4)
    return QStringLiteral("%1 items").arg(list->size());
  return QString::fromStdString(format_value(value));
}

/// A free name of a mask's text as the text has it.
QString shortName(const ParameterSpec& spec) {
  const auto own = spec.short_label.empty() ? free_name_of(spec.name) : std::string_view();
  return QString::fromStdString(own.empty() ? spec.short_title() : std::string(own));
}

}  // namespace

QString valueText(const ParameterSpec& spec, const ParameterValue& value) {
  const QString name = shortName(spec);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? name : QStringLiteral("not ") + name;
  if (spec.kind == ParameterKind::choice) {
    const auto chosen = std::ranges::find(spec.choices, ParameterValue(value),
                                          [](const Choice& each) { return ParameterValue(each.id); });
    return chosen == spec.choices.end() ? shortText(value) : QString::fromStdString(chosen->shown());
  }
  // The folder of a file is of no use in a title.
  const QString shown = shortText(value);
  return name + QLatin1Char(' ') + (spec.kind == ParameterKind::tensor ? shown.section(QLatin1Char('/'), -1) : shown);
}

QString valueSummary(const Method& method, const ParameterValues& values, const std::set<std::string>& without) {
  QStringList parts;
  const auto specs = parameters_of(method, values);
  const auto textMask = textMaskIn(specs, values);
  for (const auto& spec : specs) {
    const ParameterValue* value = values.find(spec.name);
    if (!value || !is_relevant(spec, values) || spec.in_summary == InSummary::never) continue;
    if (without.contains(spec.name)) continue;
    if (textMask && spec.name == textMask->choice) {
      if (!without.contains(textMask->parameter)) parts << textMask->name;
      continue;
    }
    if (spec.in_summary == InSummary::if_changed && *value == spec.default_value) continue;
    parts << valueText(spec, *value);
  }
  if (const auto untrained = untrained_text(method, values); !untrained.empty())
    parts << QString::fromStdString(untrained);
  return parts.join(QStringLiteral(" · "));
}

QString curveSubtitle(const Method& method, const ParameterValues& values) {
  QString summary = valueSummary(method, values);
  if (method.curves()->origin == CurveOrigin::geometry) return summary;  // nothing else is expected of a formula
  const QString origin = QString::fromStdString(name_of(method.curves()->origin));
  return summary.isEmpty() ? origin : origin + QStringLiteral(" · ") + summary;
}

}  // namespace vqscope
