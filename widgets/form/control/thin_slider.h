// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/control/slider_scale.h"

#include <QSlider>

namespace vqscope {

/// A slim track; its part up to the knob has the accent colour. It works with fractions of its
/// length: its owner converts them to values. A press moves the knob there.
class ThinSlider : public QSlider {
  Q_OBJECT
 public:
  explicit ThinSlider(QWidget* parent = nullptr);

  /// 0 to 1; emits nothing.
  void setFraction(double fraction);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 signals:
  void dragged(double fraction);
  void released();
  void stepped(int count, vqscope::Step step);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  double fraction() const;
  void dragTo(double x);

  int m_wheel = 0;
};

}  // namespace vqscope
