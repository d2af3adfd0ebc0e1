// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/value_editor.h"

#include "widgets/form/choice_editors.h"
#include "widgets/form/number_editor.h"

#include <QCheckBox>
#include <QSignalBlocker>

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
  ListEditor(const ParameterSpec& spec, QWidget* row) : ValueEditor(row), m_box(new EntryBox(spec, row)) {
    connect(m_box, &EntryBox::committed, this, [this](const ParameterValue& value) { emit edited(value, true); });
    connect(m_box, &EntryBox::refused, this, &ValueEditor::refused);
  }

  void setValue(const ParameterValue& value) override { m_box->setValue(value); }
  QWidget* field() const override { return m_box; }
  QWidget* beneath() const override { return m_box; }

 private:
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
    case ParameterKind::integer_list: return new ListEditor(spec, row);
  }
  return nullptr;
}

}  // namespace vqscope
