// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLabel;
class QPlainTextEdit;

namespace vqscope {

/// Enters the note on a cell; an empty text removes it.
class NoteDialog : public QDialog {
  Q_OBJECT
 public:
  /// `place`: "query 12, key 8".
  NoteDialog(const QString& place, const QString& text, QWidget* parent);

  QString text() const;
  /// Stays open with a sentence where the text is longer than a note may be.
  void accept() override;

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QPlainTextEdit* m_text;
  QLabel* m_error;
};

}  // namespace vqscope
