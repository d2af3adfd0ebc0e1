// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/capture/captured_tensor_dialog.h"

#include "core/io/tensor/safetensors_writer.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/view/matrix_view.h"

#include <QLabel>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

/// A captured tensor as a map: q of two heads, with NaN, and a layer without v.
class CapturedTensorDialogTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() {
    StringSink sink;
    const std::vector<double> numbers{1, 2, 3, 4, 5, 6, -7, NAN};
    const NamedTensor tensors[]{{"q", {1, 2, 2, 2}, numbers}};
    QVERIFY(write_safetensors(tensors, sink));
    writtenFile(m_folder, "layer0.safetensors", QByteArray::fromStdString(sink.text()));
    auto capture = Capture::open(m_folder.path().toStdString());
    QVERIFY(capture.has_value());
    m_capture = std::make_shared<const Capture>(std::move(*capture));
  }

  void a_matrix_of_one_head() {
    const auto matrix = CapturedMatrix::read(*m_capture, 0, TensorRole::q, 0, 1);
    QVERIFY(matrix.has_value());
    QCOMPARE((*matrix)->extent(), (Extent{2, 2}));
    QCOMPARE((*matrix)->at(0, 1), 6.0);
    QVERIFY2((*matrix)->value_range() == std::pair(-7.0, 6.0), "NaN has no place in it");
    const auto last = CapturedMatrix::read(*m_capture, 0, TensorRole::q, 9, 9);
    QVERIFY(last.has_value());
    QCOMPARE((*last)->head(), Index{1});
    COMPARE_TEXT(CapturedMatrix::read(*m_capture, 0, TensorRole::v, 0, 0).error().message, "layer 0 has no v");
  }

  void another_head_is_chosen() {
    CapturedTensorDialog dialog(m_capture, 0, TensorRole::q);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.isBusy(), 60000);
    const auto* view = dialog.findChild<MatrixView*>();
    QCOMPARE(view->content().field->at(0, 1), 2.0);
    QCOMPARE(view->content().colTitle, QString("column"));
    const auto boxes = dialog.findChildren<QSpinBox*>();
    QCOMPARE(boxes.size(), 2);
    QVERIFY2(!boxes[0]->isEnabled(), "there is one sample");
    boxes[1]->setValue(1);
    QTRY_VERIFY_WITH_TIMEOUT(view->content().field->at(0, 1) == 6.0, 60000);
    QCOMPARE(view->content().subtitle, QString("sample 0, head 1"));
  }

  void a_tensor_that_is_not_there() {
    CapturedTensorDialog dialog(m_capture, 0, TensorRole::v);
    QTRY_VERIFY_WITH_TIMEOUT(!dialog.isBusy(), 60000);
    QStringList said;
    for (const auto* label : dialog.findChildren<QLabel*>()) said << label->text();
    QVERIFY(said.contains("layer 0 has no v"));
  }

 private:
  QTemporaryDir m_folder;
  std::shared_ptr<const Capture> m_capture;
};

VQSCOPE_TEST(CapturedTensorDialogTest)
#include "captured_tensor_dialog_test.moc"
