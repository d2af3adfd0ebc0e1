// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/editor/tensor_editor.h"

#include "core/io/bytes/file_source.h"
#include "widgets/import/tensor_dialog.h"
#include "widgets/parts/text.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QPointer>
#include <QToolButton>

namespace vqscope {
namespace {

Result<std::vector<ListedTensor>> tensorsIn(const std::string& path) {
  const auto file = open_file(path);
  if (!file) return file.error();
  auto tensors = list_tensors(*file, path);
  if (tensors && tensors->empty()) return invalid(path + ": it holds no tensor");
  return tensors;
}

}  // namespace

TensorEditor::TensorEditor(const ParameterSpec& spec, QWidget* row)
    : ValueEditor(row), m_line(new QWidget(row)), m_box(new EntryBox(spec, m_line)), m_file(new QToolButton(m_line)) {
  auto* line = new QHBoxLayout(m_line);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(4);
  line->addWidget(m_box, 1);
  m_file->setText(QStringLiteral("…"));
  m_file->setToolTip(tr("Choose a tensor of a NumPy, safetensors or torch file"));
  m_file->setAccessibleName(tr("%1 from a file").arg(text(spec.title())));
  line->addWidget(m_file);
  m_box->setPlaceholderText(QStringLiteral("FILE:NAME[layer,head]"));
  connect(m_file, &QToolButton::clicked, this, &TensorEditor::chooseFile);
  connect(m_box, &EntryBox::committed, this, [this](const ParameterValue& value) {
    setValue(value);
    emit edited(value, true);
  });
  connect(m_box, &EntryBox::refused, this, &ValueEditor::refused);
}

void TensorEditor::setValue(const ParameterValue& value) {
  m_box->setValue(value);
  m_box->setToolTip(text(std::get<std::string>(value)));  // names are long; empty: the tooltip of the row
}

void TensorEditor::chooseFile() {
  const auto& now = std::get<std::string>(m_box->value());
  const auto name = parse_tensor_name(now);
  // The window is the parent, because this row may be deleted while a dialog is open: another file
  // can change the parameters.
  const QPointer<TensorEditor> alive(this);
  const QString path =
      QFileDialog::getOpenFileName(m_line->window(), tr("Choose a tensor"), name ? text(name->file) : QString(),
                                   tr("Tensors (*.npy *.npz *.safetensors *.pt *.pth *.pkl);;All files (*)"));
  if (alive && !path.isEmpty()) openFile(path);
}

void TensorEditor::openFile(const QString& path) {
  m_file->setEnabled(false);
  m_reading.run<Result<std::vector<ListedTensor>>>(
      [path](const std::stop_token&) { return tensorsIn(path.toStdString()); },
      [this, path](const Result<std::vector<ListedTensor>>& tensors) {
        m_file->setEnabled(true);
        tensors ? choose(path.toStdString(), *tensors) : emit refused(text(tensors.error().message));
      });
}

void TensorEditor::choose(const std::string& path, const std::vector<ListedTensor>& tensors) {
  const auto& only = tensors.front();
  if (tensors.size() == 1 && only.problem.empty() && only.shape.size() <= 2) return take(path);
  const QPointer<TensorEditor> alive(this);
  TensorDialog dialog(path, tensors, m_line->window());
  if (const auto now = parse_tensor_name(std::get<std::string>(m_box->value()))) dialog.select(*now);
  if (dialog.exec() == QDialog::Accepted && alive) take(tensor_name_text(dialog.name()));
}

void TensorEditor::take(const std::string& name) {
  m_box->setModified(false);  // replaces the typed text
  setValue(name);
  emit edited(name, true);
}

}  // namespace vqscope
