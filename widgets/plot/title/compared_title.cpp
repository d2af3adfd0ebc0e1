// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/title/compared_title.h"

#include "widgets/plot/value_summary.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <set>

namespace vqscope {
namespace {

constexpr qsizetype longestLine = 32;
constexpr qsizetype mostParts = 4;

QString shortened(const QString& line) {
  return line.size() <= longestLine ? line : line.left(longestLine - 1) + QChar(0x2026);
}

/// The function that a mask's text defines last, as with `mask_mod` chosen; empty: none.
QString functionOf(const QString& text) {
  static const QRegularExpression definition(QStringLiteral("^def\\s+(\\w+)"), QRegularExpression::MultilineOption);
  QString name;
  for (auto match = definition.globalMatch(text); match.hasNext();) name = match.next().captured(1);
  return name;
}

QStringList linesOf(const QString& text) {
  QStringList lines;
  for (const QString& line : text.split(QLatin1Char('\n')))
    if (const QString plain = line.trimmed(); !plain.isEmpty()) lines << plain;
  return lines;
}

/// The difference of two texts.
std::pair<QString, QString> textsApart(const QString& a, const QString& b) {
  const QString first = functionOf(a);
  const QString second = functionOf(b);
  if (first != second && !first.isEmpty() && !second.isEmpty()) return {first, second};
  const QStringList left = linesOf(a);
  const QStringList right = linesOf(b);
  qsizetype line = 0;
  while (line < left.size() && line < right.size() && left[line] == right[line]) ++line;
  return {shortened(left.value(line)), shortened(right.value(line))};
}

struct Sides {
  QStringList a;
  QStringList b;
  std::set<std::string> apart;  ///< names of the parameters that differ
};

void addPart(QStringList& into, const ParameterSpec& spec, const ParameterValues& values) {
  if (values.find(spec.name) && is_relevant(spec, values)) into << valueText(spec, *values.find(spec.name));
}

/// Two texts; beside another kind of mask, that kind is the name.
void addTexts(Sides& sides, const ParameterValues& a, const ParameterValues& b, const ParameterSpec& spec) {
  if (!is_relevant(spec, a) || !is_relevant(spec, b)) return;
  const auto textIn = [&](const ParameterValues& values) { return QString::fromStdString(values.text(spec.name)); };
  const auto [left, right] = textsApart(textIn(a), textIn(b));
  if (!left.isEmpty()) sides.a << left;
  if (!right.isEmpty()) sides.b << right;
}

Sides sidesOf(const Method& method, const ParameterValues& a, const ParameterValues& b) {
  Sides sides;
  std::set<std::string> done;
  for (const auto* values : {&a, &b})
    for (const auto& spec : parameters_of(method, *values)) {
      if (!done.insert(spec.name).second || spec.role == ParameterRole::picture) continue;
      const ParameterValue* left = a.find(spec.name);
      const ParameterValue* right = b.find(spec.name);
      if (left && right && *left == *right) continue;
      sides.apart.insert(spec.name);
      if (spec.kind == ParameterKind::text && left && right) {
        addTexts(sides, a, b, spec);
      } else if (spec.in_summary != InSummary::never) {
        addPart(sides.a, spec, a);
        addPart(sides.b, spec, b);
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
