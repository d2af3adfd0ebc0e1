// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/number_editor.h"

#include "widgets/form/value_text.h"

namespace vqscope {

NumberEditor::NumberEditor(const ParameterSpec& spec, QWidget* row)
    : ValueEditor(row),
      m_scale(spec),
      m_integer(spec.kind == ParameterKind::integer),
      m_box(new EntryBox(spec, row)),
      m_slider(new ThinSlider(row)) {
  m_box->setFixedWidth(box_width);
  m_slider->setObjectName(QString::fromStdString(spec.name) + ".slider");
  m_slider->setAccessibleName(QString::fromStdString(spec.title() + ", slider"));
  m_slider->setEnabled(spec.maximum > spec.minimum);
  connect(m_box, &EntryBox::committed, this, [this](const ParameterValue& value) {
    placeKnob();
    emit edited(value, true);
  });
  connect(m_box, &EntryBox::refused, this, &ValueEditor::refused);
  connect(m_box, &EntryBox::stepped, this, &NumberEditor::step);
  connect(m_slider, &ThinSlider::dragged, this, &NumberEditor::drag);
  connect(m_slider, &ThinSlider::released, this, &NumberEditor::endDrag);
  connect(m_slider, &ThinSlider::stepped, this, &NumberEditor::step);
}

void NumberEditor::setValue(const ParameterValue& value) {
  m_box->setValue(value);
  // Under the mouse the knob stays with the mouse.
  if (!m_slider->isSliderDown()) placeKnob();
}

void NumberEditor::placeKnob() { m_slider->setShare(m_scale.share(asNumber(m_box->value()))); }

ParameterValue NumberEditor::valueOf(double number) const {
  if (m_integer) return static_cast<Index>(number);
  return number;
}

void NumberEditor::drag(double share) {
  const ParameterValue value = valueOf(m_scale.value(share));
  if (value == m_box->value()) return;
  m_box->setValue(value);
  m_unfinished = true;
  emit edited(value, false);
}

void NumberEditor::endDrag() {
  placeKnob();
  if (!m_unfinished) return;
  m_unfinished = false;
  emit edited(m_box->value(), true);
}

void NumberEditor::step(int count, Step step) {
  const ParameterValue value = valueOf(m_scale.stepped(asNumber(m_box->value()), count, step));
  if (value == m_box->value()) return;
  m_box->setValue(value);
  placeKnob();
  emit edited(value, true);
}

}  // namespace vqscope
