// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/config/model_dialog.h"

#include "tests/core/config/place/model_folder.h"
#include "tests/support/test_main.h"

#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class ModelDialogTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_folder_a_file_and_a_name() {
    const ModelFolder folder;
    qputenv("HF_HUB_CACHE", folder.path("hub").c_str());
    QVERIFY(folder.write("own/config.json", plainLlama));
    QVERIFY(folder.writeSnapshot(QStringLiteral("models--org--name"), "abc1", "config.json", plainLlama));
    for (const std::string& place : {folder.path("own"), folder.path("own/config.json"), std::string("org/name"),
                                     folder.path("hub/models--org--name"), std::string(" org/name@abc1 ")}) {
      ModelDialog dialog("Compare");
      dialog.setPlace(QString::fromStdString(place));
      dialog.accept();
      QTRY_COMPARE_WITH_TIMEOUT(dialog.result(), static_cast<int>(QDialog::Accepted), 60000);
      QVERIFY2(dialog.model(), place.c_str());
      QCOMPARE(dialog.model()->report.model_type, std::string("llama"));
    }
    ModelDialog dialog("Compare");
    auto* completer = dialog.findChild<QLineEdit*>()->completer();
    completer->setCompletionPrefix("NAME");
    QCOMPARE(completer->currentCompletion(), QString("org/name"));
    qunsetenv("HF_HUB_CACHE");
  }

  void it_stays_open_until_there_is_a_model() {
    const ModelFolder folder;
    QVERIFY(folder.write("bad.json", "{"));
    ModelDialog dialog("Compare");
    const auto error = [&] { return dialog.findChildren<QLabel*>().constFirst()->text(); };
    dialog.accept();
    QCOMPARE(error(), QString("Enter the path or the name of a model"));
    const QString path = QString::fromStdString(folder.path("bad.json"));
    dialog.setPlace(path);
    QCOMPARE(error(), QString());
    dialog.accept();
    QTRY_VERIFY2_WITH_TIMEOUT(error().startsWith(path + ": line 1"), qPrintable(error()), 60000);
    dialog.setPlace("org/none-of-these");
    dialog.accept();
    QTRY_VERIFY2_WITH_TIMEOUT(error().contains("org/none-of-these") && !dialog.model(), qPrintable(error()), 60000);
    QCOMPARE(dialog.result(), 0);
  }
};

VQSCOPE_TEST(ModelDialogTest)
#include "model_dialog_test.moc"
