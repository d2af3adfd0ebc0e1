// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/parts/freshness.h"

#include <QTimer>
#include <QWidget>

class QLabel;

namespace vqscope {

/// Covers a result that does not belong to the values in the form: greys it, and states that a new
/// one is being computed, or why there is none. Used for maps, rows, checks and curves. A result
/// that arrives soon gets no overlay, nor does one while a mouse button is held. Mouse events pass
/// through.
class Overlay : public QWidget {
  Q_OBJECT
 public:
  /// The place of the sentence; `nowhere`: another overlay shows it.
  enum class Banner { top, bottom, nowhere };
  explicit Overlay(QWidget* over, Banner banner);

  void setFreshness(const Freshness& freshness);
  void setBanner(Banner banner);
  const Freshness& freshness() const { return m_freshness; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();
  void showBanner();

  Banner m_place;
  Freshness m_freshness;
  QLabel* m_banner;
  QTimer m_idleTimeout;
};

}  // namespace vqscope
