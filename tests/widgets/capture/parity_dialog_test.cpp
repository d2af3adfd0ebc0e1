// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/capture/parity_dialog.h"

#include "core/io/tensor/safetensors_writer.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/capture/captured_tensor_dialog.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

/// Two captures of a layer whose values are equal or are not.
class ParityDialogTest : public vqscope::test::TestCase {
  Q_OBJECT

 private:
  static std::shared_ptr<const Capture> capture(const QTemporaryDir& folder, double last) {
    const std::vector<double> hidden{1, 2, 3, 4, 5, 6, 7, 8}, values{8, 7, 6, 5, 4, 3, 2, last};
    const NamedTensor tensors[]{{"hidden_in", {1, 4, 2}, hidden}, {"v", {1, 1, 4, 2}, values}};
    StringSink sink;
    if (!write_safetensors(tensors, sink)) qFatal("not written");
    writtenFile(folder, "layer0.safetensors", QByteArray::fromStdString(sink.text()));
    auto opened = Capture::open(folder.path().toStdString());
    if (!opened) qFatal("%s", opened.error().message.c_str());
    return std::make_shared<const Capture>(std::move(*opened));
  }
  static bool says(const ParityDialog& dialog, const QString& words) {
    for (const QLabel* label : dialog.findChildren<QLabel*>())
      if (label->text().contains(words)) return true;
    return false;
  }

 private slots:
  void the_first_difference() {
    const QTemporaryDir a, b;
    ParityDialog dialog(capture(a, 1), capture(b, 9));
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.isBusy(), 60000);
    QVERIFY(says(dialog, "The captures differ"));
    QVERIFY(says(dialog, "First difference: layer 0, v, sample 0, head 0, key 3, column 1: 1 in A, 9 in B"));
    const auto* table = dialog.findChild<QTableWidget*>();
    QCOMPARE(table->columnCount(), 3);
    QCOMPARE(table->horizontalHeaderItem(2)->text(), QString("v"));
    QCOMPARE(table->item(0, 1)->text(), QString("0"));
    QVERIFY(table->item(0, 2)->text().startsWith(QString::fromUtf8("≠ ")));
    QSignalSpy requested(&dialog, &ParityDialog::reportRequested);
    for (auto* button : dialog.findChildren<QPushButton*>())
      if (button->text() == QString::fromUtf8("Report…")) button->click();
    QCOMPARE(requested.size(), 1);
  }

  void the_map_begins_at_the_first_difference() {
    const QTemporaryDir a, b;
    ParityDialog dialog(capture(a, 1), capture(b, 9));
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.isBusy(), 60000);
    for (auto* button : dialog.findChildren<QPushButton*>())
      if (button->text() == "Map of B - A") button->click();
    const auto* map = dialog.findChild<CapturedTensorDialog*>();
    QVERIFY(map);
    QTRY_VERIFY_WITH_TIMEOUT(!map->isBusy(), 60000);
    QCOMPARE(map->windowTitle(), QString("B - A of v, layer 0"));
    QStringList texts;
    for (const QLabel* label : map->findChildren<QLabel*>()) texts << label->text();
    QVERIFY2(texts.contains("token 3, column 1: 8, 1 in A, 9 in B"), qPrintable(texts.join('|')));
  }

  void equal_ones() {
    const QTemporaryDir a, b;
    ParityDialog dialog(capture(a, 1), capture(b, 1));
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.isBusy(), 60000);
    QVERIFY(says(dialog, "Equal"));
  }
};

VQSCOPE_TEST(ParityDialogTest)
#include "parity_dialog_test.moc"
