// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/restyle.h"

#include <QApplication>
#include <QEvent>
#include <QStyle>
#include <QWidget>

namespace vqscope {
namespace {

/// Styles widgets that were hidden when the style sheet changed. Qt marks styled widgets with an attribute, sets it
/// before the first show, and skips widgets without it when the style changes.
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

}  // namespace

void restyle(QApplication& app, const QPalette& colours, const QString& sheet) {
  if (app.styleSheet().isEmpty()) {  // the first time
    QApplication::setStyle("Fusion");
    app.installEventFilter(new StyleWhenShown(&app));
  }
  // If a sheet replaces another, Qt styles a widget once for each ancestor; without a previous sheet, only once.
  app.setStyleSheet({});
  QApplication::setPalette(colours);
  for (QWidget* widget : QApplication::allWidgets())
    if (!widget->isVisible()) widget->setAttribute(Qt::WA_WState_Polished, false);
  app.setStyleSheet(sheet);
}

}  // namespace vqscope
