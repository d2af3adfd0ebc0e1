// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/title/mask_text_name.h"

#include "widgets/parts/text.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace vqscope {
namespace {

constexpr qsizetype longestName = 32;

/// The last match of a name at the beginning of a line; empty: none.
QString lastName(const QString& text, const QRegularExpression& definition) {
  QString name;
  for (auto match = definition.globalMatch(text); match.hasNext();) name = match.next().captured(1);
  return name;
}

bool isGeneral(const QString& name) {
  static const QStringList all{QString(),
                               QStringLiteral("mask"),
                               QStringLiteral("mask_mod"),
                               QStringLiteral("block_mask"),
                               QStringLiteral("attn_mask"),
                               QStringLiteral("attention_mask")};
  return all.contains(name);
}

/// "causal ∧ window" of the last combination of functions, or of the last line that returns named parts;
/// empty: there is none, or it has combinations in it.
QString partsOfCombination(const QString& text) {
  static const QRegularExpression combination(
      QStringLiteral(
          "^\\w+\\s*=\\s*(and|or)_masks\\(([\\w\\s,]*)\\)|^\\s+return (\\w+(?: *([&|]) *\\w+(?: *\\4 *\\w+)*))$"),
      QRegularExpression::MultilineOption);
  QString joined;
  for (auto match = combination.globalMatch(text); match.hasNext();) {
    const auto found = match.next();
    const bool isLine = !found.captured(3).isEmpty();
    const bool isAnd = isLine ? found.captured(4) == QLatin1String("&") : found.captured(1) == QLatin1String("and");
    const QChar between = isLine ? found.captured(4).front() : QLatin1Char(',');
    QStringList names;
    for (const QString& name : found.captured(isLine ? 3 : 2).split(between)) names << name.trimmed();
    names.removeAll(QString());
    joined = names.join(isAnd ? QStringLiteral(" ∧ ") : QStringLiteral(" ∨ "));
  }
  return joined;
}

QString cutName(const QString& name) {
  return name.size() <= longestName ? name : name.left(longestName - 1) + QChar(0x2026);
}

}  // namespace

QString maskTextName(const QString& text) {
  static const QRegularExpression function(QStringLiteral("^def\\s+(\\w+)"), QRegularExpression::MultilineOption);
  static const QRegularExpression combination(QStringLiteral("^(\\w+)\\s*=\\s*(?:and|or)_masks\\("),
                                              QRegularExpression::MultilineOption);
  const QString combined = lastName(text, combination);
  const QString name = combined.isEmpty() ? lastName(text, function) : combined;
  if (!isGeneral(name)) return cutName(name);
  const QString parts = partsOfCombination(text);
  return parts.isEmpty() ? QCoreApplication::translate("maskTextName", "text mask") : cutName(parts);
}

std::optional<TextMask> textMaskIn(std::span<const ParameterSpec> specs, const ParameterValues& values) {
  for (const ParameterSpec& spec : specs) {
    if (spec.kind != ParameterKind::text || spec.text_form != TextForm::mask || spec.relevant.empty()) continue;
    if (!values.find(spec.name) || !is_relevant(spec, values)) continue;
    return TextMask{spec.name, spec.relevant.front().name, maskTextName(text(values.text(spec.name)))};
  }
  return std::nullopt;
}

}  // namespace vqscope
