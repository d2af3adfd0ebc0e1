// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks of axes whose numbers have places of their own: measured points, bytes.
#pragma once

#include <qcustomplot.h>

#include <vector>

namespace vqscope {

/// Ticks of a logarithmic axis at the few places that have a value: of sizes that double, 64, 128,
/// 256. Labels are left out where they would overlap; the other places keep their small ticks.
class PointTicker : public QCPAxisTicker {
 public:
  explicit PointTicker(std::vector<double> points) : m_points(std::move(points)) {}

 protected:
  QVector<double> createTickVector(double step, const QCPRange& range) override;
  int getSubTickCount(double) override { return 1; }
  QVector<double> createSubTickVector(int count, const QVector<double>& ticks) override;
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

 private:
  std::vector<double> m_points;  ///< ascending, above 0
};

/// Ticks of an axis of bytes, in binary units: 20, 40, 60 GiB, or on a logarithmic axis 1, 32 MiB,
/// 1 GiB.
class ByteTicker : public QCPAxisTicker {
 public:
  explicit ByteTicker(bool logarithmic) : m_logarithmic(logarithmic) {}

 protected:
  QVector<double> createTickVector(double step, const QCPRange& range) override;
  double getTickStep(const QCPRange& range) override;
  int getSubTickCount(double) override { return 0; }
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

 private:
  bool m_logarithmic;
};

}  // namespace vqscope
