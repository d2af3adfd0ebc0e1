// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/widgets/event_loop.h"
#include "widgets/view/curve_view.h"

#include <benchmark/benchmark.h>

#include <QElapsedTimer>
#include <QEvent>

#include <cmath>

namespace vqscope::bench {
namespace {

/// Says when a widget has been painted.
class PaintWatch : public QObject {
 public:
  explicit PaintWatch(QWidget* widget) { widget->installEventFilter(this); }
  bool painted = false;

 protected:
  bool eventFilter(QObject*, QEvent* event) override {
    painted = painted || event->type() == QEvent::Paint;
    return false;
  }
};

QWidget* plotOf(const CurveView& view) {
  for (auto* child : view.findChildren<QWidget*>())
    if (child->inherits("QCustomPlot")) return child;
  return nullptr;
}

/// New values of so many points, to their pixels.
void paint_curve(benchmark::State& state) {
  CurveView view;
  view.resize(800, 500);
  view.show();
  PaintWatch watch(plotOf(view));
  CurveSet set{.x_name = "r", .x_title = "relative distance r", .y_title = "score", .curves = {{"score", {}}}};
  for (Index x = 0; x < state.range(0); ++x) set.x.push_back(static_cast<double>(x));
  set.curves[0].y.resize(set.x.size());
  std::vector<double> times;
  for (auto _ : state) {
    for (std::size_t i = 0; i < set.x.size(); ++i)
      set.curves[0].y[i] = std::cos(set.x[i] * (0.01 + 1e-4 * static_cast<double>(times.size())));
    QElapsedTimer timer;
    timer.start();
    watch.painted = false;
    view.setCurves("Score", {}, set);
    runUntil([&] { return watch.painted; });
    times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
    state.SetIterationTime(times.back() / 1000);
  }
  state.counters["median_ms"] = quantile(times, 0.5);
}

}  // namespace

BENCHMARK(paint_curve)->Arg(512)->Arg(4096)->UseManualTime()->Iterations(60)->Unit(benchmark::kMillisecond);

}  // namespace vqscope::bench
