// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/recovery_bar.h"
#include "tests/app/window/driven_window.h"
#include "tests/support/environment.h"
#include "tests/support/test_case.h"
#include "widgets/session/journal_file.h"

#include <QAbstractButton>
#include <QDir>
#include <QMenu>
#include <QMenuBar>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace vqscope::test {

/// A start of the program. Without close() it ends as a crash does: nothing is kept but the
/// journal.
struct SavedStart : DrivenWindow {
  explicit SavedStart(const QString& file = {}) {
    window.restoreSaved();
    if (!file.isEmpty()) window.openFile(file);
    window.show();
    QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000);
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

/// A test of starts with a state folder of its own.
class SavedStartCase : public TestCase {
 protected:
  void beforeEach() override {
    m_folder = std::make_unique<QTemporaryDir>();
    keepStateIn(*m_folder);
  }

  /// In the state folder.
  static QStringList left() {
    return QDir(stateFolder()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

}  // namespace vqscope::test
