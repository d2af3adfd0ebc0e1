// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"
#include "core/io/tensor/safetensors_writer.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/capture/capture_dialog.h"
#include "widgets/capture/parity_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

/// Captures in the window: a folder, and the file of a layer with others beside it.
class OpenedCapturesTest : public test::TestCase {
  Q_OBJECT

 private:
  void writeLayer(const char* name) {
    StringSink sink;
    const std::vector<double> numbers{1, 2, 3, 4};
    const NamedTensor tensors[]{{"q", {1, 1, 2, 2}, numbers}, {"k", {1, 1, 2, 2}, numbers}};
    QVERIFY(write_safetensors(tensors, sink));
    writtenFile(m_folder, name, QByteArray::fromStdString(sink.text()));
  }

 private slots:
  void initTestCase() {
    writeLayer("layer0.safetensors");
    writeLayer("layer1.safetensors");
  }

  void aFolderOrALayerIsShown() {
    QCOMPARE(recogniseFiles({m_folder.path()})->as, OpenedAs::capture);
    const auto layer = readFiles(*recogniseFiles({m_folder.filePath("layer1.safetensors")}));
    QVERIFY(layer && layer->captures.size() == 1);
    QCOMPARE(*layer->layer, Index{1});
    QCOMPARE(recogniseTensors({m_folder.filePath("layer1.safetensors")}).as, OpenedAs::tensors);
  }

  void twoAreCompared() {
    const QTemporaryDir second;
    QVERIFY(QFile::copy(m_folder.filePath("layer0.safetensors"), second.filePath("layer0.safetensors")));
    QCOMPARE(recogniseFiles({m_folder.path(), second.path()})->as, OpenedAs::captures);
    QCOMPARE(recogniseFiles({m_folder.filePath("layer0.safetensors"), m_folder.filePath("layer1.safetensors")})->as,
             OpenedAs::capture);
    const auto read = readFiles({{m_folder.path(), second.path()}, OpenedAs::captures});
    QVERIFY(read && read->captures.size() == 2);
    MainWindow window;
    window.show();
    emit window.findChild<CaptureActions*>()->comparisonRequested({m_folder.path(), second.path()});
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<ParityDialog*>(), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(!window.findChild<ParityDialog*>()->isBusy(), 60000);
  }

  void aLayerTakesThePlaceOfTheCapture() {
    MainWindow window;
    window.show();
    window.openFile(m_folder.path());
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<CaptureDialog*>(), 60000);
    auto* dialog = window.findChild<CaptureDialog*>();
    QTRY_VERIFY(dialog->isVisible());
    QAction* back = nullptr;
    for (QAction* each : window.findChildren<QAction*>())
      if (each->text() == "Bac&k to the capture") back = each;
    QVERIFY(back && back->isEnabled());
    emit dialog->layerRequested({m_folder.filePath("gone.safetensors")}, 0);  // a file that is read would need a choice
    QVERIFY(!dialog->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 60000);
    back->trigger();
    QVERIFY(dialog->isVisible());
    dialog->close();
    QTRY_VERIFY(!back->isEnabled());
  }

  void tokensOfACaptureGoWithItsTensors() {
    const QTemporaryDir folder;
    const QString layer = folder.filePath("layer0.safetensors");
    QVERIFY(QFile::copy(m_folder.filePath("layer0.safetensors"), layer));
    writtenFile(folder, "capture.json", R"({"format": 1, "tokens": ["<s>", "The"]})");
    const auto read = readFiles(recogniseTensors({layer}));
    QVERIFY(read && read->tokens == TokenTexts({"<s>", "The"}));
    const auto alone = readFiles(recogniseTensors({m_folder.filePath("layer0.safetensors")}));
    QVERIFY(alone && alone->tokens.empty());
  }

  void aLayerOfACaptureInOneFileIsTaken() {
    const QTemporaryDir folder;
    std::vector<NamedTensor> tensors;
    for (const char* name : {"layers.0.q_rot", "layers.0.k_rot", "layers.1.q_rot", "layers.1.k_rot"})
      tensors.push_back({name, {1, 1, 2, 2}, std::vector<double>{1, 2, 3, 4}});
    StringSink sink;
    QVERIFY(write_safetensors(tensors, sink));
    const QString path = writtenFile(folder, "w.capture.safetensors", QByteArray::fromStdString(sink.text()));
    QCOMPARE(recogniseFiles({path})->as, OpenedAs::capture);
    const auto read = readFiles(recogniseTensors({path}, 1));
    QVERIFY(read);
    const QkvRoles roles = guessed_roles(read->tensors);
    QVERIFY(roles[0]);
    QCOMPARE(read->tensors[*roles[0]].tensor.name, std::string("layers.1.q_rot"));
  }

  void aRopeIsShownOnPositionsAndCopied() {
    MainWindow window;
    window.show();
    window.openFile(m_folder.path());
    QTRY_VERIFY_WITH_TIMEOUT(window.findChild<CaptureDialog*>(), 60000);
    auto* dialog = window.findChild<CaptureDialog*>();
    ParameterValues rope;
    rope.set("rope_theta", 5e5);
    rope.set("pair_layout", std::string("interleaved"));
    emit dialog->codeRequested(rope);
    QVERIFY(QApplication::clipboard()->text().contains("def rotate("));
    emit dialog->positionsRequested(rope);
    QVERIFY(!dialog->isVisible());
    QCOMPARE(window.workbench().current().method, std::string("rope_phase"));
    QCOMPARE(window.workbench().current().values.real("rope_theta"), 5e5);
    QTRY_VERIFY_WITH_TIMEOUT(!window.isBusy(), 60000);
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(OpenedCapturesTest)
#include "opened_captures_test.moc"
