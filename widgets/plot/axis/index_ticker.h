// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace vqscope {

/// Ticks of a cell axis: whole indices at round distances, written in full with thin spaces between thousands.
class IndexTicker : public QCPAxisTicker {
 protected:
  double getTickStep(const QCPRange& range) override;
  int getSubTickCount(double step) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

/// Ticks of log axes, with plain numbers as labels (0.01, 1, 100, 10 000) while these are short, else powers of ten.
/// Between powers of ten, 2 and 5 only, if there is space.
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

}  // namespace vqscope
