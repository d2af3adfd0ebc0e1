// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panel/notes_list.h"

#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QKeyEvent>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int mostRows = 5;  // more are scrolled

}  // namespace

NotesList::NotesList(QWidget* parent) : QWidget(parent), m_list(new QListWidget(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 6);
  layout->setSpacing(4);
  layout->addWidget(heading(tr("Notes"), this));
  m_list->setAccessibleName(tr("Notes on cells"));
  m_list->setTextElideMode(Qt::ElideRight);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setUniformItemSizes(true);
  m_list->installEventFilter(this);
  layout->addWidget(m_list);
  connect(m_list, &QListWidget::itemClicked, this, [this](auto* item) { emit chosen(cellOf(*item)); });
  connect(m_list, &QListWidget::itemActivated, this, [this](auto* item) { emit editRequested(cellOf(*item)); });
  hide();
}

void NotesList::setNotes(const std::vector<CellNote>& notes) {
  setVisible(!notes.empty());
  if (notes == m_notes) return;
  m_notes = notes;
  const int row = m_list->currentRow();
  m_list->clear();
  for (const auto& note : notes) {
    const QString whole = text(note.text);
    const QString line = whole.section(QLatin1Char('\n'), 0, 0);
    auto* item = new QListWidgetItem(QStringLiteral("%1, %2   %3").arg(note.row).arg(note.col).arg(line), m_list);
    item->setToolTip(QStringLiteral("<p>%1</p>").arg(whole.toHtmlEscaped()));
  }
  m_list->setCurrentRow(std::min(row, m_list->count() - 1));
  const int rows = std::clamp(m_list->count(), 1, mostRows);
  m_list->setFixedHeight(rows * std::max(1, m_list->sizeHintForRow(0)) + 2 * m_list->frameWidth());
}

Cell NotesList::cellOf(const QListWidgetItem& item) const {
  const auto& note = m_notes[static_cast<std::size_t>(m_list->row(&item))];
  return {note.row, note.col};
}

bool NotesList::eventFilter(QObject* watched, QEvent* event) {
  const auto* item = m_list->currentItem();
  if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete && item) {
    emit removeRequested(cellOf(*item));
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace vqscope
