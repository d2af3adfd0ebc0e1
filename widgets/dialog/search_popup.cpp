// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/search_popup.h"

#include "widgets/parts/parts.h"

#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>

namespace vqscope {
namespace {

constexpr int widest = 640;
constexpr int narrowest = 560;
constexpr int mostRows = 14;
constexpr int padding = 6;  ///< above and below the remark
constexpr int inset = 10;   ///< left and right of it
constexpr int border = 6;   ///< between frame and list

}  // namespace

SearchPopup::SearchPopup(QLineEdit& field)
    : QFrame(field.window()), m_field(field), m_list(new QListWidget(this)), m_remark(paragraph(this)) {
  setProperty("class", "popup");
  setFocusPolicy(Qt::NoFocus);
  m_list->setItemDelegate(new SearchRowDelegate(m_list));
  m_list->setUniformItemSizes(true);
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setAccessibleName(tr("Found"));
  m_list->setMouseTracking(true);
  m_remark->setTextInteractionFlags(Qt::NoTextInteraction);
  m_remark->setContentsMargins(inset, padding, inset, padding);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(border, border, border, border);
  column->setSpacing(0);
  column->addWidget(m_list);
  column->addWidget(m_remark);
  connect(m_list, &QListWidget::itemClicked, this, [this] { emit chosen(m_list->currentRow()); });
  connect(m_list, &QListWidget::itemEntered, m_list, [this](QListWidgetItem* item) { m_list->setCurrentItem(item); });
  field.window()->installEventFilter(this);
  hide();
}

void SearchPopup::show(const std::vector<SearchRow>& rows, const QString& remark) {
  m_list->clear();
  for (const SearchRow& row : rows) addSearchRow(row, m_list);
  m_list->setCurrentRow(-1);
  m_list->scrollToTop();
  move(1);
  m_list->setVisible(!rows.empty());
  m_remark->setText(remark);
  m_remark->setVisible(!remark.isEmpty());
  place();
  show();
  raise();
}

void SearchPopup::place() {
  QWidget& window = *parentWidget();
  const QPoint corner = m_field.mapTo(&window, QPoint(m_field.width(), m_field.height() + 4));
  const int width = std::min(std::clamp(m_field.width(), narrowest, widest), window.width() - 2 * border);
  const int row = m_list->sizeHintForRow(0);
  const int remark = m_remark->isVisibleTo(this) ? m_remark->heightForWidth(width - 2 * border - 2) : 0;
  const int around = remark + 2 * border + 2;
  const int most = window.height() - corner.y() - border;
  // Whole rows, as many as there is space for beside the remark.
  const int rows = row > 0 ? std::clamp((most - around - 2) / row, 1, mostRows) : 0;
  const int listed = m_list->isVisibleTo(this) ? std::min(m_list->count(), rows) * row + 2 : 0;
  m_list->setFixedHeight(listed);
  const int height = std::min(listed + around, most);
  setGeometry(std::max(border, corner.x() - width), corner.y(), width, height);
}

int SearchPopup::current() const { return m_list->currentRow(); }
int SearchPopup::count() const { return m_list->count(); }
QString SearchPopup::remark() const { return m_remark->isVisibleTo(this) ? m_remark->text() : QString(); }

void SearchPopup::move(int by) {
  const auto isChoice = [this](int row) {
    return row >= 0 && row < m_list->count() && m_list->item(row)->flags().testFlag(Qt::ItemIsEnabled);
  };
  const int step = by < 0 ? -1 : 1;
  int row = m_list->currentRow();
  for (int left = std::abs(by); left > 0; --left) {
    int next = row + step;
    while (next >= 0 && next < m_list->count() && !isChoice(next)) next += step;
    if (!isChoice(next)) break;
    row = next;
  }
  if (row == m_list->currentRow()) return;
  m_list->setCurrentRow(row);
  if (row <= 1) m_list->scrollToTop();  // with the heading above the first
}

bool SearchPopup::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && isVisible()) place();
  return QFrame::eventFilter(watched, event);
}

}  // namespace vqscope
