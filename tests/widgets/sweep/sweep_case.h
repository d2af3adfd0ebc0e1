// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/bytes/file_source.h"
#include "core/run/sweep_table.h"
#include "tests/core/run/test_sweep.h"
#include "widgets/parts/text.h"
#include "widgets/sweep/merged_table.h"
#include "widgets/sweep/point_table.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/sweep/sweep_setup.h"
#include "widgets/sweep/vary_list.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include <thread>

namespace vqscope::test {

/// `line`, whose points with slope 2 fail, and whose points with slope 3 are at 40 % until they are
/// stopped.
inline const Method& moody_method() {
  static const Method method = [] {
    Method made = line_method();
    const auto make = made.curves()->make;
    std::get<CurveRecipe>(made.recipe).make = [make](const ParameterValues& values,
                                                     const Work& work) -> Result<CurveSet> {
      if (values.real("slope") == 2) return invalid("the line is too steep");
      if (values.real("slope") == 3) {
        work.report(0.4);
        while (!work.stop.stop_requested()) std::this_thread::yield();
      }
      return make(values, work);
    };
    return made;
  }();
  return method;
}

/// The dialog and its parts by name, with a folder of its own.
struct ShownSweep {
  QTemporaryDir folder;
  SweepDialog dialog{"1.0", [](std::string_view id) { return found(id); }, nullptr};

  explicit ShownSweep(const Method& method = line_method()) {
    dialog.setBase(method, default_values(method.parameters));
    dialog.show();
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!dialog.isBusy(), 120000); }
  /// Everything goes to `into`, a folder of the temporary one.
  void request(const std::vector<VaryText>& texts, int seeds = 1, const QString& into = "sweep") {
    find<QLineEdit>("folder")->setText(into.isEmpty() ? into : folder.filePath(into));
    find<QSpinBox>("seeds")->setValue(seeds);
    dialog.setup()->vary()->setTexts(texts);
    settle();
  }
  void run() {
    button("start")->click();
    settle();
  }
  std::string path(const QString& name = "sweep") const { return folder.filePath(name).toStdString(); }
  static Result<const Method*> found(std::string_view id) {
    if (id == "line") return &line_method();
    return invalid("unknown method");
  }
  template <class T>
  T* find(const char* name) const {
    return dialog.findChild<T*>(QLatin1String(name));
  }
  QPushButton* button(const char* name) const { return find<QPushButton>(name); }
  QString words(const char* name) const { return find<QLabel>(name)->text(); }
  PointTotals totals() const { return dialog.points()->points()->totals(); }
  QString cell(int row, int column) const {
    const auto* model = dialog.points()->model();
    return model->index(row, column).data().toString();
  }
  std::string merged(const Sweep& sweep) const {
    StringSink sink;
    const auto report = merge_sweep(sweep, {path()}, sink);
    return report ? sink.text() : report.error().message;
  }
};

}  // namespace vqscope::test
