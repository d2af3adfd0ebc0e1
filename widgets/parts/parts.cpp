// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/parts.h"

#include "widgets/parts/keyboard_focus.h"
#include "widgets/parts/menu/table_copies.h"
#include "widgets/theme/fonts.h"

#include <QAbstractItemView>
#include <QButtonGroup>
#include <QCursor>
#include <QDir>
#include <QFileDialog>
#include <QFocusEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>
#include <QTableWidget>
#include <QToolButton>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int cellPadding = 10;    // pixels between columns and between rows
constexpr int widestColumn = 340;  // pixels; wider contents are cut

/// Never narrower than its content, which it does not scroll sideways.
class ScrolledColumn : public QScrollArea {
 public:
  QSize minimumSizeHint() const override {
    const int content = widget() ? widget()->minimumSizeHint().width() : 0;
    const int bar = verticalScrollBar()->sizeHint().width();
    return {std::min(widestColumn, content + bar) + 2 * frameWidth(), QScrollArea::minimumSizeHint().height()};
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::eventFilter(watched, event);
  }
  /// A ring for those who come by Tab: a window that becomes active gives the focus to the first
  /// panel.
  void focusInEvent(QFocusEvent* event) override {
    QScrollArea::focusInEvent(event);
    showRing(event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason);
  }
  void focusOutEvent(QFocusEvent* event) override {
    QScrollArea::focusOutEvent(event);
    showRing(false);
  }

 private:
  void showRing(bool shown) {
    if (property("ring").toBool() == shown) return;
    setProperty("ring", shown);
    style()->unpolish(this);
    style()->polish(this);
  }
};

}  // namespace

void setPopup(QToolButton* button, QMenu* menu) {
  button->setPopupMode(QToolButton::InstantPopup);
  button->setMenu(menu);
  QObject::connect(menu, &QMenu::aboutToHide, button, [button] {
    button->setAttribute(Qt::WA_UnderMouse, button->rect().contains(button->mapFromGlobal(QCursor::pos())));
    button->update();
  });
}

QSize onScreen(const QWidget& dialog, QSize wanted) {
  const QWidget* parent = dialog.parentWidget();  // a dialog has its own screen only once it is shown
  return wanted.boundedTo((parent ? parent : &dialog)->screen()->availableSize() - QSize(20, 60));
}

QLabel* heading(const QString& title, QWidget* parent) {
  auto* label = new QLabel(title, parent);
  label->setProperty("class", "heading");
  return label;
}

QLabel* paragraph(QWidget* parent, const char* look) {
  auto* label = new QLabel(parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setProperty("class", look);
  return label;
}

QLabel* factValue(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setFont(monospaceFont());
  label->setAlignment(Qt::AlignRight | Qt::AlignTop);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

QWidget* scrolled(QWidget* content) {
  auto* area = new ScrolledColumn;
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  // The keyboard scrolls it: a panel may have nothing else that takes the focus.
  area->setAccessibleName(QScrollArea::tr("Panel, scrolled with the arrow keys"));
  area->setWidget(content);
  new TabOrder(*content);
  return area;
}

Segments segmented(const QStringList& titles, QWidget* parent) {
  const Segments made{new QFrame(parent), new QButtonGroup(parent)};
  made.frame->setProperty("class", "segments");
  auto* row = new QHBoxLayout(made.frame);
  row->setContentsMargins(2, 2, 2, 2);
  row->setSpacing(2);
  for (const QString& title : titles) {
    auto* button = new QPushButton(title, made.frame);
    button->setCheckable(true);
    button->setProperty("class", "segmented");
    made.group->addButton(button, static_cast<int>(made.group->buttons().size()));
    row->addWidget(button, 1);
  }
  return made;
}

QTableWidget* plainTable(const QStringList& titles, QWidget* parent) {
  auto* table = new QTableWidget(parent);
  table->setColumnCount(static_cast<int>(titles.size()));
  table->setHorizontalHeaderLabels(titles);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->horizontalHeader()->setStretchLastSection(true);
  table->horizontalHeader()->setTextElideMode(Qt::ElideRight);
  for (int column = 0; column < table->columnCount(); ++column)
    table->horizontalHeaderItem(column)->setToolTip(titles[column]);
  table->verticalHeader()->hide();
  table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setWordWrap(true);
  table->setShowGrid(false);
  table->setTabKeyNavigation(false);
  offerCopies(*table);
  return table;
}

QTableWidgetItem* tableItem(const QString& words, Qt::Alignment alignment) {
  auto* item = new QTableWidgetItem(words);
  item->setTextAlignment(alignment | Qt::AlignVCenter);
  item->setToolTip(words);
  return item;
}

void fitRows(QTableWidget& table) {
  constexpr int widest = 340;  // wider text is wrapped
  table.resizeColumnsToContents();
  for (int column = 0; column < table.columnCount(); ++column)
    table.setColumnWidth(column, std::min(widest, table.columnWidth(column) + cellPadding));
  fitRowHeights(table);
}

void fitRowHeights(QTableWidget& table) {
  const QAbstractItemView& view = table;  // in which the hint is public
  for (int row = 0; row < table.rowCount(); ++row) table.setRowHeight(row, view.sizeHintForRow(row) + cellPadding);
}

QString chooseSavePath(QWidget* parent, const QString& title, const QString& suggested, const QString& filter,
                       const QString& suffix) {
  QFileDialog dialog(parent, title, {}, filter);
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(suffix);
  dialog.selectFile(QDir::cleanPath(suggested));  // without the "./" of an empty folder
  return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

}  // namespace vqscope
