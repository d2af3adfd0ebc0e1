// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/capture/capture_dialog.h"

#include "core/io/tensor/safetensors_writer.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/capture/capture_watch.h"
#include "widgets/capture/captured_tensor_dialog.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

using Numbers = std::vector<double>;

/// A capture of two layers: q and k in the first, weights that see the first token in the second.
class CaptureDialogTest : public vqscope::test::TestCase {
  Q_OBJECT

 private:
  static void write(const QTemporaryDir& folder, const char* name, const std::vector<NamedTensor>& tensors) {
    StringSink sink;
    QVERIFY(write_safetensors(tensors, sink));
    writtenFile(folder, name, QByteArray::fromStdString(sink.text()));
  }

  std::unique_ptr<CaptureDialog> opened(std::optional<Index> layer = {}) {
    write(m_folder, "layer0.safetensors",
          {{"q", {1, 1, 2, 2}, Numbers{3, 4, NAN, 0}}, {"k", {1, 1, 2, 2}, Numbers{1, 1, 1, 1}}});
    write(m_folder, "layer1.safetensors", {{"weights", {1, 1, 2, 2}, Numbers{1, 0, 1, 0}}});
    writtenFile(m_folder, "capture.json", R"({"format": 1, "engine": "vllm", "version": "1.2"})");
    auto capture = Capture::open(m_folder.path().toStdString());
    if (!capture) qFatal("%s", capture.error().message.c_str());
    return std::make_unique<CaptureDialog>(std::make_shared<const Capture>(std::move(*capture)), layer);
  }
  static QTableWidget* table(CaptureDialog& dialog, int tab) {
    auto* tabs = dialog.findChild<QTabWidget*>();
    tabs->setCurrentIndex(tab);
    return tabs->widget(tab)->findChild<QTableWidget*>();
  }
  static QStringList row(const QTableWidget& table, int row) {
    QStringList cells;
    for (int column = 0; column < table.columnCount(); ++column)
      cells << (table.item(row, column) ? table.item(row, column)->text() : QString());
    return cells;
  }

 private slots:
  void the_index_of_tensors() {
    const auto dialog = opened();
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), 60000);
    const QTableWidget& index = *table(*dialog, 0);
    QCOMPARE(index.rowCount(), 3);
    QCOMPARE(row(index, 0),
             QStringList({"0", "q", "(1, 1, 2, 2)", "float64", "[B, H, T, d]", "2.887", "4", "1", "0", "has NaN"}));
    QCOMPARE(row(index, 1).last(), QString("all are 1"));
    QCOMPARE(row(index, 2).first(), QString("1"));
  }

  void a_layer_is_chosen() {
    const auto dialog = opened();
    QSignalSpy requested(dialog.get(), &CaptureDialog::layerRequested);
    QTableWidget* index = table(*dialog, 0);
    QPushButton* show = nullptr;
    for (auto* button : dialog->findChildren<QPushButton*>())
      if (button->text() == "Show q, k and v of layer 0") show = button;
    QVERIFY(show);
    show->click();
    QCOMPARE(requested.size(), 1);
    QCOMPARE(requested[0][0].toStringList(), QStringList(m_folder.filePath("layer0.safetensors")));
    index->setCurrentCell(2, 0);
    QVERIFY2(!show->isEnabled(), "it has no q and k");
  }

  void a_tensor_is_opened() {
    const auto dialog = opened();
    emit table(*dialog, 0)->cellActivated(2, 0);
    const auto* tensor = dialog->findChild<CapturedTensorDialog*>();
    QVERIFY(tensor);
    QCOMPARE(tensor->windowTitle(), QString("weights of layer 1"));
  }

  void the_weights_of_a_head_are_opened() {
    const auto dialog = opened();
    QTableWidget* heads = table(*dialog, 1);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), 60000);
    emit heads->cellActivated(0, 0);
    QVERIFY2(!dialog->findChild<CapturedTensorDialog*>(), "only q and k were kept");
    emit heads->cellActivated(1, 0);
    const auto* weights = dialog->findChild<CapturedTensorDialog*>();
    QVERIFY(weights);
    QCOMPARE(weights->windowTitle(), QString("weights of layer 1"));
  }

  void the_newest_whole_step_is_followed() {
    const QTemporaryDir folder;
    const auto writeStep = [&](const char* name, double first) {
      write(folder, name, {{"q", {1, 1, 1, 2}, Numbers{first, 1}}});
    };
    const auto open = [&] { return std::make_shared<const Capture>(*Capture::open(folder.path().toStdString())); };
    writeStep("step0_layer0.safetensors", 1);
    const auto begun = open();
    QVERIFY2(!CaptureWatch::after(*begun), "nothing has changed");
    CaptureDialog dialog(begun, {});
    auto* watch = dialog.findChild<CaptureWatch*>();
    QVERIFY(watch->isWatching());
    dialog.findChild<QTabWidget*>()->setCurrentIndex(2);
    writeStep("step1_layer0.safetensors", 2);
    writeStep("step2_layer0.safetensors", 3);
    QCOMPARE(CaptureWatch::after(*begun)->step, Index{1});
    const auto says = [&](const QString& words) {
      watch->lookNow();
      const auto labels = dialog.findChildren<QLabel*>();
      return std::ranges::any_of(labels, [&](const QLabel* each) { return each->text().startsWith(words); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(says("step 1, the newest whole one of 3"), 60000);
    QCOMPARE(dialog.findChild<QTabWidget*>()->currentIndex(), 2);
    writtenFile(folder, "capture.json", R"({"format": 1, "step": 2})");
    QTRY_VERIFY_WITH_TIMEOUT(says("step 2, the newest of 3"), 60000);
    QVERIFY(!watch->isWatching());
  }

  void roles_of_heads() {
    const auto dialog = opened(1);
    const QTableWidget* map = table(*dialog, 1);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), 60000);
    QCOMPARE(map->item(map->rowCount() - 1, 0)->text(), QString("s"));
    QVERIFY(map->item(map->rowCount() - 1, 0)->toolTip().startsWith("Layer 1, head 0, sink: sink 100 %"));
  }

  void ropes_of_layers() {
    const auto dialog = opened();
    const QTableWidget* ropes = table(*dialog, 2);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->isBusy(), 60000);
    QCOMPARE(ropes->rowCount(), 2);
    QVERIFY(!ropes->item(1, 1)->text().isEmpty());
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(CaptureDialogTest)
#include "capture_dialog_test.moc"
