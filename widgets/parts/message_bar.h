// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QTimer>

class QLabel;
class QToolButton;

namespace vqscope {

/// One sentence, cut at 400 characters, in a place of its own: it covers nothing. A notice
/// disappears after the time that it takes to read, unless the mouse is on it; an error stays until
/// it is dismissed or replaced, or the next step clears it. Work has a sentence until it ends, which
/// comes back after other messages.
class MessageBar : public QFrame {
  Q_OBJECT
 public:
  explicit MessageBar(QWidget* parent = nullptr);

  void showMessage(const QString& sentence, bool bad);
  QString sentence() const;
  bool isBad() const { return m_bad; }
  void clear();
  /// Work that a person can stop goes on until endWork().
  void showWork(const QString& sentence);
  void endWork();
  /// The width of the sentence in one line, with what is around it.
  int widthOfText() const;
  /// The height in this width. Of a sentence of more lines the tooltip has the whole.
  int fit(int width, int mostLines);
  /// The time for which news of this length is shown.
  static int readingMilliseconds(qsizetype characters);

 signals:
  /// Another sentence is shown, or none.
  void changed();
  /// The work that is shown is to be stopped.
  void workStopped();

 protected:
  void hideEvent(QHideEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void present(const QString& sentence, bool bad);
  void dismiss();
  bool isWorkShown() const { return !m_work.isEmpty() && m_sentence == m_work; }
  /// The width of what is beside the text.
  int around() const;

  QLabel* m_label;
  QToolButton* m_close;
  QTimer m_timer;
  bool m_bad = false;
  QString m_sentence;
  QString m_work;  ///< empty: none
};

}  // namespace vqscope
