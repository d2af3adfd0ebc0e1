// SPDX-License-Identifier: GPL-3.0-or-later
// The window as a whole, for its tests.
#pragma once

#include "app/window/window_layout.h"
#include "tests/app/window/driven_window.h"
#include "tests/support/environment.h"
#include "tests/support/hands.h"
#include "tests/support/test_case.h"
#include "widgets/parts/message_bar.h"
#include "widgets/theme/palette.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>
#include <QTest>

#include <memory>

namespace vqscope::test {

/// The window on screen, active, with its first pictures.
struct WholeWindow : DrivenWindow {
  explicit WholeWindow(bool restored = false) {
    window.workbench().showPage("buckets");
    if (restored) window.restoreSaved();
    window.show();
    window.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&window);
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000); }
  void open(const QString& path) {
    window.openFile(path);
    settle();
  }

  /// The first menu action whose text, without its mnemonic, begins with `text`.
  QAction* action(const QString& text) {
    for (const auto* menu : window.menuBar()->findChildren<QMenu*>())
      for (QAction* each : menu->actions())
        if (QString(each->text()).remove('&').startsWith(text)) return each;
    return nullptr;
  }
  void trigger(const QString& text) {
    QAction* found = action(text);
    QVERIFY2(found, qPrintable("no action " + text));
    found->trigger();
  }
  /// All texts of the status bar and the line above it.
  QString shownMessage() {
    QStringList parts{window.findChild<MessageBar*>()->sentence()};
    for (const auto* label : window.statusBar()->findChildren<QLabel*>())
      if (label->isVisibleTo(&window)) parts << label->text();
    return parts.join(" | ");
  }
};
inline void answerFile(const QString& path) {
  whenModal<QFileDialog>([path](QFileDialog& dialog) {
    dialog.selectFile(path);
    static_cast<QDialog&>(dialog).accept();
  });
}

inline void answerQuestion(QMessageBox::StandardButton button) {
  whenModal<QMessageBox>([button](QMessageBox& box) { box.button(button)->click(); });
}

inline void writeTo(const QString& path, const QByteArray& bytes) {
  QDir().mkpath(QFileInfo(path).absolutePath());
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

inline QByteArray readFrom(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline Result<WindowLayout> readLayout(const QString& path) {
  QString remark;
  return vqscope::readLayout(path, remark);
}
/// A test of the window with a state of its own, in the light theme.
class WholeWindowCase : public TestCase {
 protected:
  void beforeEach() override {
    QApplication::setQuitOnLastWindowClosed(false);
    m_folder = std::make_unique<QTemporaryDir>();
    keepStateIn(*m_folder);
    QVERIFY(savedSessionPath().startsWith(m_folder->path()));
    applyTheme(*qApp, Theme::light);
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

}  // namespace vqscope::test
