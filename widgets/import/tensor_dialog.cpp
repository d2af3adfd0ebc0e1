// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/tensor_dialog.h"

#include "core/base/text.h"
#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace vqscope {
namespace {

QString shapeText(const std::vector<Index>& shape) { return text(NpyHeader{.shape = shape}.shape_text()); }

/// Rows and columns are the last two.
std::size_t leadingOf(const ListedTensor& tensor) { return tensor.shape.size() > 2 ? tensor.shape.size() - 2 : 0; }

QString dimensionName(std::size_t dimension, std::size_t leading) {
  if (leading == 2) return dimension == 0 ? QObject::tr("layer") : QObject::tr("head");
  return QObject::tr("dimension %1").arg(dimension);
}

}  // namespace

TensorDialog::TensorDialog(const std::string& path, const std::vector<ListedTensor>& tensors, QWidget* parent,
                           Indices indices)
    : QDialog(parent),
      m_path(path),
      m_when(indices),
      m_tensors(tensors),
      m_list(plainTable({tr("Tensor"), tr("dtype"), tr("Shape")}, this)) {
  setWindowTitle(tr("Choose a tensor of %1").arg(QFileInfo(text(path)).fileName()));
  auto* layout = new QVBoxLayout(this);
  layout->setSpacing(10);
  addList(layout);
  m_indices = new QFormLayout;
  layout->addLayout(m_indices);
  m_result = paragraph(this, "");
  layout->addWidget(m_result);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  m_accept = buttons->button(QDialogButtonBox::Ok);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
  const auto readable = std::ranges::find_if(m_tensors, [](const auto& each) { return each.problem.empty(); });
  choose(readable == m_tensors.end() ? 0 : static_cast<std::size_t>(readable - m_tensors.begin()));
}

/// Hides the list for a file with one tensor.
void TensorDialog::addList(QVBoxLayout* layout) {
  auto* words = new QLineEdit(this);
  words->setPlaceholderText(tr("Filter by name"));
  words->setClearButtonEnabled(true);
  connect(words, &QLineEdit::textChanged, this, &TensorDialog::filter);
  layout->addWidget(words);
  layout->addWidget(m_list, 1);
  words->setVisible(m_tensors.size() > 1);
  words->setFocus();
  m_list->setVisible(m_tensors.size() > 1);
  if (m_tensors.size() > 1) resize(560, 480);
  m_list->setRowCount(static_cast<int>(m_tensors.size()));
  for (int row = 0; row < m_list->rowCount(); ++row) {
    const ListedTensor& tensor = m_tensors[static_cast<std::size_t>(row)];
    const QStringList cells{text(tensor.name), text(tensor.dtype), shapeText(tensor.shape)};
    for (int column = 0; column < cells.size(); ++column) {
      auto* item = tableItem(cells[column]);
      if (!tensor.problem.empty()) {
        item->setFlags(Qt::NoItemFlags);
        item->setToolTip(text(tensor.problem));
      }
      m_list->setItem(row, column, item);
    }
  }
  m_list->horizontalHeader()->setStretchLastSection(false);
  m_list->resizeColumnsToContents();
  m_list->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  connect(m_list, &QTableWidget::currentCellChanged, this, [this](int row) {
    if (row >= 0) choose(static_cast<std::size_t>(row));
  });
  connect(m_list, &QTableWidget::cellDoubleClicked, this, [this] {
    if (m_accept->isEnabled()) accept();
  });
}

void TensorDialog::filter(const QString& words) {
  for (int row = 0; row < m_list->rowCount(); ++row)
    m_list->setRowHidden(row, !m_list->item(row, 0)->text().contains(words, Qt::CaseInsensitive));
  if (!m_list->isRowHidden(static_cast<int>(m_chosen))) return;
  for (std::size_t i = 0; i < m_tensors.size(); ++i)
    if (!m_list->isRowHidden(static_cast<int>(i)) && m_tensors[i].problem.empty()) return choose(i);
}

void TensorDialog::choose(std::size_t index) {
  m_chosen = index;
  m_list->setCurrentCell(static_cast<int>(index), 0);
  showIndices();
}

void TensorDialog::select(const TensorName& name) {
  if (name.file != m_path) return;
  const auto same = std::ranges::find(m_tensors, name.name, &ListedTensor::name);
  if (same == m_tensors.end() || !same->problem.empty()) return;
  choose(static_cast<std::size_t>(same - m_tensors.begin()));
  for (std::size_t i = 0; i < std::min(m_boxes.size(), name.leading.size()); ++i) {
    const Index index = name.leading[i] < 0 ? name.leading[i] + tensor().shape[i] : name.leading[i];
    m_boxes[i]->setValue(static_cast<int>(std::clamp<Index>(index, 0, m_boxes[i]->maximum())));
  }
}

TensorName TensorDialog::name() const {
  TensorName name{m_path, tensor().name, {}};
  for (const auto* box : m_boxes) name.leading.push_back(box->value());
  return name;
}

std::size_t TensorDialog::leading() const { return m_when == Indices::here ? leadingOf(tensor()) : 0; }

void TensorDialog::showIndices() {
  std::vector<int> before;
  for (const auto* box : m_boxes) before.push_back(box->value());
  m_boxes.clear();
  while (m_indices->rowCount() > 0) {  // deleted later: Qt may be delivering an event
    const QFormLayout::TakeRowResult row = m_indices->takeRow(0);
    for (QLayoutItem* item : {row.labelItem, row.fieldItem}) {
      item->widget()->setParent(nullptr);
      item->widget()->deleteLater();
      delete item;
    }
  }
  for (std::size_t i = 0; i < leading(); ++i) {
    auto* box = new QSpinBox(this);
    const Index last = std::clamp<Index>(tensor().shape[i] - 1, 0, std::numeric_limits<int>::max());
    box->setRange(0, static_cast<int>(last));
    // Keep the indices, to see the same head of another layer.
    if (i < before.size()) box->setValue(before[i]);
    connect(box, &QSpinBox::valueChanged, this, &TensorDialog::showResult);
    m_indices->addRow(tr("%1, 0 to %2").arg(dimensionName(i, leading())).arg(last), box);
    m_boxes.push_back(box);
  }
  showResult();
}

void TensorDialog::showResult() {
  const auto& shape = tensor().shape;
  const bool empty = std::ranges::count(shape, Index{0}) > 0;
  m_accept->setEnabled(tensor().problem.empty() && !empty);
  if (!tensor().problem.empty()) return m_result->setText(text(tensor().problem));
  TensorName chosen = name();
  chosen.file = QFileInfo(text(m_path)).fileName().toStdString();
  const auto left = static_cast<std::ptrdiff_t>(leading());
  m_result->setText(
      tr("%1   shape %2").arg(text(tensor_name_text(chosen)), shapeText({shape.begin() + left, shape.end()})));
}

}  // namespace vqscope
