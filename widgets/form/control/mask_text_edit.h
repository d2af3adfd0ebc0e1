// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/source_error.h"

#include <QPlainTextEdit>
#include <QTimer>

#include <optional>

class QCompleter;
class QStringListModel;

namespace vqscope {

class MaskHighlighter;

/// A text of the mask language: highlighted and completed while it is typed, its error underlined where it is. As high
/// as its lines ask for, within limits.
class MaskTextEdit : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit MaskTextEdit(QWidget* parent = nullptr);

  /// Emits nothing.
  void setMaskText(const QString& text);
  /// No text is no mask, and `example` stands there in grey; otherwise it is refused.
  void allowNothing(const QString& example);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

 signals:
  /// A text that is a mask. Not finished: more is being typed.
  void accepted(const QString& text, bool finished);
  /// Why the text is none; empty: it is one.
  void refused(const QString& sentence);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  bool isNothing(const QString& text) const;
  void onTextChanged();
  void review();
  void finish();
  void underline(const std::optional<SourceError>& error, const std::vector<SourceError>& warnings);
  void offerCompletion(bool asked);
  void complete(const QString& word);
  QString wordBeforeCursor() const;
  void indentNewLine();

  MaskHighlighter* m_highlighter;
  QCompleter* m_completer;
  QStringListModel* m_words;
  QTimer m_pause;   ///< after it what was typed is one step of undo
  QString m_known;  ///< the text as of the last change of it
  bool m_unfinished = false;
  bool m_setting = false;
  bool m_nothingAllowed = false;
};

}  // namespace vqscope
