// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/style_sheet.h"

#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"

#include <QFile>
#include <QFontInfo>

namespace vqscope {

QString styleSheet(const Palette& p) {
  ensureResources();
  QFile file(":/themes/vqscope.qss");
  [[maybe_unused]] const bool opened = file.open(QIODevice::ReadOnly);
  Q_ASSERT(opened);
  QString sheet = QString::fromUtf8(file.readAll());

  const double points = QFontInfo(uiFont()).pointSizeF();
  // Longer names come before their prefixes.
  const std::pair<const char*, QString> tokens[] = {
      {"@window", p.window.name()},
      {"@panel", p.panel.name()},
      {"@raised", p.raised.name()},
      {"@hover", mixed(p.raised, p.text, 0.08).name()},
      {"@line", p.line.name()},
      {"@thumb", mixed(p.line, p.secondary, 0.35).name()},
      {"@text", p.text.name()},
      {"@secondary", p.secondary.name()},
      {"@disabled", mixed(p.secondary, p.panel, 0.45).name()},
      {"@accentText", p.accentText.name()},
      {"@accentHover", mixed(p.accent, p.text, 0.15).name()},
      {"@accentQuiet", mixed(p.raised, p.accent, p.dark ? 0.28 : 0.16).name()},
      {"@accent", p.accent.name()},
      {"@warningQuiet", mixed(p.panel, p.warning, 0.1).name()},
      {"@warning", p.warning.name()},
      {"@error", p.error.name()},
      {"@good", p.good.name()},
      {"@theme", p.dark ? "dark" : "light"},
      {"@smallSize", QString::number(points * 0.87) + "pt"},
  };
  for (const auto& [name, value] : tokens) sheet.replace(QLatin1String(name), value);
  return sheet;
}

}  // namespace vqscope
