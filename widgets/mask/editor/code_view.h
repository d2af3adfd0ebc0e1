// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/fix/text_fix.h"
#include "core/mask/text_notes.h"

#include <QPlainTextEdit>
#include <QPointer>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vqscope {

class MaskHighlighter;
class MaskTextEdit;
class MaskTyping;

/// A second view of the text of a MaskTextEdit, with line numbers, marks of errors beside them, and
/// the values of the picked cell behind each line. What is typed here is typed there: both have one
/// document.
class CodeView : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit CodeView(QWidget* parent);
  ~CodeView() override;

  /// Null: there is no text.
  void follow(MaskTextEdit* edit);
  /// Null: there is no text.
  const MaskTextEdit* edit() const;
  /// Shown to be read while there is no text to edit.
  void setOther(const QString& text);
  /// Values of a cell. `terms`: their names.
  void setNotes(TextNotes notes, std::vector<std::string> terms);
  /// Notes are of the text as it is now; those of another text are pale.
  void takeNotedText();
  /// A comparison to mend; ignored if it is not in the text.
  void setFix(const std::optional<TextFix>& fix);
  const std::optional<TextFix>& fix() const { return m_fix; }
  /// What stands behind a line, counted from 0.
  QString noteOf(int line) const;
  int gutterWidth() const;
  void goTo(int line, int column);

 signals:
  /// The mouse is over a term of the mask, or has left it.
  void termPointed(const std::optional<std::size_t>& term);
  /// review() of the text, or the fix, is another.
  void reviewed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  class Gutter;

  void paintGutter(QPaintEvent* event);
  void paintMarkedLines(QPaintEvent* event);
  QFont noteFont() const;
  /// Pixels for a note behind the line.
  double spaceBehind(const QTextBlock& block) const;
  void underline();
  void markLines();
  void fitGutter();
  void onTextChanged();
  void point(const std::optional<std::size_t>& term);
  std::optional<std::size_t> termAt(const QPoint& position) const;
  /// The mark beside a line: error, warning or fix.
  QColor markOf(int line) const;

  QPointer<MaskTextEdit> m_edit;
  QTextDocument* m_empty;          ///< without a text to edit
  MaskHighlighter* m_highlighter;  ///< of m_empty
  MaskTyping* m_typing;
  Gutter* m_gutter;
  TextNotes m_notes;
  std::vector<std::string> m_terms;
  QString m_noted;  ///< the text that the notes are of
  std::optional<TextFix> m_fix;
  QString m_fixed;  ///< the text that the fix is of
  std::optional<std::size_t> m_pointed;
};

}  // namespace vqscope
