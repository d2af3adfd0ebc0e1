// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/parts/freshness.h"

#include <QTimer>
#include <QWidget>

class QLabel;

namespace vqscope {

/// What lies over an answer that is not of the values in the form: a wash that takes its colours, and a word that a
/// newer one is being computed, or the sentence that says why none comes. The same over maps, rows, checks and curves.
/// An answer that comes soon is not veiled at all. The mouse goes through.
class Veil : public QWidget {
  Q_OBJECT
 public:
  /// Where the sentence stands; `nowhere`: another veil beside says it.
  enum class Banner { top, bottom, nowhere };
  explicit Veil(QWidget* over, Banner banner);

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
  QTimer m_patience;
};

}  // namespace vqscope
