// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/subject/token_texts.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace vqscope {

/// Form for pasting or typing the texts of the sequence's tokens.
class TokenForm : public QWidget {
  Q_OBJECT
 public:
  explicit TokenForm(const TokenTexts& texts, QWidget* parent = nullptr);

  /// Hands on what was typed, if it has changed and can be read.
  void commit();
  void showError(const QString& sentence);

 signals:
  void entered(const vqscope::TokenTexts& texts);

 private:
  void showCount();

  TokenTexts m_texts;
  QPlainTextEdit* m_edit;
  QLabel* m_message;
  QPushButton* m_use;
};

}  // namespace vqscope
