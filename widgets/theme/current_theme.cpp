// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/restyle.h"
#include "widgets/theme/style_sheet.h"

#include <QApplication>
#include <QPalette>

namespace vqscope {

namespace {

Theme& current() {
  static Theme theme = Theme::light;
  return theme;
}

QPalette widgetPalette(const Palette& p) {
  QPalette q;
  const QColor disabled = mixed(p.secondary, p.panel, 0.45);
  const std::pair<QPalette::ColorRole, QColor> roles[] = {{QPalette::Window, p.panel},
                                                          {QPalette::WindowText, p.text},
                                                          {QPalette::Base, p.raised},
                                                          {QPalette::AlternateBase, mixed(p.panel, p.raised, 0.5)},
                                                          {QPalette::Text, p.text},
                                                          {QPalette::PlaceholderText, p.secondary},
                                                          {QPalette::Button, p.raised},
                                                          {QPalette::ButtonText, p.text},
                                                          {QPalette::BrightText, p.error},
                                                          {QPalette::Highlight, p.accent},
                                                          {QPalette::ToolTipBase, p.raised},
                                                          {QPalette::ToolTipText, p.text},
                                                          {QPalette::Link, p.accent},
                                                          {QPalette::LinkVisited, mixed(p.accent, p.secondary, 0.5)},
                                                          {QPalette::Light, p.raised},
                                                          {QPalette::Midlight, p.line},
                                                          {QPalette::Mid, p.line},
                                                          {QPalette::Dark, p.line},
                                                          {QPalette::Shadow, p.window.darker()},
                                                          {QPalette::HighlightedText, p.accentText}};
  for (const auto& [role, colour] : roles) q.setColor(role, colour);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
    q.setColor(QPalette::Disabled, role, disabled);
  q.setColor(QPalette::Disabled, QPalette::Highlight, p.line);
  return q;
}

}  // namespace

const Palette& currentPalette() { return palette(current()); }
Theme currentTheme() { return current(); }

Theme systemTheme() {
  // Read once, before our own palette replaces that of the desktop.
  static const Theme theme = [] {
    const QPalette desktop = QGuiApplication::palette();
    return desktop.color(QPalette::Window).lightness() < desktop.color(QPalette::WindowText).lightness() ? Theme::dark
                                                                                                         : Theme::light;
  }();
  return theme;
}

void applyTheme(QApplication& app, Theme theme) {
  systemTheme();
  current() = theme;  // first, because receivers of the new palette read it
  restyle(app, widgetPalette(palette(theme)), styleSheet(palette(theme)));
}

}  // namespace vqscope
