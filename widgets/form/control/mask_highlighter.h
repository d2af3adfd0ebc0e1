// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/source_error.h"
#include "core/mask/language/parse/source_tokens.h"

#include <QSyntaxHighlighter>

#include <vector>

namespace vqscope {

/// Colours the mask language as it is typed, by the tokens that the parser itself reads.
class MaskHighlighter : public QSyntaxHighlighter {
  Q_OBJECT
 public:
  explicit MaskHighlighter(QTextDocument* document);

  /// Colours of the theme have changed.
  void restyle() { rehighlight(); }

 protected:
  void highlightBlock(const QString& text) override;

 private:
  /// Once a change of the text, however many lines ask.
  void readTokens();

  bool m_read = false;  ///< the tokens are those of the text as it is
  std::vector<SourceToken> m_tokens;
  std::vector<Index> m_at;  ///< for each byte of the text its character, the end included
};

/// Where `error` lies in `text`, in characters, at least one of them where there is one.
Range charactersOf(const SourceError& error, const QString& text);

}  // namespace vqscope
