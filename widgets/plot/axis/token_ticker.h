// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/subject/token_texts.h"
#include "widgets/plot/axis/index_ticker.h"

namespace vqscope {

/// Ticks of an axis of tokens: one for each cell, with the token's text beside its number, while there is room for a
/// line of text in a cell; else those of an IndexTicker.
class TokenTicker : public IndexTicker {
 public:
  /// Cell 0 is token `first`.
  TokenTicker(TokenTexts texts, Index first) : m_texts(std::move(texts)), m_first(first) {}

  /// Chooses for the range of the axis and a whole plot of that many pixels along it, whatever the margins are: they
  /// depend on the labels. Turns the labels of a horizontal axis upright.
  void prepare(QCPAxis& axis, int plotPixels);
  bool showsTexts() const { return m_shown; }

 protected:
  double getTickStep(const QCPRange& range) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

 private:
  TokenTexts m_texts;
  Index m_first;
  bool m_shown = false;
  bool m_upright = false;
};

}  // namespace vqscope
