// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/subject/token_texts.h"

#include <qcustomplot.h>

namespace vqscope {

/// Ticks of a cell axis: whole indices at round distances, written in full with thin spaces between
/// thousands.
class IndexTicker : public QCPAxisTicker {
 protected:
  double getTickStep(const QCPRange& range) override;
  int getSubTickCount(double step) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

/// Ticks of log axes, with plain numbers as labels (0.01, 1, 100, 10 000) while these are short,
/// else powers of ten. Between powers of ten, 2 and 5 only, if there is space.
class LogTicker : public QCPAxisTickerLog {
 protected:
  QVector<double> createTickVector(double step, const QCPRange& range) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

/// Ticks of a linear value axis, without needless digits and with thin spaces between thousands.
class NumberTicker : public QCPAxisTicker {
 protected:
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

/// The number of ticks for which labels of the range's greatest length fit on an axis of `pixels`.
int tickCountFor(const QCPAxis& axis, int pixels);

/// "2 097 152", "0.25", "1e-9".
QString plotNumber(double value);

/// Ticks of an axis of tokens: one for each cell, with the token's text beside its number, while
/// there is room for a line of text in a cell; else those of an IndexTicker.
class TokenTicker : public IndexTicker {
 public:
  /// Cell 0 is token `first`.
  TokenTicker(TokenTexts texts, Index first) : m_texts(std::move(texts)), m_first(first) {}

  /// Chooses for the range of the axis and a whole plot of that many pixels along it, whatever the
  /// margins are: they depend on the labels. Turns the labels of a horizontal axis upright.
  void prepare(QCPAxis& axis, int plotPixels);

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
