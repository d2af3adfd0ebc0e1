// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QTimer>

class QLabel;

namespace vqscope {

/// One sentence below the views, cut at 400 characters. News disappears by itself; an error stays until it is dismissed
/// or replaced.
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
