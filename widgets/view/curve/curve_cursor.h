// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"

#include <optional>

class QCPItemStraightLine;
class QCustomPlot;

namespace vqscope {

/// A vertical line through the sample that is read, on a layer that is drawn without the curves.
class CurveCursor {
 public:
  explicit CurveCursor(QCustomPlot& plot);

  /// After the plot was cleared.
  void renew();
  /// Puts the line through the sample nearest to x, and returns its number; nothing hides it. Without
  /// `line`, others show the sample.
  std::optional<std::size_t> show(const CurveSet& curves, std::optional<double> x, bool line);
  /// The x that is shown.
  std::optional<double> at() const { return m_at; }
  /// The x some samples further, within the curves; the first move is to the sample at `start`.
  double moved(const CurveSet& curves, int samples, double start) const;

 private:
  QCustomPlot& m_plot;
  QCPItemStraightLine* m_line = nullptr;  ///< the plot's
  std::optional<double> m_at;
};

}  // namespace vqscope
