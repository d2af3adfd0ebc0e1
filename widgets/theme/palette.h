// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

class QApplication;

namespace vqscope {

enum class Theme { light, dark };

/// Every colour of the workbench that is not data. Qt, ImGui and the plots draw with this one object.
struct Palette {
  QColor window;      ///< behind everything
  QColor panel;       ///< the surface most things stand on
  QColor raised;      ///< inputs, buttons
  QColor line;        ///< borders, grid lines, slider tracks
  QColor text;        ///< at least 4.5 : 1 on window, panel and raised, like the five below on panel
  QColor secondary;   ///< names, units, headings
  QColor accent;      ///< the one colour that is not data
  QColor accentText;  ///< text on accent
  QColor warning;
  QColor error;
  QColor good;
  QColor violet;  ///< with teal, of curves beyond the fourth
  QColor teal;
  bool dark = false;
};

const Palette& palette(Theme theme);

/// What is on screen now. Widgets that paint themselves ask for it while painting and need nothing else: a change of
/// theme repaints them. Those that keep something derived from it refresh that on QEvent::PaletteChange, which every
/// widget receives after the change (one that was never shown receives it with its first show).
const Palette& currentPalette();
Theme currentTheme();

/// The theme that fits the desktop's colours, as they were before the first applyTheme().
Theme systemTheme();

/// Fusion with our palette and one style sheet. GUI thread only.
void applyTheme(QApplication& app, Theme theme);

/// `share` of `b` in `a`, 0 to 1, in sRGB.
QColor mixed(const QColor& a, const QColor& b, double share);

/// WCAG 2 contrast, 1 to 21.
double contrast(const QColor& a, const QColor& b);

}  // namespace vqscope
