// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/after_theme.h"
#include "widgets/theme/style_sheet.h"

#include <QApplication>
#include <QEvent>
#include <QPalette>
#include <QScopedValueRollback>
#include <QStyle>
#include <QWidget>

#include <utility>

namespace vqscope {
namespace {

Theme& current() {
  static Theme theme = Theme::light;
  return theme;
}

bool isApplying = false;

std::optional<Theme>& preferred() {
  static std::optional<Theme> theme;
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

/// Styles widgets that were hidden when the style sheet changed. Qt marks styled widgets with an
/// attribute, sets it before the first show, and skips widgets without it when the style changes.
class StyleWhenShown : public QObject {
 public:
  using QObject::QObject;

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::Show || !watched->isWidgetType()) return false;
    auto* widget = static_cast<QWidget*>(watched);
    if (widget->testAttribute(Qt::WA_WState_Polished)) return false;
    widget->setAttribute(Qt::WA_WState_Polished);
    widget->style()->polish(widget);
    QEvent changed(QEvent::StyleChange);
    QCoreApplication::sendEvent(widget, &changed);
    return false;
  }
};

/// Sets colours and style sheet of the application. Visible widgets take them at once, hidden ones
/// when they are shown, so that hidden pages do not slow down the change.
void restyle(QApplication& app, const QPalette& colours, const QString& sheet) {
  if (app.styleSheet().isEmpty()) {  // the first time
    QApplication::setStyle("Fusion");
    app.installEventFilter(new StyleWhenShown(&app));
  }
  // If a sheet replaces another, Qt styles a widget once for each ancestor; without a previous
  // sheet, only once.
  app.setStyleSheet({});
  QApplication::setPalette(colours);
  for (QWidget* widget : QApplication::allWidgets())
    if (!widget->isVisible()) widget->setAttribute(Qt::WA_WState_Polished, false);
  app.setStyleSheet(sheet);
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
  return preferred().value_or(theme);
}

void preferTheme(std::optional<Theme> theme) {
  systemTheme();
  preferred() = theme;
}

void afterTheme(QObject* receiver, std::function<void()> work) {
  if (!isApplying) return work();
  QMetaObject::invokeMethod(receiver, std::move(work), Qt::QueuedConnection);
}

void applyTheme(QApplication& app, Theme theme) {
  const QScopedValueRollback applying(isApplying, true);
  systemTheme();
  current() = theme;  // first, because receivers of the new palette read it
  restyle(app, widgetPalette(palette(theme)), styleSheet(palette(theme)));
}

}  // namespace vqscope
