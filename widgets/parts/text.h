// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace vqscope {

/// Core speaks UTF-8, Qt UTF-16.
inline QString text(const std::string& utf8) { return QString::fromStdString(utf8); }

/// "1 run", "2 runs".
inline QString counted(qsizetype count, const QString& one, const QString& many) {
  return QString::number(count) + QLatin1Char(' ') + (count == 1 ? one : many);
}

/// As a sentence of its own: "Causal, except 1 cell."
inline QString sentence(const std::string& said) {
  QString whole = text(said) + QLatin1Char('.');
  whole[0] = whole[0].toUpper();
  return whole;
}

}  // namespace vqscope
