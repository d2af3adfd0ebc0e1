// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/attention_dialog.h"

#include "core/io/tensor/tensor_name.h"
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

constexpr int textWidth = 496;
constexpr std::array<const char*, 3> tensorParameters{"q_tensor", "k_tensor", "v_tensor"};

}  // namespace

AttentionDialog::AttentionDialog(QWidget* parent)
    : QDialog(parent),
      m_form(new QFormLayout),
      m_result(paragraph(this, "")),
      m_files(new QPushButton(tr("Add files…"), this)) {
  setWindowTitle(tr("Queries, keys and values"));
  m_files->setObjectName(QStringLiteral("addFiles"));
  m_files->setToolTip(tr("One or several NumPy, safetensors or torch files"));
  connect(m_files, &QPushButton::clicked, this, &AttentionDialog::chooseFiles);
  const std::array<QString, 3> titles{tr("Queries"), tr("Keys"), tr("Values")};
  const std::array<const char*, 3> names{"queries", "keys", "values"};
  for (std::size_t role = 0; role < m_boxes.size(); ++role) {
    auto* box = m_boxes[role] = new QComboBox(this);
    box->setObjectName(QLatin1String(names[role]));
    box->setAccessibleName(titles[role]);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_form->addRow(titles[role], box);
    connect(box, &QComboBox::currentIndexChanged, this, &AttentionDialog::fitLayout);
  }
  m_layout = new QComboBox(this);
  m_layout->setObjectName(QStringLiteral("layout"));
  m_layout->setAccessibleName(tr("Layout"));
  for (const Choice& each : tensor_layout_parameter({}).choices) {
    m_layout->addItem(each.id == "automatic" ? tr("Automatic") : text(each.help.substr(0, each.help.find(']') + 1)),
                      text(each.id));
    m_layout->setItemData(m_layout->count() - 1, text(each.help), Qt::ToolTipRole);
  }
  m_form->addRow(tr("Layout"), m_layout);
  connect(m_layout, &QComboBox::currentIndexChanged, this, &AttentionDialog::fitLayout);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  m_accept = buttons->button(QDialogButtonBox::Ok);
  m_accept->setDefault(true);  // not the first button, which has Return only with the focus
  m_remove = buttons->addButton(tr("Remove"), QDialogButtonBox::ResetRole);
  m_remove->setToolTip(tr("Views show synthetic data again"));
  m_remove->hide();
  connect(m_remove, &QPushButton::clicked, this, [this] { done(removed); });
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->setSpacing(10);
  auto* words = paragraph(this);
  words->setText(
      tr("Choose the files of q, k and v together. A tensor is [tokens, dimensions], with leading dimensions "
         "such as batch and head; a head can come before or after the tokens."));
  // Not the least width of the dialog: a dialog that has one does not grow with the rows that files add.
  words->setMinimumWidth(textWidth);
  column->addWidget(words);
  column->addWidget(m_files, 0, Qt::AlignLeft);
  column->addLayout(m_form);
  column->addWidget(m_result);
  column->addWidget(buttons);
  connect(&m_reading, &FileReading::lasting, m_result, &QLabel::setText);
  fill();
  focusNext();
}

void AttentionDialog::chooseFiles() {
  const QStringList paths = QFileDialog::getOpenFileNames(
      this, tr("Files of q, k and v"), {}, tr("Tensors (*.npy *.npz *.safetensors *.pt *.pth *.pkl);;All files (*)"));
  if (!paths.isEmpty()) addFiles(paths);
}

void AttentionDialog::readFiles(const QStringList& paths, std::function<void()> then) {
  m_files->setEnabled(false);
  m_reading.run<std::vector<Found>>(
      paths,
      [paths](const std::stop_token&) {
        std::vector<Found> found;
        for (const auto& path : paths) found.push_back({bytesOf(path), tensorsOfFiles({path})});
        return found;
      },
      [this, then = std::move(then)](const std::vector<Found>& found) {
        take(found);
        if (then) then();
      });
}

void AttentionDialog::take(const std::vector<Found>& found) {
  m_files->setEnabled(true);
  m_problem.clear();
  for (const Found& each : found) {
    if (!each.tensors) {
      m_problem = text(each.tensors.error().message);
      continue;
    }
    std::erase_if(m_tensors, [&](const FileTensor& former) { return former.file == each.file; });
    m_tensors.insert(m_tensors.end(), each.tensors->begin(), each.tensors->end());
  }
  fill();
  focusNext();
}

void AttentionDialog::addTensors(const std::vector<FileTensor>& tensors) {
  m_tensors.insert(m_tensors.end(), tensors.begin(), tensors.end());
  fill();
  focusNext();
}

void AttentionDialog::focusNext() {
  if (m_tensors.empty()) return m_files->setFocus();
  const auto isEmpty = [](const QComboBox* box) { return box->currentIndex() == 0; };
  const auto role = std::ranges::find_if(m_boxes, isEmpty);
  role == m_boxes.end() ? m_accept->setFocus() : (*role)->setFocus();
}

void AttentionDialog::select(const ParameterValues& values) {
  m_remove->show();
  std::array<TensorName, 3> names;
  QStringList files;
  for (std::size_t role = 0; role < names.size(); ++role) {
    const auto* value = values.find(tensorParameters[role]);
    const auto name = parse_tensor_name(value ? std::get<std::string>(*value) : std::string());
    if (!name || name->file.empty()) continue;
    names[role] = *name;
    files << textOfBytes(name->file);
  }
  files.removeDuplicates();
  readFiles(files, [this, names, values] { selectNames(names, values); });
}

