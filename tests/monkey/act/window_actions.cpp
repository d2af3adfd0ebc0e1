// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/act/window_actions.h"

#include "tests/monkey/act/texts.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QHelpEvent>
#include <QInputMethodEvent>
#include <QTabBar>

#include <array>

namespace vqscope::monkey {
namespace {

QSize someSize(Chance& chance) {
  if (chance.in(25)) return {chance.between(1, 150), chance.between(1, 150)};
  if (chance.in(15)) return {chance.between(1, 4000), chance.between(1, 120)};
  return {chance.between(400, 2000), chance.between(300, 1200)};
}

template <class Widget>
Widget* someShown(QWidget& window, Chance& chance) {
  return qobject_cast<Widget*>(
      someWidget(&window, chance, [](const QWidget* each) { return qobject_cast<const Widget*>(each) != nullptr; }));
}

/// From there by a few steps, at some of which the page turns.
void dragBy(Hands& hands, const Spot& from, int reach) {
  hands.input.rest();
  hands.input.moveTo(from.window, from.at);
  hands.input.press(Qt::LeftButton);
  const QPointer<QWindow> stays = from.window;
  QPoint place = from.at;
  for (int i = hands.chance.between(2, 8); i > 0 && stays; --i) {
    const auto pages = page_infos();
    if (hands.chance.in(8)) hands.window.workbench().showPage(hands.chance.of(pages).id);
    place += QPoint(hands.chance.between(-reach, reach), hands.chance.between(-reach, reach));
    hands.input.moveTo(stays, place);
  }
  hands.input.release();
}

}  // namespace

void resizeWindow(Hands& hands) {
  QWidget* front = frontWidget(hands.chance);
  QWidget* resized = front && hands.chance.in(20) && front->windowType() != Qt::Popup ? front : &hands.window;
  if (hands.chance.in(20)) {
    static constexpr std::array states{Qt::WindowMinimized, Qt::WindowMaximized, Qt::WindowFullScreen};
    const auto state = hands.chance.of(states);
    hands.log(QStringLiteral("window state %1").arg(int(state)));
    hands.window.setWindowState(hands.window.windowState() ^ state);
    QCoreApplication::sendPostedEvents();
    if (hands.window.isMinimized()) hands.window.setWindowState(Qt::WindowNoState);
    return;
  }
  const QSize size = someSize(hands.chance);
  hands.log(QStringLiteral("resize %1 to %2 x %3").arg(describe(resized)).arg(size.width()).arg(size.height()));
  resized->resize(size);
}

void switchTheme(Hands& hands) {
  hands.log(QStringLiteral("theme"));
  applyTheme(*static_cast<QApplication*>(QApplication::instance()), hands.chance.in(50) ? Theme::dark : Theme::light);
}

void leaveWindow(Hands& hands) {
  hands.log(QStringLiteral("leave"));
  QApplication::setActiveWindow(nullptr);
}

void interrupt(Hands& hands) {
  hands.log(QStringLiteral("interrupt"));
  QMetaObject::invokeMethod(&hands.window, &QWidget::close, Qt::QueuedConnection);
}

void requestHelp(Hands& hands) {
  const Spot spot = somewhere(frontWidget(hands.chance), hands.chance);
  if (!spot.window) return;
  const QPoint global = spot.window->mapToGlobal(spot.at);
  QWidget* widget = QApplication::widgetAt(global);
  if (!widget) return;
  hands.log(QStringLiteral("help on %1").arg(spot.what));
  static constexpr std::array kinds{QEvent::ToolTip, QEvent::ToolTip, QEvent::WhatsThis, QEvent::QueryWhatsThis};
  QHelpEvent event(hands.chance.of(kinds), widget->mapFromGlobal(global), global);
  QCoreApplication::sendEvent(widget, &event);
}

void composeText(Hands& hands) {
  const QPointer<QWidget> focus = QApplication::focusWidget();
  if (!focus) return;
  hands.log(QStringLiteral("compose at %1").arg(describe(focus)));
  QInputMethodEvent begun(QStringLiteral("にほん"), {{QInputMethodEvent::Cursor, 2, 1, {}}});
  QCoreApplication::sendEvent(focus, &begun);
  QInputMethodQueryEvent query(Qt::ImQueryAll);
  if (focus) QCoreApplication::sendEvent(focus, &query);
  if (!focus || hands.chance.in(30)) return;  // left in the middle
  QInputMethodEvent done;
  done.setCommitString(hands.chance.in(50) ? QStringLiteral("日本") : numberText(hands.chance));
  QCoreApplication::sendEvent(focus, &done);
}

void toggleDock(Hands& hands) {
  const auto docks = hands.window.findChildren<QDockWidget*>();
  QDockWidget* dock = hands.chance.of(docks);
  hands.log(QStringLiteral("dock %1").arg(dock->objectName()));
  if (hands.chance.in(30)) return dock->raise();
  dock->toggleViewAction()->trigger();
}

void dragDock(Hands& hands) {
  Spot from;
  if (hands.chance.in(50)) {
    auto* tabs = someShown<QTabBar>(hands.window, hands.chance);
    if (!tabs || tabs->count() == 0) return;
    const QPoint at = tabs->tabRect(hands.chance.below(tabs->count())).center();
    from = {hands.window.windowHandle(), tabs->mapTo(&hands.window, at), QStringLiteral("a tab")};
  } else {
    auto* dock = someShown<QDockWidget>(hands.window, hands.chance);
    if (!dock) return;
    const QRect around = dock->geometry().adjusted(-3, -3, 2, 2);
    const std::array edges{around.topLeft(), around.bottomRight(), QPoint(around.left(), around.center().y()),
                           QPoint(around.right(), around.center().y()), QPoint(around.center().x(), around.top())};
    from = {hands.window.windowHandle(), hands.chance.of(edges), dock->objectName()};
  }
  hands.log(QStringLiteral("drag %1").arg(from.what));
  dragBy(hands, from, 200);
}

}  // namespace vqscope::monkey
