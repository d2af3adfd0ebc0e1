// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/act/room_actions.h"

#include "tests/monkey/act/document_actions.h"
#include "widgets/panel/view_list.h"
#include "widgets/parts/text.h"

#include <QAbstractButton>
#include <QListWidget>
#include <QTabBar>

#include <array>

namespace vqscope::monkey {
namespace {

Spot spotIn(const QWidget* widget, const QRect& place) {
  return {widget->window()->windowHandle(), widget->mapTo(widget->window(), place.center()), describe(widget)};
}

/// The tabs of the chosen line, above the page.
const QTabBar* viewTabs(const MainWindow& window) {
  for (const auto* tabs : window.findChildren<QTabBar*>())
    if (tabs->isVisible() && tabs->count() > 1 && tabs->property("class").toString() == QLatin1String("views"))
      return tabs;
  return nullptr;
}

const QListWidget* viewLines(const MainWindow& window) {
  for (const auto* list : window.findChildren<ViewList*>())
    if (list->isVisible()) return list->findChild<QListWidget*>();
  return nullptr;
}

void clickTab(Hands& hands) {
  const QTabBar* tabs = viewTabs(hands.window);
  if (tabs) clickOn(hands, spotIn(tabs, tabs->tabRect(hands.chance.below(tabs->count()))));
}

void clickLine(Hands& hands) {
  const QListWidget* list = viewLines(hands.window);
  if (!list || list->count() == 0) return;
  const QRect place = list->visualItemRect(list->item(hands.chance.below(list->count())));
  if (list->viewport()->rect().contains(place.center())) clickOn(hands, spotIn(list->viewport(), place));
}

void walkLines(Hands& hands) {
  static constexpr std::array keys{Qt::Key_Down, Qt::Key_Down, Qt::Key_Up, Qt::Key_PageDown, Qt::Key_Home, Qt::Key_End};
  if (!viewLines(hands.window)) return;
  const auto key = hands.chance.of(keys);
  hands.log(QStringLiteral("%1 in the list").arg(QKeySequence(key).toString()));
  hands.input.key(key);
}

void newSession(Hands& hands) {
  hands.log(QStringLiteral("new session"));
  hands.input.keys(QKeySequence(QKeySequence::New));
}

}  // namespace

void turnViews(Hands& hands) {
  static constexpr std::array pages{"rotary", "biases", "scores", "vq", "memory", "curves", "tables", "buckets"};
  if (hands.chance.in(70) && find_page_info(hands.chance.of(pages))) {
    const std::string page = hands.chance.of(pages);
    hands.log(QStringLiteral("views of page %1").arg(text(page)));
    if (find_page_info(page)) hands.window.workbench().showPage(page);
  }
  for (int i = hands.chance.between(2, 8); i > 0 && hands.window.isVisible(); --i) {
    switch (hands.chance.below(4)) {
      case 0: clickTab(hands); break;
      case 1: clickLine(hands); break;
      case 2: turnPage(hands); break;
      default: walkLines(hands);
    }
  }
}

void turnSessions(Hands& hands) {
  for (int i = hands.chance.between(2, 5); i > 0 && hands.window.isVisible(); --i) {
    switch (hands.chance.below(5)) {
      case 0: newSession(hands); break;
      case 1: openRandomSession(hands); break;
      case 2: undoSome(hands); break;
      case 3: setValue(hands); break;
      default: turnPage(hands);
    }
  }
}

void dropOnWork(Hands& hands) {
  if (find_page_info("experiments")) hands.window.workbench().showPage("experiments");
  QList<QAbstractButton*> buttons;
  for (auto* each : hands.window.currentPage()->findChildren<QAbstractButton*>())
    if (each->isVisible() && each->isEnabled() && each->text().startsWith(QLatin1String("Run"))) buttons << each;
  if (!buttons.isEmpty()) clickOn(hands, centreOf(hands.chance.of(buttons)));
  dropFile(hands);
}

}  // namespace vqscope::monkey
