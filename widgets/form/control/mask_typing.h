// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

class QCompleter;
class QKeyEvent;
class QPlainTextEdit;
class QStringListModel;

namespace vqscope {

/// Typing in the mask language: completion of known names and of those in the text, and the
/// indentation of new lines. For any number of views of a text.
class MaskTyping : public QObject {
  Q_OBJECT
 public:
  explicit MaskTyping(QPlainTextEdit* edit);

  /// Before the view handles a key: whether that is done already.
  bool take(QKeyEvent* event);
  /// After the view has handled a key.
  void follow(const QKeyEvent& event);

 private:
  void offer(bool requested);
  void complete(const QString& word);
  void indentNewLine();
  QString wordBeforeCursor() const;
  /// Known names and those of the text, without the word that is being typed.
  QStringList words(const QString& typed) const;

  QPlainTextEdit& m_edit;
  QCompleter* m_completer;
  QStringListModel* m_words;
};

}  // namespace vqscope
