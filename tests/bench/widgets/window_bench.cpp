// SPDX-License-Identifier: GPL-3.0-or-later
// What a person waits for: from a change of a parameter to its pixels in the real window, and from the start to the
// first painted window. `palettes` is the ratio to filling a 4 MiB image by table look-up in the same run.
#include "app/window/main_window.h"
#include "core/catalogue/registry.h"
#include "tests/bench/core/palette.h"
#include "widgets/page/field/field_page.h"
#include "widgets/theme/palette.h"
#include "widgets/view/matrix_view.h"

#include <QApplication>
#include <QEventLoop>
#include <QFile>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace {

using namespace vqscope;
using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double residentMebibytes() {
  QFile file(QStringLiteral("/proc/self/statm"));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  return file.readAll().split(' ').value(1).toDouble() * 4096 / (1 << 20);
}

MatrixView* shownMap(const MainWindow& window) { return static_cast<FieldPage*>(window.currentPage())->maps().front(); }

/// Runs events until the map has painted a picture requested by `change`.
void untilShown(MainWindow& window, const std::function<void()>& change) {
  QEventLoop loop;
  const auto connection =
      QObject::connect(shownMap(window), &MatrixView::pictureShown, &loop, &QEventLoop::quit, Qt::QueuedConnection);
  change();
  loop.exec();
  QObject::disconnect(connection);
}

void untilIdle(const MainWindow& window) {
  while (window.isBusy()) QApplication::processEvents(QEventLoop::AllEvents, 20);
  QApplication::processEvents();
}

struct Case {
  const char* page;
  const char* parameter;
  std::vector<ParameterValue> values;
  ParameterValues fixed;
};

ParameterValues fixed(std::initializer_list<std::pair<const char*, ParameterValue>> pairs) {
  ParameterValues values;
  values.set("q_length", Index{2097152});
  for (const auto& [name, value] : pairs) values.set(name, value);
  return values;
}

/// None may be the value that is there already: it would change nothing, and nothing would be
/// painted.
std::vector<ParameterValue> steps(Index first, Index step) {
  std::vector<ParameterValue> values;
  for (Index i = 0; i < 24; ++i) values.emplace_back(first + i * step);
  return values;
}

void change(benchmark::State& state, const Case& what) {
  applyTheme(*static_cast<QApplication*>(QApplication::instance()), Theme::light);
  MainWindow window;
  window.resize(1440, 900);
  window.show();
  window.workbench().showPage(what.page);
  const auto set = [&](const ParameterValues& values) {
    ShownPage next = window.workbench().current();
    for (const auto& [name, value] : values.map()) next.values.set(name, value);
    if (!window.workbench().edit("bench", next)) state.SkipWithError("refused");
  };
  untilShown(window, [&] { set(what.fixed); });
  bench::PaletteFill palette_fill;
  std::vector<double> fills;
  std::vector<double> frames;
  std::size_t i = 0;
  for (auto _ : state) {
    untilIdle(window);
    ParameterValues one;
    one.set(what.parameter, what.values[i++ % what.values.size()]);
    const auto start = Clock::now();
    untilShown(window, [&] { set(one); });
    frames.push_back(millisecondsSince(start));
    fills.push_back(palette_fill.run() * 1000);
    state.SetIterationTime(frames.back() / 1000);
  }
  state.counters["median_ms"] = median(frames);
  state.counters["palettes"] = median(frames) / median(fills);
  state.counters["resident_MiB"] = residentMebibytes();
}

/// From nothing to the first painted window, which shows the start page; thumbnails of its gallery
/// come later.
void start_to_first_window(benchmark::State& state) {
  std::vector<double> starts;
  for (auto _ : state) {
    const auto start = Clock::now();
    MainWindow window;
    window.show();
    QApplication::processEvents(QEventLoop::AllEvents, 1);
    window.grab();  // everything is laid out and painted
    starts.push_back(millisecondsSince(start));
    state.SetIterationTime(starts.back() / 1000);
  }
  state.counters["median_ms"] = median(starts);
}

void curve(benchmark::State& state, const char* id) {
  const Method& method = *find_method(id);
  ParameterValues values = default_values(method.parameters);
  values.set("compare", std::vector<std::string>{});
  if (values.find("points")) values.set("points", Index{4096});
  for (auto _ : state) benchmark::DoNotOptimize(make_curves(method, values));
}

const ParameterValue packed = std::string("packed");

BENCHMARK_CAPTURE(change, t5_num_buckets, Case{"buckets", "num_buckets", steps(34, 2), fixed({})})
    ->UseManualTime()
    ->Iterations(48)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(change, t5_max_distance, Case{"buckets", "max_distance", steps(129, 1000), fixed({})})
    ->UseManualTime()
    ->Iterations(48)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(change, t5_q_length, Case{"buckets", "q_length", steps(2000000, 4000), fixed({})})
    ->UseManualTime()
    ->Iterations(48)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(change, mask_window,
                  Case{"masks", "sliding_window", steps(1000, 5000),
                       fixed({{"mask", packed}, {"padding", Index{9999}}})})
    ->UseManualTime()
    ->Iterations(48)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(change, rope_phase_past_len,
                  Case{"rotary", "past_len", steps(1000, 1000), fixed({{"rope_type", std::string("ntk")}})})
    ->UseManualTime()
    ->Iterations(48)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(start_to_first_window)->UseManualTime()->Iterations(7)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(curve, rope_score, "rope_score")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(curve, rope_phase_ood, "rope_phase_ood")->Unit(benchmark::kMillisecond);

}  // namespace
