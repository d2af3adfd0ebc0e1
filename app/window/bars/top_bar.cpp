// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/bars/top_bar.h"

#include "widgets/dialog/action_search.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"
#include "widgets/theme/icons.h"

#include <QAbstractButton>
#include <QAction>
#include <QButtonGroup>
#include <QLabel>
#include <QLayout>
#include <QTimer>

namespace vqscope {
namespace {

constexpr int widthWithName = 1200;

}  // namespace

TopBar::TopBar(Workbench& workbench, const std::vector<std::pair<QAction*, const char*>>& buttons, QWidget* parent)
    : QToolBar(tr("Top bar"), parent), m_workbench(workbench), m_search(new ActionSearch(this)) {
  setObjectName(QStringLiteral("topBar"));
  setMovable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);
  auto* name = new QLabel(QStringLiteral("VQScope"), this);
  m_name = name;
  name->setProperty("class", "title");
  name->setContentsMargins(8, 0, 12, 0);
  addWidget(name);
  addTabs();
  auto* space = new QWidget(this);
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(space);
  addSearch();
  for (const auto& [action, iconName] : buttons) {
    action->setIcon(icon(iconName));
    addAction(action);
  }
}

void TopBar::addTabs() {
  QStringList titles;
  for (const auto& room : room_infos()) titles << text(room.title);
  const Segments segments = segmented(titles, this);
  m_tabs = segments.group;
  int number = 0;
  for (const auto& room : room_infos()) {
    auto* tab = m_tabs->button(number++);
    tab->setProperty("room", text(room.id));
    tab->setToolTip(text(room.help) + QStringLiteral(" (Ctrl+%1)").arg(number));
    connect(tab, &QAbstractButton::clicked, this, [this, &room] { showRoom(room.id); });
  }
  addWidget(segments.frame);
}

void TopBar::showRoom(const std::string& id) {
  const auto last = m_pages.find(id);
  if (last != m_pages.end()) return m_workbench.showPage(last->second);
  for (const auto& room : room_infos())
    if (room.id == id) m_workbench.showPage(room.pages.front());
}

void TopBar::addSearch() {
  m_search->setMinimumWidth(90);  // the buttons beside it stay visible in a window of 1067 pixels
  m_search->setMaximumWidth(340);
  addWidget(m_search);
  auto* find = new QAction(this);
  find->setShortcuts({QKeySequence(QStringLiteral("Ctrl+Shift+P")), QKeySequence(QStringLiteral("Ctrl+K"))});
  connect(find, &QAction::triggered, this, [this] {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();  // typing replaces the last search
  });
  window()->addAction(find);
}

/// A narrow window gives the room of the program's name to its tabs and buttons. The name stays the
/// bar's first item, whose width is the least that the bar can have.
void TopBar::resizeEvent(QResizeEvent* event) {
  m_name->setMaximumWidth(width() >= widthWithName ? QWIDGETSIZE_MAX : 0);
  QToolBar::resizeEvent(event);
}

void TopBar::setPage(const std::string& id) {
  const RoomInfo& room = room_of(id);
  m_pages[room.id] = id;
  const bool focused = m_tabs->checkedButton() && window()->focusWidget() == m_tabs->checkedButton();
  for (auto* tab : m_tabs->buttons()) tab->setChecked(tab->property("room").toString() == text(room.id));
  // The mark of the focus does not stay on the tab of another room.
  const auto move = [this] {
    if (m_tabs->checkedButton()) m_tabs->checkedButton()->setFocus(Qt::OtherFocusReason);
  };
  if (focused) move();
  // A page that hides with the focus in it gives it to the first tab, whichever room that is.
  QTimer::singleShot(0, this, [this, move] {
    auto* at = qobject_cast<QAbstractButton*>(window()->focusWidget());
    if (at && !at->isChecked() && m_tabs->buttons().contains(at)) move();
  });
}

QToolBar* subjectToolBar(QWidget* subject, QWidget* parent) {
  auto* bar = new QToolBar(TopBar::tr("Subject"), parent);
  bar->setObjectName(QStringLiteral("subjectBar"));
  bar->setMovable(false);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  subject->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  bar->addWidget(subject);
  bar->layout()->setContentsMargins(0, 0, 0, 0);
  return bar;
}

}  // namespace vqscope
