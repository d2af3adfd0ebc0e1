// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/session_keeper.h"

#include <QFrame>

class QLabel;

namespace vqscope {

/// Offers the session that an earlier start left, above the page, until it is answered or hidden.
class RecoveryBar : public QFrame {
  Q_OBJECT
 public:
  explicit RecoveryBar(QWidget* parent = nullptr);

  /// Hides the bar if there is nothing to offer.
  void show(const std::optional<SessionKeeper::Offer>& offer);
  QString sentence() const;

 signals:
  void restored();
  void discarded();

 private:
  QLabel* m_label;
};

}  // namespace vqscope
