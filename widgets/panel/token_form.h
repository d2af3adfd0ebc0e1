// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/subject/token_texts.h"
#include "core/session/subject/tokenizer.h"

#include <QWidget>

#include <optional>
#include <string>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace vqscope {

/// Form for pasting or typing the texts of the sequence's tokens, or their ids.
class TokenForm : public QWidget {
  Q_OBJECT
 public:
  /// `tokenizer`: the tokenizer.json for ids; empty: none.
  explicit TokenForm(const TokenTexts& texts, std::string tokenizer, QWidget* parent = nullptr);

  /// Hands on what was typed, if it has changed and can be read.
  void commit();
  void showError(const QString& sentence);

 signals:
  void entered(const vqscope::TokenTexts& texts);

 private:
  void showCount();
  Result<TokenTexts> typed();

  TokenTexts m_texts;
  std::string m_tokenizer;
  std::optional<Tokenizer> m_vocabulary;  ///< read when ids are typed
  QPlainTextEdit* m_edit;
  QLabel* m_message;
  QPushButton* m_use;
};

}  // namespace vqscope