void AttentionDialog::selectNames(const std::array<TensorName, 3>& names, const ParameterValues& values) {
  for (std::size_t role = 0; role < names.size(); ++role) {
    const QSignalBlocker blocker(m_boxes[role]);
    m_boxes[role]->setCurrentIndex(rowOf(*m_boxes[role], names[role]));
  }
  if (const auto* layout = values.find("tensor_layout"))
    m_layout->setCurrentIndex(m_layout->findData(text(std::get<std::string>(*layout))));
  fitLayout();
  const auto* head = values.find("head");
  chooseIndices(names[0].leading, head ? std::get<Index>(*head) : 0);
  focusNext();
}

int AttentionDialog::rowOf(const QComboBox& box, const TensorName& name) const {
  for (int row = 1; row < box.count(); ++row) {
    const FileTensor& each = m_tensors[static_cast<std::size_t>(box.itemData(row).toULongLong())];
    const bool isOnly = std::ranges::count(m_tensors, each.file, &FileTensor::file) == 1;
    if (each.file == name.file && (each.tensor.name == name.name || (name.name.empty() && isOnly))) return row;
  }
  return 0;
}

void AttentionDialog::chooseIndices(const std::vector<Index>& samples, Index head) {
  if (m_indices.empty()) return;
  for (std::size_t i = 0; i + 1 < m_indices.size() && i < samples.size(); ++i)
    m_indices[i]->setValue(static_cast<int>(samples[i]));
  m_indices.back()->setValue(static_cast<int>(head));
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
  fitLayout();
}

/// Roles or layout have changed.
void AttentionDialog::fitLayout() {
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

std::vector<Index> AttentionDialog::sizes() const {
  const auto queries = roles()[0];
  if (!queries) return {};
  std::vector<Index> shape = m_tensors[*queries].tensor.shape;
  if (shape.size() < 3) return {};
  const auto layout = layoutOf(m_tensors, choice());
  const std::vector<Index> sample(shape.end() - 3, shape.end());
  shape.resize(shape.size() - 3);
  shape.push_back(heads_of(sample, layout ? layout->layout : HeadLayout::heads_first));
  return shape;
}

QkvChoice AttentionDialog::choice() const {
  QkvChoice choice{.roles = roles(), .layout = m_layout->currentData().toString().toStdString()};
  const std::size_t samples = std::min(sampleDimensions(m_tensors, choice.roles), m_indices.size());
  for (std::size_t i = 0; i < samples; ++i) choice.samples.push_back(m_indices[i]->value());
  if (samples < m_indices.size()) choice.head = m_indices[samples]->value();
  if (samples == 1) choice.sample_count = m_tensors[*choice.roles[0]].tensor.shape[0];
  return choice;
}

/// One box for each dimension of samples of the queries, and one for their head.
void AttentionDialog::fitIndices() {
  const std::vector<Index> all = sizes();
  m_form->setRowVisible(m_layout, !all.empty());
  while (m_indices.size() > all.size()) {
    m_form->removeRow(m_indices.back());
    m_indices.pop_back();
  }
  while (m_indices.size() < all.size()) {
    m_indices.push_back(new QSpinBox(this));
    m_form->addRow(QStringLiteral(" "), m_indices.back());
    connect(m_indices.back(), &QSpinBox::valueChanged, this, &AttentionDialog::showResult);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto last = static_cast<int>(std::clamp<Index>(all[i] - 1, 0, Index{std::numeric_limits<int>::max()}));
    m_indices[i]->setRange(0, last);
    const QString name = i + 1 == all.size()   ? tr("Head")
                         : i + 2 == all.size() ? tr("Batch or layer")
                                               : tr("Dimension %1").arg(i);
    qobject_cast<QLabel*>(m_form->labelForField(m_indices[i]))->setText(tr("%1, 0 to %2").arg(name).arg(last));
  }
}

Result<ParameterValues> AttentionDialog::values() const { return attentionValues(m_tensors, choice()); }

bool AttentionDialog::isComplete() const {
  const auto chosen = roles();
  const bool all = std::ranges::all_of(chosen, [](const auto& role) { return role.has_value(); });
  return all && m_indices.empty() && m_problem.isEmpty() && values().has_value();
}

/// "512 tokens, 4 heads", and whether the layout is a guess.
QString AttentionDialog::shownChoice(const ParameterValues& values) const {
  const auto layout = layoutOf(m_tensors, choice());
  QString sentence = tr("%1 tokens").arg(values.integer("q_length"));
  if (const auto all = sizes(); !all.empty()) sentence += tr(", %1 heads").arg(all.back());
  if (layout && layout->is_guess) sentence += tr("; the shapes fit the other layout too");
  if (is_called_rotated(values.text("q_tensor"))) sentence += tr("; q_rot and k_rot are rotated already");
  return sentence;
}

void AttentionDialog::showResult() {
  const auto chosen = values();
  m_accept->setEnabled(chosen.has_value());
  QString sentence = m_problem;
  if (sentence.isEmpty() && !m_tensors.empty() && !chosen) sentence = text(chosen.error().message);
  if (chosen && sentence.isEmpty()) sentence = shownChoice(*chosen);
  m_result->setText(sentence);
}

}  // namespace vqscope
