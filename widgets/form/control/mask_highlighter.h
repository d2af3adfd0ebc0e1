// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/parse/source_error.h"
#include "core/mask/language/parse/source_tokens.h"

#include <QSyntaxHighlighter>

#include <vector>

namespace vqscope {

/// Colours text of the mask language while it is typed, using the tokens of the parser.
class MaskHighlighter : public QSyntaxHighlighter {
  Q_OBJECT
 public:
  explicit MaskHighlighter(QTextDocument* document);

  /// The colours of the theme have changed.
  void restyle() { rehighlight(); }

 protected:
  void highlightBlock(const QString& text) override;

 private:
  /// Reads the tokens once for each change of the text, for any number of lines.
  void readTokens();

  bool m_read = false;  ///< the tokens belong to the current text
  std::vector<SourceToken> m_tokens;
  std::vector<Index> m_at;  ///< for each byte of the text, and for its end, the index of its character
};

/// The range of `error` in `text`, in characters; not empty unless the text is.
Range charactersOf(const SourceError& error, const QString& text);

}  // namespace vqscope
