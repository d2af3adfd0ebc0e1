// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include <optional>

class QApplication;

namespace vqscope {

enum class Theme { light, dark };

/// Every colour of the workbench that is not data, for Qt, ImGui and the plots.
struct Palette {
  QColor window;      ///< behind everything
  QColor panel;       ///< the surface of panels
  QColor raised;      ///< inputs, buttons
  QColor line;        ///< borders, grid lines, slider tracks
  QColor text;        ///< at least 4.5 : 1 on window, panel and raised, like the five below on panel
  QColor secondary;   ///< names, units, headings
  QColor accent;      ///< the one colour that is not data
  QColor accentText;  ///< text on accent
  QColor warning;
  QColor error;
  QColor good;
  QColor violet;  ///< with teal, for curves after the fourth
  QColor teal;
  bool dark = false;
};

const Palette& palette(Theme theme);

/// The current palette. Widgets that paint themselves read it while painting: a change of theme
/// repaints them. Widgets that store values derived from it must update them on
/// QEvent::PaletteChange, which every widget receives after the change (at its first show if it was
/// never shown).
const Palette& currentPalette();
Theme currentTheme();

/// The theme that the desktop prefers; without a preference, the one that matches its colours before
/// the first applyTheme().
Theme systemTheme();
void preferTheme(std::optional<Theme> theme);

/// Applies the style Fusion with our palette and one style sheet. GUI thread only.
void applyTheme(QApplication& app, Theme theme);

/// `fraction` of `b` in `a`, 0 to 1, in sRGB.
QColor mixed(const QColor& a, const QColor& b, double fraction);

}  // namespace vqscope
