// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/value_summary.h"

#include "core/field/tile_grid.h"
#include "core/lint/lint_case.h"
#include "core/method/free_name.h"
#include "core/method/shown_part.h"
#include "widgets/parts/text.h"
#include "widgets/plot/axis/index_ticker.h"

#include <QStringList>

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

/// " --option name=value" for each value that differs from `from`. `owner`: the owner of the
/// parameters.
QString arguments(const char* option, std::span<const ParameterSpec> specs, const ParameterValues& values,
                  const ParameterValues& from, std::span<const ParameterSpec> known, const std::string& owner) {
  QString text;
  for (const auto& spec : specs) {
    const ParameterValue* value = values.find(spec.name);
    const ParameterValue* other = from.find(spec.name);
    if (value && (!other || *value != *other) && is_relevant(spec, values))
      text += QStringLiteral(" --%1 %2=%3")
                  .arg(QLatin1String(option), QString::fromStdString(name_to_give(known, spec, owner)),
                       shellWord(QString::fromStdString(format_value(*value))));
  }
  return text;
}

}  // namespace

QString valueText(const ParameterSpec& spec, const ParameterValue& value) {
  const QString name = QString::fromStdString(spec.short_title());
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? name : QStringLiteral("not ") + name;
  if (spec.kind == ParameterKind::choice) return shortText(value);
  return name + QLatin1Char(' ') + shortText(value);
}

QString valueSummary(const Method& method, const ParameterValues& values, const std::set<std::string>& without) {
  QStringList parts;
  for (const auto& spec : parameters_of(method, values)) {
    const ParameterValue* value = values.find(spec.name);
    if (!value || !is_relevant(spec, values) || spec.in_summary == InSummary::never) continue;
    if (without.contains(spec.name)) continue;
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

QString setArguments(const Method& method, const ParameterValues& values) {
  const auto specs = parameters_of(method, values);
  return arguments("set", specs, values, default_values(specs), specs, method.id);
}

QString lintArguments(const ParameterValues& lint, const Method& method, const ParameterValues& values) {
  const auto specs = lint_parameters();
  return arguments("set", specs, lint, default_values(specs), parameters_of(method, values), "contract");
}

QString minusArguments(const Method& method, const ParameterValues& values, const ParameterValues& minus) {
  const auto specs = parameters_of(method, minus);
  return arguments("minus", specs, minus, values, specs, method.id);
}

QString lookArguments(const Method& method, const ShownPage& look, const std::optional<Extent>& extent) {
  QString line;
  if (!method.field()) {
    const auto axes = look.axes.find(method.id);
    if (axes == look.axes.end()) return line;
    const auto [log_x, log_y] = axes->second;
    return QStringLiteral(" --log ") + (log_x && log_y ? "xy" : log_x ? "x" : log_y ? "y" : "none");
  }
  if (look.view && extent) {
    const Range rows = cells_in(look.view->row_first, look.view->row_last, extent->rows);
    const Range cols = cells_in(look.view->col_first, look.view->col_last, extent->cols);
    line += QStringLiteral(" --rows %1:%2 --cols %3:%4").arg(rows.begin).arg(rows.end).arg(cols.begin).arg(cols.end);
  }
  if (look.aggregate != Aggregate::automatic)
    line += QStringLiteral(" --aggregate ") +
            QString::fromStdString(aggregate_names()[static_cast<std::size_t>(look.aggregate)]);
  if (look.keep_aspect) line += QStringLiteral(" --square");
  const bool difference = look.compare == CompareMode::difference;
  if (!look.colour_map.empty() && !difference)
    line += QStringLiteral(" --colour-map ") + QString::fromStdString(look.colour_map);
  return line;
}

}  // namespace vqscope
