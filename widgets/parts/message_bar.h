// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QTimer>

class QLabel;

namespace vqscope {

/// One sentence below the views, at most 400 characters of it. News goes by itself; what went wrong stays until it is
/// dismissed or something newer is said.
class MessageBar : public QFrame {
  Q_OBJECT
 public:
  explicit MessageBar(QWidget* parent = nullptr);

  void say(const QString& sentence, bool bad);
  QString sentence() const;
  bool isBad() const { return m_bad; }
  void clear() { hide(); }

 private:
  QLabel* m_label;
  QTimer m_timer;
  bool m_bad = false;
};

}  // namespace vqscope
