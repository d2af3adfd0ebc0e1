// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/editor/number_editor.h"

#include "widgets/form/control/value_text.h"
#include "widgets/theme/icons.h"

#include <QCursor>
#include <QDeadlineTimer>
#include <QHBoxLayout>
#include <QHideEvent>
#include <QToolTip>

#include <algorithm>

namespace vqscope {
namespace {

constexpr int stepMilliseconds = 150;
constexpr int searchedSteps = 8;
constexpr int mostHalvings = 32;
constexpr int longestSearch = 50;  // milliseconds, during a drag

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
    const Index before = m_played;
    playTo(before + 1);
    const bool refused = isRefused();
    if (refused) playTo(before);
    if (refused || m_played >= static_cast<Index>(spec.maximum)) m_player->stop();
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

std::optional<double> NumberEditor::allowedNear(double to, double from) const {
  const int back = to > from ? -1 : 1;
  for (int steps = 0; steps < searchedSteps; ++steps) {
    const double number = m_scale.stepped(to, back * steps, Step::fine);
    if (back * (number - from) > 0) return std::nullopt;
    if (isAllowed(number)) return number;
  }
  return std::nullopt;
}

double NumberEditor::limited(double from, double to) const {
  if (isAllowed(to) || !isAllowed(from)) return to;
  if (const auto near = allowedNear(to, from)) return *near;
  double good = m_scale.fraction(from), bad = m_scale.fraction(to), last = from;
  // Beside lists of millions of numbers a check takes many milliseconds.
  const QDeadlineTimer deadline(longestSearch);
  for (int halvings = 0; halvings < mostHalvings; ++halvings) {
    if (deadline.hasExpired()) return to;
    const double middle = (good + bad) / 2;
    const auto near = allowedNear(m_scale.value(middle), from);
    (near ? good : bad) = middle;
    if (near) last = *near;
  }
  const double before = m_scale.stepped(last, to > from ? -1 : 1, Step::fine);
  const bool isLimit = before != last && allowedNear(before, m_scale.stepped(before, to > from ? -10 : 10, Step::fine));
  return isLimit ? last : to;
}

void NumberEditor::show(double number) {
  m_box->setValue(valueOf(number));
  placeKnob();
}

void NumberEditor::drag(double fraction) {
  const double from = asNumber(m_box->value()), wanted = m_scale.value(fraction);
  const double to = std::max(std::min(wanted, m_most.value_or(wanted)), m_least.value_or(wanted));
  if (to != wanted) m_slider->setFraction(m_scale.fraction(to));
  if (to == from) return;
  stop();
  m_box->setValue(valueOf(to));
  m_unfinished = true;
  emit edited(valueOf(to), false);
  if (!isRefused()) return;
  const double number = limited(from, to);
  if (number == to) return;
  if (!allowedNear(to, from)) (to > from ? m_most : m_least) = number;
  QToolTip::showText(QCursor::pos(), m_limits.reason(valueOf(to)), m_slider);
  show(number);
  emit edited(valueOf(number), false);
}

void NumberEditor::endDrag() {
  m_least.reset();
  m_most.reset();
  placeKnob();
  if (!m_unfinished) return;
  m_unfinished = false;
  emit edited(m_box->value(), true);
}

/// Where only some numbers are allowed, such as even ones, a step goes to the next of them.
double NumberEditor::nextAllowed(double from, double to) const {
  for (int more = 1; more < searchedSteps; ++more)
    if (const double next = m_scale.stepped(to, to > from ? more : -more, Step::fine); isAllowed(next)) return next;
  return limited(from, to);
}

void NumberEditor::step(int count, Step step) {
  stop();
  const double from = asNumber(m_box->value()), to = m_scale.stepped(from, count, step);
  if (to == from) return;
  show(to);
  emit edited(valueOf(to), true);
  if (!isRefused()) return;
  const double next = nextAllowed(from, to);
  if (next == to) return;
  show(next);
  emit edited(valueOf(next), true);
}

}  // namespace vqscope
