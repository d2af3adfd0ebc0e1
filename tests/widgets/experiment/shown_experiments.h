// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/registry.h"
#include "core/run/sweep.h"
#include "tests/widgets/experiment/kept_runs.h"
#include "widgets/experiment/experiment_page.h"
#include "widgets/experiment/run_list.h"
#include "widgets/view/curve_view.h"

#include <QPushButton>
#include <QTableWidget>
#include <QTest>

#include <utility>

namespace vqscope::test {

/// A few milliseconds of measuring.
struct ShownExperiments {
  Workbench bench;
  ExperimentPage page{bench, *find_page_info("experiments"), nullptr};

  ShownExperiments() {
    QObject::connect(&bench, &Workbench::changed, &page, &ExperimentPage::sync);
    QObject::connect(&bench, &Workbench::opened, &page, &ExperimentPage::forget);
    request(0);
    page.resize(1000, 600);
    page.show();
    settle();
  }
  void request(Index seed) {
    ShownPage next = bench.page("experiments");
    next.method = "vq_error_vs_length";
    for (const auto& [name, value] : {std::pair{"n_code", 8}, {"steps", 3}, {"train_keys", 256}, {"length_max", 256}})
      next.values.set(name, Index{value});
    next.values.set("seed", seed);
    QVERIFY(bench.edit("ask", next));
    page.sync();
    settle();
  }
  void run() {
    button("run")->click();
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!page.isBusy(), 120000); }
  QPushButton* button(const char* name) { return page.findChild<QPushButton*>(name); }
  CurveView& view() { return *page.findChild<CurveView*>(); }
  QTableWidget* runs() { return page.runList()->table(); }
};

/// As if an experiment of these values had taken its time.
inline void keepSlow(Index seed, double y, double seconds = 30) {
  ShownExperiments s;
  const Method& method = *find_method("vq_error_vs_length");
  auto values = carried_values(method, s.bench.page("experiments").values);
  values.set("seed", seed);
  CurveSet curves{.x_name = "length", .x = {1, 2}, .curves = {{"error", {y, 2 * y}}}};
  QVERIFY(kept_runs().keep({.id = run_id(method, values),
                            .method = method.id,
                            .values = values,
                            .curves = curves,
                            .seconds = seconds,
                            .version = "1.0",
                            .when = "2999-01-01T00:00:00Z"}));
}

}  // namespace vqscope::test
