// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/editor/number_editor.h"

#include "widgets/form/control/value_text.h"
#include "widgets/theme/icons.h"

#include <QHBoxLayout>
#include <QHideEvent>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int stepMilliseconds = 150;

}  // namespace

PlayButton::PlayButton(const QString& title, QWidget* parent) : QToolButton(parent), m_title(title) {
  setAutoRaise(true);
  setFocusPolicy(Qt::StrongFocus);
  m_timer.setInterval(stepMilliseconds);
  connect(&m_timer, &QTimer::timeout, this, &PlayButton::stepped);
  connect(this, &QToolButton::clicked, this, [this] { isPlaying() ? stop() : start(); });
  showState();
}

void PlayButton::start() {
  m_timer.start();
  showState();
  emit started();
}

void PlayButton::stop() {
  if (!isPlaying()) return;
  m_timer.stop();
  showState();
  emit stopped();
}

void PlayButton::showState() {
  setIcon(vqscope::icon(isPlaying() ? "pause" : "play"));
  const QString tip = isPlaying() ? tr("Pause %1").arg(m_title) : tr("Play %1 up to its maximum").arg(m_title);
  setToolTip(tip);
  setAccessibleName(tip);
}

void PlayButton::hideEvent(QHideEvent* event) {
  QToolButton::hideEvent(event);
  if (!event->spontaneous()) stop();
}

NumberEditor::NumberEditor(const ParameterSpec& spec, QWidget* row)
    : ValueEditor(row),
      m_scale(spec),
      m_integer(spec.kind == ParameterKind::integer),
      m_box(new EntryBox(spec, row)),
      m_beside(m_box),
      m_slider(new ThinSlider(row)) {
  fitBox();
  connect(m_box, &QLineEdit::textChanged, this, &NumberEditor::fitBox);
  m_slider->setObjectName(QString::fromStdString(spec.name) + ".slider");
  m_slider->setAccessibleName(QString::fromStdString(spec.title() + ", slider"));
  m_slider->setEnabled(spec.maximum > spec.minimum);
  connect(m_box, &EntryBox::committed, this, [this](const ParameterValue& value) {
    stop();
    m_box->setValue(value);
    placeKnob();
    emit edited(value, true);
  });
  connect(m_box, &EntryBox::refused, this, &ValueEditor::refused);
  connect(m_box, &EntryBox::stepped, this, &NumberEditor::step);
  connect(m_slider, &ThinSlider::dragged, this, &NumberEditor::drag);
  connect(m_slider, &ThinSlider::released, this, &NumberEditor::endDrag);
  connect(m_slider, &ThinSlider::stepped, this, &NumberEditor::step);
  if (m_integer && spec.playable) addPlayer(spec, row);
}

void NumberEditor::addPlayer(const ParameterSpec& spec, QWidget* row) {
  m_beside = new QWidget(row);
  m_player = new PlayButton(QString::fromStdString(spec.title()), m_beside);
  m_player->setEnabled(spec.maximum > spec.minimum);
  m_player->setObjectName(QString::fromStdString(spec.name) + ".play");
  auto* line = new QHBoxLayout(m_beside);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(4);
  line->addWidget(m_player);
  line->addWidget(m_box);
  connect(m_player, &PlayButton::started, this, [this, spec] {
    m_played = std::get<Index>(m_box->value());
    if (m_played >= static_cast<Index>(spec.maximum)) playTo(static_cast<Index>(spec.minimum));
  });
  connect(m_player, &PlayButton::stepped, this, [this, spec] {
    playTo(m_played + 1);
    if (m_played >= static_cast<Index>(spec.maximum)) m_player->stop();
  });
  connect(m_player, &PlayButton::stopped, this, &NumberEditor::endPlay);
  connect(m_box, &QLineEdit::textEdited, this, &NumberEditor::stop);
}

void NumberEditor::playTo(Index value) {
  m_played = value;
  m_box->setValue(value);
  placeKnob();
  m_unfinished = true;
  emit edited(value, false);
}

void NumberEditor::endPlay() {
  if (!m_unfinished) return;
  m_unfinished = false;
  emit edited(m_played, true);
}

void NumberEditor::stop() {
  if (m_player) m_player->stop();
}

void NumberEditor::setValue(const ParameterValue& value) {
  m_box->setValue(value);
  // While the knob is dragged, it follows the mouse.
  if (!m_slider->isSliderDown()) placeKnob();
  if (!m_player || !m_player->isPlaying() || value == ParameterValue(m_played)) return;
  // After an undo or in another document, playing ends. Its last edit waits until all values are
  // set.
  m_played = std::get<Index>(value);
  m_unfinished = false;
  stop();
  QMetaObject::invokeMethod(
      this, [this] { emit edited(m_box->value(), true); }, Qt::QueuedConnection);
}

void NumberEditor::fitBox() {
  constexpr int widest = 2 * box_width;  // 19 digits in groups
  m_box->setFixedWidth(std::clamp(m_box->widthOfText(), box_width, widest));
}

void NumberEditor::placeKnob() { m_slider->setFraction(m_scale.fraction(asNumber(m_box->value()))); }

ParameterValue NumberEditor::valueOf(double number) const {
  if (m_integer) return static_cast<Index>(number);
  return number;
}

void NumberEditor::drag(double fraction) {
  const ParameterValue value = valueOf(m_scale.value(fraction));
  if (value == m_box->value()) return;
  stop();
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
  stop();
  const ParameterValue value = valueOf(m_scale.stepped(asNumber(m_box->value()), count, step));
  if (value == m_box->value()) return;
  m_box->setValue(value);
  placeKnob();
  emit edited(value, true);
}

}  // namespace vqscope
