// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/attention_dialog.h"

#include "widgets/parts/parts.h"
#include "widgets/parts/text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace vqscope {
namespace {

constexpr int dialogWidth = 520;

}  // namespace

AttentionDialog::AttentionDialog(QWidget* parent)
    : QDialog(parent), m_form(new QFormLayout), m_result(paragraph(this, "")) {
  setWindowTitle(tr("Queries, keys and values"));
  setMinimumWidth(dialogWidth);
  auto* files = new QPushButton(tr("Add files…"), this);
  files->setObjectName(QStringLiteral("addFiles"));
  files->setAutoDefault(false);
  files->setToolTip(tr("One or several files: .npy, .npz or .safetensors"));
  connect(files, &QPushButton::clicked, this, &AttentionDialog::chooseFiles);
  const std::array<QString, 3> titles{tr("Queries"), tr("Keys"), tr("Values")};
  const std::array<const char*, 3> names{"queries", "keys", "values"};
  for (std::size_t role = 0; role < m_boxes.size(); ++role) {
    auto* box = m_boxes[role] = new QComboBox(this);
    box->setObjectName(QLatin1String(names[role]));
    box->setAccessibleName(titles[role]);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_form->addRow(titles[role], box);
    connect(box, &QComboBox::currentIndexChanged, this, [this, role] {
      if (role == 0) fitIndices();
      showResult();
    });
  }
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  m_accept = buttons->button(QDialogButtonBox::Ok);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(10);
  auto* words = paragraph(this);
  words->setText(
      tr("Choose the files of q, k and v together. A tensor is [tokens, dimensions], with leading dimensions "
         "such as batch and head."));
  column->addWidget(words);
  column->addWidget(files, 0, Qt::AlignLeft);
  column->addLayout(m_form);
  column->addWidget(m_result);
  column->addWidget(buttons);
  fill();
  files->setFocus();
}

void AttentionDialog::chooseFiles() {
  addFiles(QFileDialog::getOpenFileNames(this, tr("Files of q, k and v"), {},
                                         tr("Tensors (*.npy *.npz *.safetensors);;All files (*)")));
}

void AttentionDialog::addFiles(const QStringList& paths) {
  m_problem.clear();
  for (const auto& path : paths) {
    auto found = tensorsOfFiles({path});
    if (!found) {
      m_problem = text(found.error().message);
      continue;
    }
    std::erase_if(m_tensors, [&](const FileTensor& each) { return each.file == path.toStdString(); });
    std::ranges::move(*found, std::back_inserter(m_tensors));
  }
  fill();
}

/// Lists all usable tensors; selects those whose names give their role.
void AttentionDialog::fill() {
  const QkvRoles guessed = guessed_roles(m_tensors);
  for (std::size_t role = 0; role < m_boxes.size(); ++role) {
    const QSignalBlocker blocker(m_boxes[role]);
    m_boxes[role]->clear();
    m_boxes[role]->addItem(role == 2 ? tr("none: synthetic values") : tr("none"));
    for (std::size_t i = 0; i < m_tensors.size(); ++i) {
      if (!m_tensors[i].is_usable()) continue;
      m_boxes[role]->addItem(text(shownTensor(m_tensors[i]) + "   " + m_tensors[i].tensor.dtype),
                             static_cast<qulonglong>(i));
      if (guessed[role] == i) m_boxes[role]->setCurrentIndex(m_boxes[role]->count() - 1);
    }
    m_boxes[role]->setEnabled(m_boxes[role]->count() > 1);
  }
  fitIndices();
  showResult();
}

QkvRoles AttentionDialog::roles() const {
  QkvRoles chosen;
  for (std::size_t role = 0; role < m_boxes.size(); ++role)
    if (const QVariant place = m_boxes[role]->currentData(); place.isValid())
      chosen[role] = static_cast<std::size_t>(place.toULongLong());
  return chosen;
}

std::vector<Index> AttentionDialog::leading() const {
  std::vector<Index> indices;
  for (const auto* box : m_indices) indices.push_back(box->value());
  return indices;
}

/// One box for each leading dimension of the queries.
void AttentionDialog::fitIndices() {
  const auto queries = roles()[0];
  const auto shape = queries ? m_tensors[*queries].tensor.shape : std::vector<Index>();
  const std::size_t count = shape.size() > 2 ? shape.size() - 2 : 0;
  while (m_indices.size() > count) {
    m_form->removeRow(m_indices.back());
    m_indices.pop_back();
  }
  while (m_indices.size() < count) {
    m_indices.push_back(new QSpinBox(this));
    m_form->addRow(QStringLiteral(" "), m_indices.back());
    connect(m_indices.back(), &QSpinBox::valueChanged, this, &AttentionDialog::showResult);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto last = static_cast<int>(std::clamp<Index>(shape[i] - 1, 0, Index{std::numeric_limits<int>::max()}));
    m_indices[i]->setRange(0, last);
    const QString name = i + 1 == count   ? tr("Head")
                         : i + 2 == count ? tr("Batch or layer")
                                          : tr("Dimension %1").arg(i);
    qobject_cast<QLabel*>(m_form->labelForField(m_indices[i]))->setText(tr("%1, 0 to %2").arg(name).arg(last));
  }
}

Result<ParameterValues> AttentionDialog::values() const { return attentionValues(m_tensors, roles(), leading()); }

bool AttentionDialog::isComplete() const {
  const auto chosen = roles();
  const bool all = std::ranges::all_of(chosen, [](const auto& role) { return role.has_value(); });
  return all && m_indices.empty() && m_problem.isEmpty() && values().has_value();
}

void AttentionDialog::showResult() {
  const auto chosen = values();
  m_accept->setEnabled(chosen.has_value());
  QString sentence = m_problem;
  if (sentence.isEmpty() && !m_tensors.empty() && !chosen) sentence = text(chosen.error().message);
  if (chosen && sentence.isEmpty()) sentence = tr("%1 tokens").arg(chosen->integer("q_length"));
  m_result->setText(sentence);
}

}  // namespace vqscope
