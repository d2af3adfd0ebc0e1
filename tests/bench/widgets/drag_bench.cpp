// SPDX-License-Identifier: GPL-3.0-or-later
// A slider that is dragged: changes through the form that follow each other at once, while the curves beside the map
// are still under way. `frames_in_33ms` is the share that keep up with the hand.
#include "app/window/main_window.h"
#include "tests/bench/core/palette.h"
#include "tests/bench/core/views.h"
#include "tests/bench/widgets/event_loop.h"
#include "widgets/form/parameter_form.h"
#include "widgets/panel/parameter_panel.h"

#include <QElapsedTimer>

#include <algorithm>
#include <functional>

namespace vqscope::bench {
namespace {

constexpr double frameBar = 33;  ///< milliseconds: a slider and its picture are one movement
constexpr int frames = 60;

/// One way of dragging: where it is done, what is set before, and the i-th value of the slider.
struct Drag {
  const char* page;
  const char* method;
  ParameterValues::Map before;
  const char* parameter;
  std::function<ParameterValue(Index)> value;
};

/// The window with one page shown at its length, at rest.
class Shown {
 public:
  explicit Shown(const Drag& drag) {
    Workbench& bench = m_window.workbench();
    m_window.show();
    bench.showPage(drag.page);
    ShownPage next = bench.current();
    next.method = drag.method;
    next.values.set("q_length", long_sequence);
    for (const auto& [name, value] : drag.before) next.values.set(name, value);
    if (const auto done = bench.edit("begin", next); !done) m_problem = done.error().message;
    settle([&] { return m_window.isBusy(); });
    m_form = m_window.currentPanel()->form();
    for (auto* view : m_window.currentPage()->findChildren<MatrixView*>())
      if (view->isVisible()) m_map = view;
  }

  const std::string& problem() const { return m_problem; }

  /// Milliseconds from the slider's value to the picture of it on screen; 0 where nothing changes.
  double change(const char* parameter, const ParameterValue& value) {
    bool shown = false;
    const auto before = m_map->picture()->request.field;
    const auto connection = QObject::connect(m_map, &MatrixView::pictureShown, m_map,
                                             [&] { shown = shown || m_map->picture()->request.field != before; });
    const auto values = m_window.workbench().current().values;
    QElapsedTimer timer;
    timer.start();
    emit m_form->valueEdited(QString::fromLatin1(parameter), value, false);
    const bool changed = m_window.workbench().current().values != values;
    runUntil([&] { return shown || !changed; });
    const double milliseconds = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    QObject::disconnect(connection);
    return changed ? milliseconds : 0;
  }

 private:
  MainWindow m_window;
  ParameterForm* m_form = nullptr;
  MatrixView* m_map = nullptr;
  std::string m_problem;
};

void drag(benchmark::State& state, const Drag& drag) {
  Shown shown(drag);
  if (!shown.problem().empty()) return state.SkipWithError(shown.problem().c_str());
  PaletteFill palette;
  std::vector<double> times;
  std::vector<double> fills;
  Index i = 0;
  for (auto _ : state) {
    const double milliseconds = shown.change(drag.parameter, drag.value(i++));
    if (milliseconds == 0) return state.SkipWithError("the value was refused, or is the one that is shown");
    state.SetIterationTime(milliseconds / 1000);
    times.push_back(milliseconds);
    fills.push_back(palette.run() * 1000);
  }
  const double median = quantile(times, 0.5);
  state.counters["median_ms"] = median;
  state.counters["p95_ms"] = quantile(times, 0.95);
  state.counters["palettes"] = median / quantile(fills, 0.5);
  state.counters["frames_in_33ms"] =
      static_cast<double>(std::ranges::count_if(times, [](double time) { return time <= frameBar; })) /
      static_cast<double>(times.size());
}

std::vector<Index> equalDocuments(Index count) {
  return std::vector<Index>(static_cast<std::size_t>(count), long_sequence / count);
}

std::vector<Drag> drags() {
  const auto integer = [](Index first, Index step) {
    return [=](Index i) { return ParameterValue(first + i * step); };
  };
  return {
      {"buckets", "t5_bucket", {}, "num_buckets", integer(34, 2)},
      {"buckets", "t5_bucket", {}, "max_distance", integer(1000, 997)},
      {"buckets", "t5_bucket", {}, "q_length", integer(long_sequence - 1009, -1009)},
      {"masks", "visibility", {{"mask", std::string("packed")}}, "sliding_window", integer(4096, 101)},
      {"masks",
       "visibility",
       {{"mask", std::string("packed")}, {"document_lengths", equalDocuments(1024)}},
       "sliding_window",
       integer(512, 7)},
      {"masks",
       "visibility",
       {{"mask", std::string("sliding_window")}},
       "q_length",
       integer(long_sequence - 1009, -1009)},
      {"rotary", "rope_phase", {}, "rope_theta", [](Index i) { return ParameterValue(11000.0 + 1000.0 * double(i)); }},
      {"rotary", "rope_phase", {}, "q_length", integer(long_sequence - 1009, -1009)},
      {"rotary", "rope_cos", {}, "rope_theta", [](Index i) { return ParameterValue(11000.0 + 1000.0 * double(i)); }},
  };
}

const bool registered = [] {
  for (const Drag& each : drags()) {
    const auto documents = each.before.find("document_lengths");
    const std::string variant = documents == each.before.end() ? "" : "_of_1024_documents";
    const std::string name = std::string("drag/") + each.method + variant + "/" + each.parameter;
    benchmark::RegisterBenchmark(name.c_str(), [each](benchmark::State& state) { drag(state, each); })
        ->UseManualTime()
        ->Iterations(frames)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace vqscope::bench
