// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QTimer>

class QLabel;

namespace vqscope {

/// One sentence, cut at 400 characters, over the lower edge of a widget: nothing moves when it
/// appears or disappears. A notice disappears after the time that it takes to read, unless the
/// mouse is on it; an error stays until it is dismissed or replaced, or the next step clears it.
class MessageBar : public QFrame {
  Q_OBJECT
 public:
  explicit MessageBar(QWidget* parent = nullptr);

  /// Lies over this widget from now on.
  void floatOver(QWidget* host);
  void showMessage(const QString& sentence, bool bad);
  QString sentence() const;
  bool isBad() const { return m_bad; }
  void clear() { hide(); }
  /// The time for which news of this length is shown.
  static int readingMilliseconds(qsizetype characters);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void place();

  QLabel* m_label;
  QTimer m_timer;
  bool m_bad = false;
  bool m_floats = false;
};

}  // namespace vqscope
