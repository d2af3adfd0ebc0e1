// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/view_list.h"

#include "widgets/panel/view_list_delegate.h"

#include <QApplication>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

/// How many of a view's values the page has; -1: another method, or another value.
int likeness(const ListedView& view, const Method* method, const ParameterValues& values) {
  if (view.method != method) return -1;
  int same = 0;
  for (const auto& [name, value] : view.values.map()) {
    const auto* now = values.find(name);
    if (!now || *now != value) return -1;
    ++same;
  }
  return same;
}

}  // namespace

ViewList::ViewList(const QString& filterHint, QWidget* parent)
    : QWidget(parent), m_filter(new QLineEdit(this)), m_list(new QListWidget(this)) {
  m_filter->setPlaceholderText(filterHint);
  m_filter->setAccessibleName(filterHint);
  m_filter->setClearButtonEnabled(true);
  m_list->setAccessibleName(filterHint);
  m_list->setItemDelegate(new ViewListDelegate(m_list));
  m_list->setFrameShape(QFrame::NoFrame);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_list->setMouseTracking(true);
  m_list->setUniformItemSizes(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* above = new QHBoxLayout;
  above->setContentsMargins(12, 8, 12, 6);
  above->addWidget(m_filter);
  column->addLayout(above);
  column->addWidget(m_list, 1);
  connect(m_filter, &QLineEdit::textChanged, this, &ViewList::filter);
  connect(m_filter, &QLineEdit::returnPressed, this, [this] {
    for (int row = 0; row < m_list->count(); ++row)
      if (!m_list->item(row)->isHidden() && (m_list->item(row)->flags() & Qt::ItemIsSelectable))
        return choose(m_list->item(row));
  });
  connect(m_list, &QListWidget::itemClicked, this, &ViewList::choose);
  connect(m_list, &QListWidget::itemActivated, this, &ViewList::choose);
  // The arrow keys show what they come to; a press of the mouse is followed by its click.
  connect(m_list, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
    const bool byKey = m_list->hasFocus() && QApplication::mouseButtons() == Qt::NoButton;
    const ListedSubject* now = shown();
    if (item && byKey && (!now || item->data(ViewListDelegate::idRole).toString() != now->id)) choose(item);
  });
}

void ViewList::setSubjects(std::vector<ListedSubject> subjects) {
  mark(std::nullopt);
  m_likeness.clear();
  m_subjects = std::move(subjects);
  fill();
}

void ViewList::fill() {
  m_list->clear();
  QString group;
  for (const auto& subject : m_subjects) {
    if (subject.group != group) {
      auto* heading = new QListWidgetItem(subject.group, m_list);
      heading->setFlags(Qt::NoItemFlags);
      group = subject.group;
    }
    auto* item = new QListWidgetItem(subject.title, m_list);
    item->setData(ViewListDelegate::idRole, subject.id);
    item->setData(ViewListDelegate::detailRole, subject.detail);
    item->setToolTip(subject.tip);
  }
}

int ViewList::rowOf(const QString& id) const {
  for (int row = 0; row < m_list->count(); ++row)
    if (m_list->item(row)->data(ViewListDelegate::idRole).toString() == id) return row;
  return -1;
}

void ViewList::setPicture(const QString& id, const QPixmap& picture) {
  if (const int row = rowOf(id); row >= 0) m_list->item(row)->setData(Qt::DecorationRole, picture);
}

const ListedSubject* ViewList::shown() const { return m_shown ? &m_subjects[m_shown->subject] : nullptr; }

int ViewList::wholeHeight() const {
  int lines = 0;
  for (int row = 0; row < m_list->count(); ++row)
    if (!m_list->item(row)->isHidden()) lines += m_list->sizeHintForRow(row);
  constexpr int around = 14;  // of the filter
  return lines + m_filter->sizeHint().height() + around;
}

void ViewList::mark(const std::optional<Place>& place) {
  if (place == m_shown) return;
  m_shown = place;
  emit shownChanged();
}

/// Several lines may have the method, and a line that sets nothing is like every page. So the
/// requested line stays until another value of the page changes what the lines have in common with
/// it.
void ViewList::setShown(const Method* method, const ParameterValues& values) {
  std::vector<std::vector<int>> now;
  std::optional<Place> best;
  int most = -1;
  for (const auto& subject : m_subjects) {
    auto& row = now.emplace_back();
    for (const auto& view : subject.views) {
      const Place place{now.size() - 1, row.size()};
      row.push_back(likeness(view, method, values));
      const int like = 2 * row.back() + (m_shown && m_shown->subject == place.subject ? 1 : 0);
      if (row.back() < 0 || like <= most) continue;
      most = like;
      best = place;
    }
  }
  const bool fits = m_shown && now[m_shown->subject][m_shown->view] >= 0;
  const bool stays = fits && (m_requested || now == m_likeness);
  m_requested = false;
  m_likeness = std::move(now);
  if (!stays) mark(best);
  const int row = m_shown ? rowOf(shown()->id) : -1;
  if (m_list->currentRow() == row) return;
  m_list->setCurrentRow(row);
  if (row >= 0) m_list->scrollToItem(m_list->item(row));
}

void ViewList::filter(const QString& typed) {
  for (int row = 0; row < m_list->count(); ++row) {
    QListWidgetItem* item = m_list->item(row);
    const bool heading = !(item->flags() & Qt::ItemIsSelectable);
    const auto subject =
        std::ranges::find(m_subjects, item->data(ViewListDelegate::idRole).toString(), &ListedSubject::id);
    const bool fits =
        subject != m_subjects.end() &&
        (subject->title + subject->detail + subject->id + subject->group).contains(typed, Qt::CaseInsensitive);
    item->setHidden(heading ? !typed.isEmpty() : !fits);
  }
  emit filtered();
}

bool ViewList::isFiltered() const { return !m_filter->text().isEmpty(); }

/// The view of the kind on screen, so that one compares encodings by walking through the list.
void ViewList::choose(QListWidgetItem* item) {
  const auto chosen =
      std::ranges::find(m_subjects, item->data(ViewListDelegate::idRole).toString(), &ListedSubject::id);
  if (chosen == m_subjects.end()) return;
  const QString kind = m_shown ? shown()->views[m_shown->view].title : QString();
  const auto same = std::ranges::find(chosen->views, kind, &ListedView::title);
  request({static_cast<std::size_t>(chosen - m_subjects.begin()),
           same == chosen->views.end() ? 0 : static_cast<std::size_t>(same - chosen->views.begin())});
}

void ViewList::requestView(int number) {
  if (m_shown && number >= 0 && number < static_cast<int>(shown()->views.size()) && number != shownView())
    request({m_shown->subject, static_cast<std::size_t>(number)});
}

/// Shown at once, because the page may have the view already.
void ViewList::request(const Place& place) {
  m_requested = true;
  mark(place);
  emit viewRequested(ListedView(m_subjects[place.subject].views[place.view]));
}

}  // namespace vqscope
