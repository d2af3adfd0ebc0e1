// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/figure/panel_list.h"

#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace vqscope {
namespace {

constexpr int leastRow = 22;  // pixels, for its box
constexpr int fewestRows = 2;
constexpr int mostRows = 6;  // without scrolling

QToolButton* arrowButton(Qt::ArrowType arrow, const QString& name, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setArrowType(arrow);
  button->setAccessibleName(name);
  button->setToolTip(name);
  return button;
}

}  // namespace

PanelList::PanelList(QWidget* parent)
    : QWidget(parent),
      m_list(new QListWidget(this)),
      m_offers(new QMenu(this)),
      m_add(new QPushButton(tr("Add panel"), this)),
      m_up(arrowButton(Qt::UpArrow, tr("Move up"), this)),
      m_down(arrowButton(Qt::DownArrow, tr("Move down"), this)),
      m_remove(new QPushButton(tr("Remove"), this)),
      m_hint(paragraph(this)) {
  m_hint->setText(tr("In the window, Ctrl+Shift+E pins the view on screen as a panel."));
  m_list->setAccessibleName(tr("Panels"));
  m_list->setDragDropMode(QAbstractItemView::InternalMove);
  m_list->setDefaultDropAction(Qt::MoveAction);
  m_list->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  m_list->setSpacing(2);
  m_list->setTextElideMode(Qt::ElideMiddle);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->installEventFilter(this);
  setFocusProxy(m_list);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_list);
  column->addLayout(makeButtons());
  column->addWidget(m_hint);
  connect(m_list, &QListWidget::itemChanged, this, &PanelList::take);
  connect(m_list, &QListWidget::currentItemChanged, this, [this] {
    showButtons();
    emit selectionChanged();
  });
  const auto moved = [this] {
    showButtons();
    emit changed();
  };
  connect(m_list->model(), &QAbstractItemModel::rowsMoved, this, moved, Qt::QueuedConnection);
}

QLayout* PanelList::makeButtons() {
  m_offers->setToolTipsVisible(true);
  m_add->setMenu(m_offers);
  m_add->setProperty("class", "menu");
  m_add->setToolTip(tr("Adds a view of an open page, and pins it as it is now"));
  m_remove->setToolTip(tr("Takes the selected view off the list; a pinned view is unpinned"));
  connect(m_up, &QToolButton::clicked, this, [this] { move(-1); });
  connect(m_down, &QToolButton::clicked, this, [this] { move(1); });
  connect(m_remove, &QPushButton::clicked, this, &PanelList::remove);
  auto* row = new QHBoxLayout;
  for (auto* button : {m_add, m_remove}) button->setAutoDefault(false);
  row->addWidget(m_add);
  row->addStretch(1);
  row->addWidget(m_up);
  row->addWidget(m_down);
  row->addWidget(m_remove);
  return row;
}

void PanelList::setViews(std::vector<FigureView> views) {
  m_views = std::move(views);
  for (std::size_t i = 0; i < m_views.size(); ++i) addItem(i);
  const auto first = std::ranges::find_if(m_views, &FigureView::isChosen);
  m_list->setCurrentRow(first == m_views.end() ? 0 : static_cast<int>(first - m_views.begin()));
  showButtons();
  fitHeight();
}

/// Those of the page in front at once, others in a menu of their page.
void PanelList::setOffers(const std::vector<FigureOffer>& offers) {
  std::map<QString, QMenu*> pages;
  for (const FigureOffer& offer : offers) {
    QMenu* menu = m_offers;
    if (!offer.page.isEmpty()) {
      auto& ofPage = pages[offer.page];
      if (!ofPage) ofPage = m_offers->addMenu(offer.page);
      menu = ofPage;
    }
    QAction* action = menu->addAction(offer.view.name, this, [this, view = offer.view] { add(view); });
    action->setToolTip(ownTitleOf(offer.view));
  }
  m_add->setEnabled(!offers.empty());
}

std::size_t PanelList::numberOf(const QListWidgetItem& item) const {
  return static_cast<std::size_t>(item.data(Qt::UserRole).toInt());
}

