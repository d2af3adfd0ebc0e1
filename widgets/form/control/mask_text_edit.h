// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/source_error.h"

#include <QPlainTextEdit>
#include <QTimer>

#include <optional>

namespace vqscope {

class MaskHighlighter;
class MaskTyping;

/// Editor of the mask language with highlighting, completion and underlined errors. Its height
/// follows the number of lines, within limits.
class MaskTextEdit : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit MaskTextEdit(QWidget* parent = nullptr);
  ~MaskTextEdit() override { emit closing(); }

  /// Emits nothing.
  void setMaskText(const QString& text);
  /// After this call, an empty text is valid and means no mask; the editor then shows `example` in
  /// grey. Otherwise an empty text is an error.
  void allowNothing(const QString& example);
  /// What is wrong with the text, or most likely not intended.
  struct Review {
    std::optional<SourceError> error;
    std::vector<SourceError> warnings;
  };
  const Review& review() const { return m_review; }
  /// What is typed becomes one undo step now.
  void finish();
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

 signals:
  /// The text is a valid mask. Not finished: the user is still typing.
  void accepted(const QString& text, bool finished);
  /// Why the text is not a mask; empty: it is one.
  void refused(const QString& sentence);
  /// review() is that of the text now.
  void reviewed();
  /// The document is about to be deleted: other views of it must leave it.
  void closing();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  bool isNothing(const QString& text) const;
  void onTextChanged();
  void check();
  void underline(const std::optional<SourceError>& error, const std::vector<SourceError>& warnings);

  MaskHighlighter* m_highlighter;
  MaskTyping* m_typing;
  Review m_review;
  QTimer m_pause;   ///< when it ends, the typed text becomes one undo step
  QString m_known;  ///< the text after its last change
  bool m_unfinished = false;
  bool m_setting = false;
  bool m_nothingAllowed = false;
};

}  // namespace vqscope
