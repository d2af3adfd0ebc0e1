// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/thin_slider.h"

#include "widgets/theme/palette.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr double track_height = 3;
constexpr double knob_radius = 5;
constexpr double margin = knob_radius + 1.5;  // room for the focus ring
constexpr int steps = 10000;

}  // namespace

ThinSlider::ThinSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
  setRange(0, steps);
  setFocusPolicy(Qt::StrongFocus);  // not the wheel: it scrolls the panel
  setAttribute(Qt::WA_Hover);
  // Only assistive technology sets the value directly: everything else goes through setFraction().
  connect(this, &QSlider::valueChanged, this, [this] {
    emit dragged(fraction());
    emit released();
  });
}

double ThinSlider::fraction() const { return static_cast<double>(value()) / steps; }

void ThinSlider::setFraction(double fraction) {
  const QSignalBlocker blocker(this);
  setValue(static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * steps)));
}

QSize ThinSlider::sizeHint() const { return {60, static_cast<int>(2 * margin) + 1}; }

void ThinSlider::paintEvent(QPaintEvent*) {
  const Palette& p = currentPalette();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  const double middle = height() / 2.0;
  const double x = margin + fraction() * (width() - 2 * margin);
  const auto track = [&](double from, double to, const QColor& colour) {
    painter.setBrush(colour);
    painter.drawRoundedRect(QRectF(from, middle - track_height / 2, to - from, track_height), 1.5, 1.5);
  };
  const QColor colour = isEnabled() ? p.accent : p.line;
  // The track includes the knob's margin at the ends, so that it aligns with the box above.
  track(0, width(), mixed(p.raised, p.line, 0.7));
  track(0, x, colour);
  if (hasFocus()) {
    painter.setBrush(mixed(p.panel, p.accent, 0.4));
    painter.drawEllipse(QPointF(x, middle), margin, margin);
  }
  painter.setPen(QPen(colour, underMouse() || isSliderDown() ? 2.6 : 2));
  painter.setBrush(p.dark ? p.text : p.panel);
  painter.drawEllipse(QPointF(x, middle), knob_radius - 1, knob_radius - 1);
}

void ThinSlider::dragTo(double x) {
  const double fraction = std::clamp((x - margin) / std::max(width() - 2 * margin, 1.0), 0.0, 1.0);
  setFraction(fraction);
  emit dragged(fraction);
}

void ThinSlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) {
    event->ignore();
    return;
  }
  setSliderDown(true);
  dragTo(event->position().x());
}

void ThinSlider::mouseMoveEvent(QMouseEvent* event) {
  if (isSliderDown()) dragTo(event->position().x());
}

void ThinSlider::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !isSliderDown()) return;
  setSliderDown(false);
  emit released();
  update();
}

void ThinSlider::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down: emit stepped(-1, Step::notch); return;
    case Qt::Key_Right:
    case Qt::Key_Up: emit stepped(1, Step::notch); return;
    case Qt::Key_PageDown: emit stepped(-1, Step::octave); return;
    case Qt::Key_PageUp: emit stepped(1, Step::octave); return;
    case Qt::Key_Home:
    case Qt::Key_End:
      emit dragged(event->key() == Qt::Key_Home ? 0 : 1);
      emit released();
      return;
    default: event->ignore();
  }
}

void ThinSlider::wheelEvent(QWheelEvent* event) {
  if (!hasFocus()) {
    event->ignore();
    return;
  }
  event->accept();
  m_wheel += event->angleDelta().y();
  const int notches = m_wheel / QWheelEvent::DefaultDeltasPerStep;
  m_wheel -= notches * QWheelEvent::DefaultDeltasPerStep;
  const bool octave = event->modifiers() & Qt::ControlModifier;
  if (notches != 0) emit stepped(notches, octave ? Step::octave : Step::notch);
}

}  // namespace vqscope
