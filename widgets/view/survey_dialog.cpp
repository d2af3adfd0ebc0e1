// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/survey_dialog.h"

#include "core/base/registry.h"
#include "widgets/text.h"
#include "widgets/view/parts.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace vqscope {
namespace {

enum Column { title, relative, trainable, eachLayer, extrapolation, source, columns };

QString yesNo(bool yes) { return yes ? SurveyDialog::tr("yes") : QStringLiteral("–"); }

QTableWidgetItem* item(const QString& words, Qt::Alignment alignment = Qt::AlignLeft) {
  auto* made = new QTableWidgetItem(words);
  made->setTextAlignment(alignment | Qt::AlignVCenter);
  made->setToolTip(words);
  return made;
}

}  // namespace

SurveyDialog::SurveyDialog(QWidget* parent) : QDialog(parent), m_table(new QTableWidget(this)) {
  setWindowTitle(tr("Position encodings at a glance"));
  resize(980, 520);
  m_table->setColumnCount(columns);
  m_table->setHorizontalHeaderLabels({tr("Encoding"), tr("Relative"), tr("Trainable"), tr("Each layer"),
                                      tr("Beyond the trained length"), tr("Source")});
  m_table->verticalHeader()->hide();
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setWordWrap(true);
  m_table->setShowGrid(false);
  m_table->setTabKeyNavigation(false);
  fill();
  const auto open = [this](int row) { emit opened(m_table->item(row, title)->data(Qt::UserRole).toString()); };
  connect(m_table, &QTableWidget::cellActivated, this, open);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  auto* show = buttons->addButton(tr("Show it"), QDialogButtonBox::ActionRole);
  connect(show, &QPushButton::clicked, this, [this, open] { open(std::max(0, m_table->currentRow())); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  auto* about = paragraph(this);
  about->setText(
      tr("Relative: a score depends on key position minus query position alone. Each layer: applied to the "
         "scores or to q and k of every layer, not once to the token embeddings. Enter opens a line."));
  layout->addWidget(about);
  layout->addWidget(m_table);
  layout->addWidget(buttons);
}

void SurveyDialog::fill() {
  for (const auto& method : methods()) {
    if (!method.traits || !method.field()) continue;
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    auto* name = item(text(method.title));
    name->setData(Qt::UserRole, text(method.id));
    m_table->setItem(row, title, name);
    m_table->setItem(row, relative, item(yesNo(method.traits->relative), Qt::AlignHCenter));
    m_table->setItem(row, trainable, item(yesNo(method.traits->trainable), Qt::AlignHCenter));
    m_table->setItem(row, eachLayer, item(yesNo(method.traits->each_layer), Qt::AlignHCenter));
    m_table->setItem(row, extrapolation, item(text(method.traits->extrapolation)));
    m_table->setItem(row, source, item(text(method.citation.paper)));
  }
  auto* header = m_table->horizontalHeader();
  for (int column = 0; column < columns; ++column)
    header->setSectionResizeMode(column,
                                 column >= extrapolation ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
  m_table->resizeRowsToContents();
  constexpr int air = 10;  // pixels between lines of text
  for (int row = 0; row < m_table->rowCount(); ++row) m_table->setRowHeight(row, m_table->rowHeight(row) + air);
  if (m_table->rowCount() > 0) m_table->setCurrentCell(0, title);
}

}  // namespace vqscope
