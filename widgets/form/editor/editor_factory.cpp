// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/editor/value_editor.h"

#include "core/io/bytes/file_source.h"
#include "core/mask/preset/mask_import.h"
#include "widgets/form/control/mask_text_edit.h"
#include "widgets/form/control/value_text.h"
#include "widgets/form/editor/choice_editors.h"
#include "widgets/form/editor/number_editor.h"
#include "widgets/form/editor/tensor_editor.h"
#include "widgets/import/tensor_dialog.h"
#include "widgets/parts/text.h"
#include "widgets/session/field_scheduler.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMenu>
#include <QPointer>
#include <QSignalBlocker>
#include <QStyle>
#include <QToolButton>

namespace vqscope {
namespace {

class BooleanEditor : public ValueEditor {
 public:
  BooleanEditor(const ParameterSpec& spec, QWidget* row)
      : ValueEditor(row), m_box(new QCheckBox(QString::fromStdString(spec.title()), row)) {
    connect(m_box, &QCheckBox::toggled, this, [this](bool on) { emit edited(on, true); });
  }

  void setValue(const ParameterValue& value) override {
    const QSignalBlocker blocker(m_box);
    m_box->setChecked(std::get<bool>(value));
  }
  QWidget* field() const override { return m_box; }
  QWidget* inLabelsPlace() const override { return m_box; }

 private:
  QCheckBox* m_box;
};

class ListEditor : public ValueEditor {
 public:
  ListEditor(const ParameterSpec& spec, QWidget* row)
      : ValueEditor(row), m_line(new QWidget(row)), m_box(new EntryBox(spec, m_line)) {
    auto* line = new QHBoxLayout(m_line);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    line->addWidget(m_box, 1);
    if (!spec.file_filter.empty()) line->addWidget(fileButton(spec));
    connect(m_box, &EntryBox::committed, this, [this](const ParameterValue& value) { emit edited(value, true); });
    connect(m_box, &EntryBox::refused, this, &ValueEditor::refused);
  }

  void setValue(const ParameterValue& value) override {
    m_box->setValue(value);
    // A longer list is read from a file and cannot be edited here, only reset.
    m_box->setReadOnly(listSize(value).value_or(0) > longest_shown_list);
  }
  void setInForce(const QString& used) override { m_box->setInForce(used); }
  QWidget* field() const override { return m_box; }
  QWidget* beneath() const override { return m_line; }

 private:
  QToolButton* fileButton(const ParameterSpec& spec) {
    auto* file = m_file = new QToolButton(m_line);
    file->setText(QStringLiteral("…"));
    file->setToolTip(tr("Read the values from a NumPy, safetensors or torch file"));
    file->setAccessibleName(tr("%1 from a file").arg(QString::fromStdString(spec.title())));
    connect(file, &QToolButton::clicked, this, [this, spec] { chooseFile(spec); });
    return file;
  }

  void chooseFile(const ParameterSpec& spec) {
    // The window is the parent, because this row may be deleted while the dialog is open: another
    // file can change the parameters.
    const QPointer<ListEditor> alive(this);
    const QString path =
        QFileDialog::getOpenFileName(m_line->window(), tr("Read a list"), {}, QString::fromStdString(spec.file_filter));
    if (!alive || path.isEmpty()) return;
    m_file->setEnabled(false);
    m_reading.run<std::vector<ListedTensor>>(
        [chosen = bytesOf(path)](const std::stop_token&) {
          const auto file = open_file(chosen);
          const auto tensors = file ? list_tensors(*file, chosen, TensorUse::cells) : file.error();
          return tensors ? *tensors : std::vector<ListedTensor>();  // reading reports the error
        },
        [this, spec, chosen = bytesOf(path)](const std::vector<ListedTensor>& tensors) {
          if (tensors.size() <= 1) return read(spec, chosen);
          m_file->setEnabled(true);
          const QPointer<ListEditor> alive(this);
          TensorDialog dialog(chosen, tensors, m_line->window(), TensorDialog::Indices::later);
          if (dialog.exec() == QDialog::Accepted && alive) read(spec, tensor_name_text(dialog.name()));
        });
  }