void PanelList::addItem(std::size_t number) {
  const QSignalBlocker quiet(m_list);
  auto* item = new QListWidgetItem(m_list);
  item->setData(Qt::UserRole, static_cast<int>(number));
  item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled |
                 Qt::ItemIsEditable);
  item->setCheckState(m_views[number].isChosen ? Qt::Checked : Qt::Unchecked);
  item->setSizeHint({0, std::max(leastRow, fontMetrics().height() + 4)});
  showName(*item);
}

void PanelList::showName(QListWidgetItem& item) {
  const FigureView& view = m_views[numberOf(item)];
  const QSignalBlocker quiet(m_list);
  item.setText(view.panel.labels.title.empty() ? view.name : text(view.panel.labels.title));
  item.setToolTip(tr("%1\nA tick makes it a panel of the figure; double-click to type another title").arg(view.name));
}

void PanelList::add(FigureView view) {
  view.isPinned = view.isChosen = true;
  m_views.push_back(std::move(view));
  addItem(m_views.size() - 1);
  m_list->setCurrentRow(m_list->count() - 1);
  showButtons();
  fitHeight();
  emit changed();
}

void PanelList::remove() {
  delete m_list->currentItem();
  showButtons();
  fitHeight();
  emit changed();
}

void PanelList::move(int step) {
  const int row = m_list->currentRow();
  if (row < 0 || row + step < 0 || row + step >= m_list->count()) return;
  {
    const QSignalBlocker quiet(m_list);
    auto* item = m_list->takeItem(row);
    m_list->insertItem(row + step, item);
    m_list->setCurrentItem(item);
  }
  showButtons();
  emit changed();
}

/// A tick, or a title that was typed.
void PanelList::take(QListWidgetItem* item) {
  FigureView& view = m_views[numberOf(*item)];
  const QString shown = view.panel.labels.title.empty() ? view.name : text(view.panel.labels.title);
  const QString typed = item->text().trimmed().left(longestLabel);
  if (typed != shown) {
    view.panel.labels.title = typed == view.name ? std::string() : typed.toStdString();
    showName(*item);
    emit renamed();
  }
  if (const bool isChosen = item->checkState() == Qt::Checked; isChosen != view.isChosen) {
    view.isChosen = isChosen;
    emit changed();
  }
}

void PanelList::showButtons() {
  const int row = m_list->currentRow();
  m_up->setEnabled(row > 0);
  m_down->setEnabled(row >= 0 && row + 1 < m_list->count());
  m_remove->setEnabled(row >= 0);
  m_hint->setVisible(std::ranges::none_of(m_views, &FigureView::isPinned));
}

void PanelList::fitHeight() {
  const int rows = std::clamp(m_list->count(), fewestRows, mostRows);
  const int row = std::max(m_list->sizeHintForRow(0), std::max(leastRow, fontMetrics().height() + 4));
  m_list->setFixedHeight(rows * (row + 2 * m_list->spacing()) + 2 * m_list->frameWidth());
}

std::vector<std::size_t> PanelList::chosen() const {
  std::vector<std::size_t> all;
  for (int row = 0; row < m_list->count(); ++row)
    if (const auto* item = m_list->item(row); item->checkState() == Qt::Checked) all.push_back(numberOf(*item));
  return all;
}

std::optional<std::size_t> PanelList::selected() const {
  const auto* item = m_list->currentItem();
  return item ? std::optional(numberOf(*item)) : std::nullopt;
}

void PanelList::setView(std::size_t number, FigureView view) {
  m_views[number] = std::move(view);
  for (int row = 0; row < m_list->count(); ++row)
    if (numberOf(*m_list->item(row)) == number) showName(*m_list->item(row));
}

std::vector<PinnedView> PanelList::pins() const {
  std::vector<PinnedView> pins;
  for (int row = 0; row < m_list->count(); ++row)
    if (const FigureView& view = m_views[numberOf(*m_list->item(row))]; view.isPinned) pins.push_back(pinOf(view));
  return pins;
}

bool PanelList::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && m_list->currentItem()) {
    const auto& key = static_cast<const QKeyEvent&>(*event);
    if (key.key() == Qt::Key_Delete) {
      remove();
      return true;
    }
    if (key.modifiers() == Qt::AltModifier && (key.key() == Qt::Key_Up || key.key() == Qt::Key_Down)) {
      move(key.key() == Qt::Key_Up ? -1 : 1);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace vqscope
