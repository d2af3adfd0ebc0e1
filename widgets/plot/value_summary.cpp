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

/// The folder of a file is of no use in a title.
QString fileOfTensor(const QString& tensor) { return tensor.section(QLatin1Char('/'), -1); }

/// Tensors that a title names together, and the choices that they stand for.
struct NamedTensors {
  QStringList names;
  std::set<std::string> choices;

  /// "q.npy, k.npy", "qkv.npz:q, k".
  QString text() const {
    QStringList parts;
    QString former;
    for (const QString& name : names) {
      const QString file = name.section(QLatin1Char(':'), 0, 0) + QLatin1Char(':');
      parts << (name.startsWith(former) && !former.isEmpty() ? name.mid(former.size()) : name);
      former = file;
    }
    return parts.join(QStringLiteral(", "));
  }
};

NamedTensors tensorsIn(std::span<const ParameterSpec> specs, const ParameterValues& values,
                       const std::set<std::string>& without) {
  NamedTensors tensors;
  for (const auto& spec : specs) {
    if (spec.kind != ParameterKind::tensor || spec.in_summary == InSummary::never || without.contains(spec.name))
      continue;
    if (!values.find(spec.name) || !is_relevant(spec, values) || values.text(spec.name).empty()) continue;
    tensors.names << fileOfTensor(QString::fromStdString(values.text(spec.name)));
    if (!spec.relevant.empty()) tensors.choices.insert(spec.relevant.front().name);
  }
  return tensors;
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
  constexpr std::size_t few = 4;
  if (const auto* chosen = std::get_if<std::vector<std::string>>(&value); chosen && chosen->size() > few)
    return QStringLiteral("%1 %2").arg(chosen->size()).arg(name);
  const QString shown = shortText(value);
  return name + QLatin1Char(' ') + (spec.kind == ParameterKind::tensor ? fileOfTensor(shown) : shown);
}

QString valueSummary(const Method& method, const ParameterValues& values, const std::set<std::string>& without,
                     const QString& textName) {
  QStringList parts;
  const auto specs = parameters_of(method, values);
  const auto textMask = textMaskIn(specs, values);
  NamedTensors tensors = tensorsIn(specs, values, without);
  for (const auto& spec : specs) {
    const ParameterValue* value = values.find(spec.name);
    if (!value || !is_relevant(spec, values) || spec.in_summary == InSummary::never) continue;
    if (without.contains(spec.name)) continue;
    if (textMask && spec.name == textMask->choice) {
      if (!without.contains(textMask->parameter)) parts << (textName.isEmpty() ? textMask->name : textName);
      continue;
    }
    if (tensors.choices.contains(spec.name)) continue;
    if (spec.kind == ParameterKind::tensor) {
      if (!tensors.names.isEmpty()) parts << tensors.text();
      tensors.names.clear();
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
