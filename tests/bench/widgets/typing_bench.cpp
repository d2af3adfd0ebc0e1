// SPDX-License-Identifier: GPL-3.0-or-later
// From a key typed in the editor of a mask's text to the pixels of the map, over 2 million tokens.
#include "app/window/main_window.h"
#include "tests/bench/widgets/event_loop.h"
#include "widgets/mask/editor/code_view.h"
#include "widgets/page/field/field_page.h"
#include "widgets/theme/palette.h"
#include "widgets/view/matrix_view.h"

#include <QAction>
#include <QApplication>
#include <QEventLoop>
#include <QKeyEvent>

#include <benchmark/benchmark.h>

#include <chrono>
#include <vector>

namespace vqscope::bench {
namespace {

using Clock = std::chrono::steady_clock;

const char* const windowText =
    "def mask_mod(b, h, q_idx, kv_idx):\n"
    "    causal = q_idx >= kv_idx\n"
    "    window = q_idx - kv_idx < 400000 + 1\n"
    "    return causal & window";

void press(QWidget* widget, int key, const QString& text) {
  QKeyEvent down(QEvent::KeyPress, key, Qt::NoModifier, text);
  QCoreApplication::sendEvent(widget, &down);
}

/// One more digit and one digit less: each gives another window.
void key_in_mask_text(benchmark::State& state) {
  applyTheme(*static_cast<QApplication*>(QApplication::instance()), Theme::light);
  MainWindow window;
  window.resize(1500, 900);
  window.show();
  window.workbench().showPage("masks");
  ShownPage page = window.workbench().current();
  page.values.set("mask", std::string("custom"));
  page.values.set("mask_text", std::string(windowText));
  page.values.set("q_length", Index{2097152});
  if (!window.workbench().edit("bench", page)) return state.SkipWithError("refused");
  for (auto* action : window.findChildren<QAction*>())
    if (action->text() == "Mask &text") action->trigger();
  auto* code = window.findChild<CodeView*>();
  QTextCursor cursor(code->document());
  cursor.setPosition(static_cast<int>(code->toPlainText().indexOf("+ 1")) + 3);
  code->setTextCursor(cursor);
  auto* map = static_cast<FieldPage*>(window.currentPage())->maps().front();
  std::vector<double> frames;
  bool isLonger = false;
  for (auto _ : state) {
    // As a person types: the checks of the former key may still run.
    settle([&] { return window.currentPage()->isBusy(); });
    QEventLoop loop;
    const auto shown = QObject::connect(map, &MatrixView::pictureShown, &loop, &QEventLoop::quit, Qt::QueuedConnection);
    const auto start = Clock::now();
    isLonger ? press(code, Qt::Key_Backspace, {}) : press(code, Qt::Key_7, QStringLiteral("7"));
    isLonger = !isLonger;
    loop.exec();
    QObject::disconnect(shown);
    frames.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    state.SetIterationTime(frames.back() / 1000);
  }
  state.counters["median_ms"] = quantile(frames, 0.5);
  state.counters["worst_ms"] = quantile(frames, 1);
}

BENCHMARK(key_in_mask_text)->UseManualTime()->Iterations(48)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vqscope::bench
