// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialog/go_to_dialog.h"

#include "core/base/text.h"
#include "widgets/parts/text.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace vqscope {

Result<Cell> parseCell(const QString& typed) {
  const std::string separated = QString(typed).replace(QLatin1Char(' '), QLatin1Char(',')).toStdString();
  std::vector<Index> numbers;
  for (const auto part : split(separated, ',')) {
    if (trimmed(part).empty()) continue;
    const auto number = parse_count(part);
    if (!number) return invalid(shortened(part) + " is not a whole number; enter a cell as row, column: 230, 317");
    numbers.push_back(*number);
  }
  if (numbers.size() != 2) return invalid("enter a cell as two whole numbers, row and column: 230, 317");
  return Cell{numbers[0], numbers[1]};
}

GoToDialog::GoToDialog(Extent extent, std::function<Result<void>(Cell)> go, QWidget* parent)
    : QDialog(parent), m_go(std::move(go)), m_cell(new QLineEdit(this)), m_error(new QLabel(this)) {
  setWindowTitle(tr("Go to cell"));
  setMinimumWidth(380);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(new QLabel(tr("Row 0 to %1, column 0 to %2").arg(extent.rows - 1).arg(extent.cols - 1), this));
  m_cell->setPlaceholderText(tr("row, column"));
  m_cell->setAccessibleName(tr("Row, column"));
  layout->addWidget(m_cell);
  m_error->setProperty("class", "error");
  m_error->setWordWrap(true);
  m_error->setTextFormat(Qt::PlainText);
  layout->addWidget(m_error);
  connect(m_cell, &QLineEdit::textEdited, m_error, &QLabel::clear);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  connect(buttons, &QDialogButtonBox::accepted, this, &GoToDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
}

void GoToDialog::accept() {
  const auto cell = parseCell(m_cell->text());
  const auto gone = cell ? m_go(*cell) : Result<void>(cell.error());
  if (gone) return QDialog::accept();
  m_error->setText(text(gone.error().message));
  m_cell->selectAll();
}

}  // namespace vqscope
