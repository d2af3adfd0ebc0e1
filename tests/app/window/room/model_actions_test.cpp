// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"
#include "tests/core/config/place/model_folder.h"
#include "tests/support/hands.h"
#include "tests/support/test_main.h"
#include "widgets/config/config_comparison.h"
#include "widgets/config/model_dialog.h"
#include "widgets/page/model_page.h"

#include <QAction>
#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A window and two models in folders, whose bases differ, one of them also in a hub cache.
struct ComparingWindow {
  ModelFolder folder;
  MainWindow window;
  QString first, second;

  ComparingWindow() {
    const QByteArray other = QByteArray(plainLlama).replace("10000.0", "500000.0");
    QVERIFY(folder.write("a/config.json", plainLlama) && folder.write("b/config.json", other.toStdString()));
    QVERIFY(folder.writeSnapshot(QStringLiteral("models--org--b"), "abc1", "config.json", other.toStdString()));
    first = QString::fromStdString(folder.path("a"));
    second = QString::fromStdString(folder.path("b"));
    qputenv("HF_HUB_CACHE", folder.path("hub").c_str());
    window.show();
  }
  ComparingWindow(const ComparingWindow&) = delete;
  ComparingWindow& operator=(const ComparingWindow&) = delete;
  ~ComparingWindow() { qunsetenv("HF_HUB_CACHE"); }

  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 120000); }
  /// Enters a place in the dialog that comes next.
  static void answerWith(const QString& place) {
    whenModal<ModelDialog>([place](ModelDialog& dialog) {
      dialog.setPlace(place);
      dialog.accept();
    });
  }
  void compareWith(const QString& place) {
    answerWith(place);
    emit window.findChild<ModelPage*>()->compareRequested();
  }
  /// The text of the comparison that is shown, which is then closed.
  QString takeComparison() {
    if (!QTest::qWaitFor([&] { return window.findChild<ConfigComparisonDialog*>() != nullptr; }, 120000)) return {};
    auto* dialog = window.findChild<ConfigComparisonDialog*>();
    const QString shown = dialog->findChild<ConfigComparison*>()->asText();
    delete dialog;
    return shown;
  }
};

}  // namespace

class ModelActionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void two_folders_dropped_together() {
    ComparingWindow s;
    dropFiles(s.window, {s.first, s.second});
    const QString shown = s.takeComparison();
    QVERIFY2(shown.startsWith("A: a\nB: b\n") && shown.contains("500000"), qPrintable(shown));
    QCOMPARE(s.window.workbench().session().subject.model, std::string("a"));
    QCOMPARE(s.window.workbench().session().current, std::string("model"));
  }

  void the_model_of_the_window_with_another() {
    ComparingWindow s;
    s.window.openFile(s.first);
    s.settle();
    for (const QString& place : {s.second, s.second + "/config.json", QStringLiteral("org/b"),
                                 QString::fromStdString(s.folder.path("hub/models--org--b"))}) {
      s.compareWith(place);
      const QString shown = s.takeComparison();
      QVERIFY2(shown.startsWith("A: a\nB: ") && shown.contains("500000"), qPrintable(place + ": " + shown));
    }
    QCOMPARE(s.window.workbench().session().subject.model, std::string("a"));
  }

  /// Also a name, and a blob of the cache, whose name has no ending.
  void a_model_that_is_chosen() {
    ComparingWindow s;
    const auto actions = s.window.findChildren<QAction*>();
    const auto open = std::ranges::find_if(actions, [](const QAction* each) {
      return QString(each->text()).remove('&') == QString::fromUtf8("Open model…");
    });
    QVERIFY(open != actions.end());
    const auto opened = [&](const QString& place) {
      s.answerWith(place);
      (*open)->trigger();
      return QString::fromStdString(s.window.workbench().session().subject.model);
    };
    QCOMPARE(opened("org/b"), QString("org/b"));
    QCOMPARE(opened(QString::fromStdString(s.folder.path("hub/models--org--b/blobs/0"))), QString("0"));
    QCOMPARE(opened(s.first), QString("a"));
    QCOMPARE(s.window.workbench().session().current, std::string("model"));
  }
};

VQSCOPE_TEST(ModelActionsTest)
#include "model_actions_test.moc"
