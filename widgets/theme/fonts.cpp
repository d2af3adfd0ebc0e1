// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/fonts.h"

#include <QFontDatabase>
#include <QFontInfo>
#include <QStringList>

namespace vqscope {

QFont uiFont() { return QFontDatabase::systemFont(QFontDatabase::GeneralFont); }

QFont monospaceFont() {
  const QFont ui = uiFont();
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  QStringList families = font.families();
  // Some desktops name a font that is not installed, with a proportional substitute.
  if (!QFontInfo(font).fixedPitch()) families.clear();
  families << "DejaVu Sans Mono"
           << "Liberation Mono"
           << "monospace";
  font.setFamilies(families);
  font.setStyleHint(QFont::Monospace, QFont::StyleStrategy(QFont::PreferDefault | QFont::PreferNoShaping));
  font.setFixedPitch(true);
  font.setPointSizeF(QFontInfo(ui).pointSizeF());
  return font;
}

QFont scaledFont(QFont font, double factor) {
  const double points = font.pointSizeF();
  if (points > 0)
    font.setPointSizeF(points * factor);
  else
    font.setPixelSize(qRound(font.pixelSize() * factor));
  return font;
}

}  // namespace vqscope
