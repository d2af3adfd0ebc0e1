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

/// Log axes whose labels are plain numbers (0.01, 1, 100, 10 000) while those stay short, powers of ten beyond.
/// Between powers of ten stand 2 and 5 where there is room, and nothing else.
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

/// As many ticks as labels as long as the range's longest have room for on an axis of `pixels`.
int tickCountFor(const QCPAxis& axis, int pixels);

/// "2 097 152", "0.25", "1e-9".
QString plotNumber(double value);

}  // namespace vqscope
