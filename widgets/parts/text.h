// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <algorithm>
#include <string>

namespace vqscope {

/// Core speaks UTF-8, Qt UTF-16.
inline QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// "1 run", "2 runs".
inline QString counted(qsizetype count, const QString& one, const QString& many) {
  return QString::number(count) + QLatin1Char(' ') + (count == 1 ? one : many);
}

/// As a sentence of its own: "Causal, except 1 cell." Names of parameters, keys and functions keep their letters:
/// "head_dim 128 takes precedence."
inline QString sentence(const std::string& words) {
  QString whole = text(words) + QLatin1Char('.');
  const qsizetype end = whole.indexOf(QLatin1Char(' '));
  const QStringView word = QStringView(whole).left(end < 0 ? whole.size() - 1 : end);
  const auto isLetter = [](QChar c) { return c.isLower() || c == QLatin1Char('-') || c == QLatin1Char(','); };
  const bool isName = word.size() == 1 ? word.front() != QLatin1Char('a') : !std::ranges::all_of(word, isLetter);
  if (!isName) whole[0] = whole[0].toUpper();
  return whole;
}

}  // namespace vqscope
