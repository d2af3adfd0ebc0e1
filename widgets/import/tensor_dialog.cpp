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
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace vqscope {
namespace {

constexpr std::size_t longestLabel = 200;  // characters

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
      m_list(new QTreeWidget(this)),
      m_items(tensors.size()) {
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
  m_list->setHeaderLabels({tr("Tensor"), tr("dtype"), tr("Shape")});
  addItems(tensor_tree(m_tensors), m_list->invisibleRootItem());
  m_list->expandAll();
  m_list->header()->setStretchLastSection(false);
  m_list->resizeColumnToContents(1);
  m_list->resizeColumnToContents(2);
  m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  connect(m_list, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
    const auto found = std::ranges::find(m_items, item);
    if (found != m_items.end()) choose(static_cast<std::size_t>(found - m_items.begin()));
  });
  connect(m_list, &QTreeWidget::itemDoubleClicked, this, [this](const QTreeWidgetItem* item) {
    if (m_accept->isEnabled() && item == m_items[m_chosen]) accept();
  });
}

/// What has no tensor of its own cannot be chosen, only opened.
void TensorDialog::addItems(const TensorTree& tree, QTreeWidgetItem* parent) {
  for (const TensorTree& child : tree.children) {
    auto* item = new QTreeWidgetItem(parent, {text(shortened(child.label, longestLabel))});
    item->setFlags(Qt::ItemIsEnabled);
    if (child.tensor) {
      const ListedTensor& tensor = m_tensors[*child.tensor];
      m_items[*child.tensor] = item;
      item->setText(1, text(tensor.dtype));
      item->setText(2, shapeText(tensor.shape));
      item->setToolTip(0, text(tensor.problem.empty() ? shortened(tensor.name, longestLabel) : tensor.problem));
      const bool readable = tensor.problem.empty();
      item->setFlags(readable ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags);
    }
    addItems(child, item);
  }
}

/// Shows the tensors with these words in their names, and what leads to them.
void TensorDialog::filter(const QString& words) {
  for (QTreeWidgetItemIterator each(m_list); *each; ++each) (*each)->setHidden(!words.isEmpty());
  std::optional<std::size_t> first;
  bool keeps = false;
  for (std::size_t i = 0; i < m_items.size(); ++i) {
    if (!text(m_tensors[i].name).contains(words, Qt::CaseInsensitive)) continue;
    for (QTreeWidgetItem* item = m_items[i]; item; item = item->parent()) item->setHidden(false);
    keeps = keeps || i == m_chosen;
    if (!first && m_tensors[i].problem.empty()) first = i;
  }
  if (first && !keeps) choose(*first);
}

void TensorDialog::choose(std::size_t index) {
  m_chosen = index;
  m_list->setCurrentItem(m_items[index]);
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
