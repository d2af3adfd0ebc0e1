// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/main_window.h"
#include "app/window/recovery_bar.h"

#include <QAbstractButton>
#include <QMenu>
#include <QMenuBar>
#include <QTest>

namespace vqscope::test {

/// A start of the program. Without close() it ends as a crash does: nothing is kept but the
/// journal.
struct SavedStart {
  MainWindow window;

  explicit SavedStart(const QString& file = {}) {
    window.restoreSaved();
    if (!file.isEmpty()) window.openFile(file);
    window.show();
    QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000);
  }

  Workbench& bench() { return window.workbench(); }
  Index length() { return bench().page("buckets").values.integer("q_length"); }
  void setLength(Index length) {
    ShownPage next = bench().page("buckets");
    next.values.set("q_length", length);
    QVERIFY(bench().edit("Change q_length", next));
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(window.keeper().isKept() && !window.isBusy(), 120000); }

  /// The offer; empty: none.
  QString offered() {
    auto* bar = window.findChild<RecoveryBar*>();
    return bar->isVisible() ? bar->sentence() : QString();
  }
  void answer(const char* button) { window.findChild<RecoveryBar*>()->findChild<QAbstractButton*>(button)->click(); }
  QAction* restoreOfTheMenu() {
    for (QAction* each : window.menuBar()->actions().front()->menu()->actions())
      if (each->text().remove(QLatin1Char('&')) == QLatin1String("Restore last session")) return each;
    return nullptr;
  }
};

}  // namespace vqscope::test
