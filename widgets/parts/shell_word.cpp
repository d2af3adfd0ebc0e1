// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/shell_word.h"

#include <QRegularExpression>

namespace vqscope {

QString shellWord(const QString& text) {
  static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_.,:/@%+=-]*$"));
  if (plain.match(text).hasMatch()) return text;
  return QLatin1Char('\'') + QString(text).replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

}  // namespace vqscope
