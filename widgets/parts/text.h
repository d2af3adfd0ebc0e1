// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
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

/// As a sentence of its own: "Causal, except 1 cell." Names of parameters, keys and functions keep
/// their letters: "head_dim 128 takes precedence."
inline QString sentence(const std::string& words) {
  QString whole = text(words) + QLatin1Char('.');
  const qsizetype end = whole.indexOf(QLatin1Char(' '));
  const QStringView word = QStringView(whole).left(end < 0 ? whole.size() - 1 : end);
  const auto isLetter = [](QChar c) { return c.isLower() || c == QLatin1Char('-') || c == QLatin1Char(','); };
  const bool isName = word.size() == 1 ? word.front() != QLatin1Char('a') : !std::ranges::all_of(word, isLetter);
  if (!isName) whole[0] = whole[0].toUpper();
  return whole;
}

/// With separators in whole numbers of five digits and more that are no part of a name or a fraction:
/// "rope_theta 1 000 000".
QString groupedNumbers(const QString& text);

/// "0.31 s", "45 s", "2.5 min", "3 h".
QString durationText(double seconds);

/// A file name consists of bytes, not always UTF-8. Invalid bytes become lone surrogates U+DC80 to
/// U+DCFF, as in Python, so that a QString preserves the name. QFile and QFileInfo do not support
/// such names.
QString textOfBytes(QByteArrayView bytes);

/// Converts back to bytes; UTF-8 for a text without lone surrogates.
std::string bytesOf(const QString& text);

/// For sentences: a given text, shortened; a path may be longer.
std::string shownText(const QString& text);
std::string shownPath(const QString& path);

/// A sentence about a file with the name of the file alone.
QString withoutFolder(QString sentence, const QString& path);

}  // namespace vqscope
