// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/search_popup.h"

#include "widgets/parts/parts.h"
#include "widgets/theme/palette.h"

#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int widest = 620;
constexpr int narrowest = 420;
constexpr int mostRows = 12;
constexpr int padding = 6;  ///< above and below the text of a row
constexpr int inset = 10;   ///< left and right of it
constexpr int border = 6;   ///< between frame and list
constexpr int detailRole = Qt::UserRole;

/// Title at the left, detail in grey at the right; a narrow row cuts the title.
class RowDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {100, option.fontMetrics.height() + 2 * padding};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Palette& colours = currentPalette();
    if (option.state & QStyle::State_Selected) {
      painter->setRenderHint(QPainter::Antialiasing);
      painter->setPen(Qt::NoPen);
      painter->setBrush(mixed(colours.raised, colours.accent, colours.dark ? 0.28 : 0.16));
      painter->drawRoundedRect(option.rect, 4, 4);
    }
    const QRect inner = option.rect.adjusted(inset, 0, -inset, 0);
    const QString detail =
        option.fontMetrics.elidedText(index.data(detailRole).toString(), Qt::ElideRight, inner.width() / 2);
    const int used = detail.isEmpty() ? 0 : option.fontMetrics.horizontalAdvance(detail) + 2 * inset;
    painter->setFont(option.font);
    painter->setPen(colours.secondary);
    painter->drawText(inner, Qt::AlignRight | Qt::AlignVCenter, detail);
    painter->setPen(colours.text);
    painter->drawText(inner.adjusted(0, 0, -used, 0), Qt::AlignLeft | Qt::AlignVCenter,
                      option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, inner.width() - used));
  }
};

}  // namespace

SearchPopup::SearchPopup(QLineEdit& field)
    : QFrame(field.window()), m_field(field), m_list(new QListWidget(this)), m_remark(paragraph(this)) {
  setProperty("class", "popup");
  setFocusPolicy(Qt::NoFocus);
  m_list->setItemDelegate(new RowDelegate(m_list));
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

void SearchPopup::show(const std::vector<Row>& rows, const QString& remark) {
  m_list->clear();
  for (const Row& row : rows) {
    auto* item = new QListWidgetItem(row.title, m_list);
    item->setData(detailRole, row.detail);
    item->setData(Qt::AccessibleTextRole, row.title + QStringLiteral(", ") + row.detail);
    item->setToolTip(row.title);
  }
  m_list->setCurrentRow(rows.empty() ? -1 : 0);
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
  const int listed = m_list->isVisibleTo(this) ? std::min(m_list->count(), mostRows) * row + 2 : 0;
  m_list->setFixedHeight(listed);
  const int remark = m_remark->isVisibleTo(this) ? m_remark->heightForWidth(width - 2 * border - 2) : 0;
  const int height = std::min(listed + remark + 2 * border + 2, window.height() - corner.y() - border);
  setGeometry(std::max(border, corner.x() - width), corner.y(), width, height);
}

int SearchPopup::current() const { return m_list->currentRow(); }
int SearchPopup::count() const { return m_list->count(); }
QString SearchPopup::remark() const { return m_remark->isVisibleTo(this) ? m_remark->text() : QString(); }

void SearchPopup::move(int by) {
  if (m_list->count() == 0) return;
  m_list->setCurrentRow(std::clamp(m_list->currentRow() + by, 0, m_list->count() - 1));
}

bool SearchPopup::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && isVisible()) place();
  return QFrame::eventFilter(watched, event);
}

}  // namespace vqscope
