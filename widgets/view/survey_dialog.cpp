// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/view/survey_dialog.h"

#include "core/base/registry.h"
#include "widgets/text.h"
#include "widgets/view/parts.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace vqscope {
namespace {

enum Column { title, relative, trainable, eachLayer, extrapolation, source };

QString yesNo(bool yes) { return yes ? SurveyDialog::tr("yes") : QStringLiteral("–"); }

}  // namespace

SurveyDialog::SurveyDialog(QWidget* parent)
    : QDialog(parent),
      m_table(plainTable({tr("Encoding"), tr("Relative"), tr("Trainable"), tr("Each layer"),
                          tr("Beyond the trained length"), tr("Source")},
                         this)) {
  setWindowTitle(tr("Position encodings at a glance"));
  resize(980, 520);
  fill();
  const auto open = [this](int row) {
    emit opened(m_table->item(row, title)->data(Qt::UserRole).toString());
    close();
  };
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
    auto* name = tableItem(text(method.title));
    name->setData(Qt::UserRole, text(method.id));
    m_table->setItem(row, title, name);
    m_table->setItem(row, relative, tableItem(yesNo(method.traits->relative), Qt::AlignHCenter));
    m_table->setItem(row, trainable, tableItem(yesNo(method.traits->trainable), Qt::AlignHCenter));
    m_table->setItem(row, eachLayer, tableItem(yesNo(method.traits->each_layer), Qt::AlignHCenter));
    m_table->setItem(row, extrapolation, tableItem(text(method.traits->extrapolation)));
    m_table->setItem(row, source, tableItem(text(method.citation.paper)));
  }
  fitRows(*m_table);
  if (m_table->rowCount() > 0) m_table->setCurrentCell(0, title);
}

}  // namespace vqscope
