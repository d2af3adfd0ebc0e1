// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/act/hands.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QSet>

namespace vqscope::monkey {
namespace {

bool isShown(const QWidget* widget) { return widget->isVisible() && !widget->visibleRegion().isEmpty(); }

}  // namespace

QString shown(const QString& text) {
  QString line = text.left(60);
  line.replace('\n', QStringLiteral("\\n"));
  return QLatin1Char('"') + line +
         (text.size() > 60 ? QStringLiteral("…\" (%1)").arg(text.size()) : QStringLiteral("\""));
}

QString describe(const QWidget* widget) {
  if (!widget) return QStringLiteral("nothing");
  QString what = QString::fromLatin1(widget->metaObject()->className()).remove(QStringLiteral("vqscope::"));
  if (!widget->objectName().isEmpty()) what += QLatin1Char('#') + widget->objectName();
  if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
    what += QLatin1Char(' ') + shown(button->text().isEmpty() ? button->accessibleName() : button->text());
  else if (const auto* label = qobject_cast<const QLabel*>(widget))
    what += QLatin1Char(' ') + shown(label->text()).left(30);
  else if (const auto* box = qobject_cast<const QComboBox*>(widget))
    what += QLatin1Char(' ') + shown(box->currentText());
  else if (!widget->accessibleName().isEmpty())
    what += QLatin1Char(' ') + shown(widget->accessibleName());
  return what;
}

QWidget* frontWidget(Chance& chance) {
  if (QWidget* popup = QApplication::activePopupWidget(); popup && chance.in(95)) return popup;
  if (QWidget* modal = QApplication::activeModalWidget(); modal && chance.in(95)) return modal;
  QWidgetList windows;
  for (QWidget* each : QApplication::topLevelWidgets())
    if (each->isVisible() && each->windowHandle()) windows << each;
  if (windows.isEmpty()) return nullptr;
  // The order of topLevelWidgets() is that of a hash.
  std::ranges::sort(windows, {}, [](const QWidget* each) {
    return std::make_tuple(QString::fromLatin1(each->metaObject()->className()), each->width(), each->height());
  });
  return chance.of(windows);
}

QWidget* someWidget(QWidget* top, Chance& chance, const std::function<bool(QWidget*)>& wanted) {
  QWidgetList found;
  for (auto* each : top->findChildren<QWidget*>())
    if (each->window() == top && each->isVisible() && wanted(each)) found << each;
  for (int i = 0; i < 10 && !found.isEmpty(); ++i)
    if (QWidget* each = chance.of(found); isShown(each)) return each;
  return nullptr;
}

Spot centreOf(QWidget* widget) {
  QWidget* top = widget->window();
  const QPoint centre = widget->visibleRegion().boundingRect().center();
  return {top->windowHandle(), widget->mapTo(top, centre), describe(widget)};
}

Spot somewhere(QWidget* top, Chance& chance) {
  if (!top || !top->windowHandle()) return {};
  if (chance.in(35)) {
    const QPoint at(chance.below(std::max(1, top->width())), chance.below(std::max(1, top->height())));
    return {top->windowHandle(), at, describe(top->childAt(at))};
  }
  // Each class with the same probability, so that one slider is found among a hundred labels.
  QStringList classes;
  if (chance.in(60)) {
    QSet<QString> seen;
    for (auto* each : top->findChildren<QWidget*>())
      if (each->window() == top && isShown(each)) seen.insert(QString::fromLatin1(each->metaObject()->className()));
    classes = QStringList(seen.begin(), seen.end());
    classes.sort();
  }
  const QString wanted = classes.isEmpty() ? QString() : chance.of(classes);
  QWidget* widget = someWidget(top, chance, [&](const QWidget* each) {
    return wanted.isEmpty() || QString::fromLatin1(each->metaObject()->className()) == wanted;
  });
  if (widget) return centreOf(widget);
  return {top->windowHandle(), {top->width() / 2, top->height() / 2}, describe(top)};
}

void clickOn(Hands& hands, const Spot& spot, Qt::MouseButton button) {
  if (!spot.window) return;
  const auto side = button == Qt::LeftButton ? "click" : button == Qt::RightButton ? "right click" : "middle click";
  hands.log(QStringLiteral("%1 %2,%3 %4").arg(QLatin1String(side)).arg(spot.at.x()).arg(spot.at.y()).arg(spot.what));
  hands.input.rest();
  hands.input.moveTo(spot.window, spot.at);
  hands.input.click(button);
}

void keepActive(QWidget& window) {
  if (QApplication::activePopupWidget()) return;
  const QWidget* active = QApplication::activeWindow();
  if (active && active->isVisible() && active->windowType() != Qt::Popup && QGuiApplication::focusWindow()) return;
  QWidget* front = QApplication::activeModalWidget();
  (front ? front : &window)->activateWindow();
}

}  // namespace vqscope::monkey