  void read(const ParameterSpec& spec, const std::string& tensor) {
    m_file->setEnabled(false);
    m_reading.run<Result<ParameterValues>>(
        [spec, tensor](const std::stop_token&) -> Result<ParameterValues> {
          ParameterValues values;
          const auto done = read_array_file(spec, tensor, values);
          const auto checked = done ? check_value(spec, *values.find(spec.name)) : done;
          return checked ? Result<ParameterValues>(std::move(values)) : checked.error();
        },
        [this](const Result<ParameterValues>& values) {
          m_file->setEnabled(true);
          if (values) return emit editedTogether(*values);
          emit refused(QString::fromStdString(values.error().message));
        });
  }

  QWidget* m_line;
  EntryBox* m_box;
  QToolButton* m_file = nullptr;  ///< disabled while a file is read
  FieldScheduler m_reading;
};

/// Edits a mask's text. An invalid text stays in the field; the value stays the last valid text.
class MaskTextEditor : public ValueEditor {
 public:
  MaskTextEditor(const ParameterSpec& spec, QWidget* row) : ValueEditor(row), m_text(new MaskTextEdit(row)) {
    if (spec.default_value == ParameterValue(std::string()))
      m_text->allowNothing(QStringLiteral("q_idx - kv_idx < 128"));
    connect(m_text, &MaskTextEdit::refused, this, &ValueEditor::refused);
    connect(m_text, &MaskTextEdit::accepted, this, [this](const QString& text, bool finished) {
      m_value = text.toStdString();
      emit edited(m_value, finished);
    });
  }

  void setValue(const ParameterValue& value) override {
    if (m_value == std::get<std::string>(value)) return;
    m_value = std::get<std::string>(value);
    m_text->setMaskText(QString::fromStdString(m_value));
    emit refused({});
  }
  QWidget* field() const override { return m_text; }
  QWidget* beneath() const override { return m_text; }

 private:
  MaskTextEdit* m_text;
  std::string m_value;
};

/// Edits a text of one line that is not a mask.
class LineEditor : public ValueEditor {
 public:
  LineEditor(const ParameterSpec& spec, QWidget* row) : ValueEditor(row), m_box(new EntryBox(spec, row)) {
    m_box->setPlaceholderText(QString::fromStdString(spec.automatic));
    if (!spec.choices.empty()) suggest(spec.choices);
    connect(m_box, &EntryBox::committed, this, [this](const ParameterValue& value) { emit edited(value, true); });
    connect(m_box, &EntryBox::refused, this, &ValueEditor::refused);
  }

  void setValue(const ParameterValue& value) override { m_box->setValue(value); }
  QWidget* field() const override { return m_box; }
  QWidget* beneath() const override { return m_box; }

 private:
  /// Other texts may be typed too.
  void suggest(const std::vector<Choice>& choices) {
    auto* menu = new QMenu(m_box);
    for (const Choice& choice : choices)
      menu->addAction(QString::fromStdString(choice.id), this, [this, id = choice.id] { emit edited(id, true); });
    auto* open = m_box->addAction(m_box->style()->standardIcon(QStyle::SP_ArrowDown), QLineEdit::TrailingPosition);
    open->setText(tr("Values that the mask compares with"));
    connect(open, &QAction::triggered, m_box,
            [this, menu] { menu->popup(m_box->mapToGlobal(m_box->rect().bottomLeft())); });
  }

  EntryBox* m_box;
};

}  // namespace

ValueEditor* makeValueEditor(const ParameterSpec& spec, QWidget* row) {
  switch (spec.kind) {
    case ParameterKind::integer:
    case ParameterKind::real: return new NumberEditor(spec, row);
    case ParameterKind::boolean: return new BooleanEditor(spec, row);
    case ParameterKind::choice:
      if (SegmentEditor::fits(spec, row)) return new SegmentEditor(spec, row);
      return new ComboEditor(spec, row);
    case ParameterKind::choice_set: return new ChipEditor(spec, row);
    case ParameterKind::integer_list:
    case ParameterKind::real_list: return new ListEditor(spec, row);
    case ParameterKind::tensor: return new TensorEditor(spec, row);
    case ParameterKind::text:
      if (spec.text_form == TextForm::line) return new LineEditor(spec, row);
      return new MaskTextEditor(spec, row);
  }
  return nullptr;
}

}  // namespace vqscope
