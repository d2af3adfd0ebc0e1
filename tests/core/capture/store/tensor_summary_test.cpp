// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/tensor_summary.h"

#include "core/capture/store/capture_place.h"
#include "core/io/tensor/safetensors_writer.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

using Numbers = std::vector<double>;

/// The index of a capture: numbers of its tensors, and which paths are captures.
class TensorSummaryTest : public vqscope::test::TestCase {
  Q_OBJECT

 private:
  static QString write(const QTemporaryDir& folder, const char* name, const std::vector<NamedTensor>& tensors) {
    StringSink sink;
    if (!write_safetensors(tensors, sink)) qFatal("not written");
    return writtenFile(folder, name, QByteArray::fromStdString(sink.text()));
  }
  static std::optional<CapturePlace> found(const QString& path) { return find_capture(path.toStdString()); }

 private slots:
  void numbers_of_tensors() {
    const QTemporaryDir folder;
    write(folder, "layer2.safetensors",
          {{"q", {1, 1, 2, 3}, Numbers{3, -4, NAN, INFINITY, -INFINITY, 0}},
           {"v", {1, 1, 2, 3}, Numbers{2, 2, 2, 2, 2, 2}}});
    const auto capture = Capture::open(folder.path().toStdString());
    QVERIFY2(capture, capture ? "" : capture.error().message.c_str());
    const auto q = summary_of_tensor(*capture, 2, TensorRole::q, {});
    QVERIFY(q);
    QCOMPARE(q->rms, std::sqrt(25.0 / 3));
    QCOMPARE(q->largest, 4.0);
    QCOMPARE(q->not_numbers, Index{1});
    QCOMPARE(q->infinities, Index{2});
    QVERIFY(!q->constant);
    QCOMPARE(summary_of_tensor(*capture, 2, TensorRole::v, {})->constant, std::optional(2.0F));
    QCOMPARE(summary_of_tensor(*capture, 2, TensorRole::k, {}).error().message, std::string("layer 2 has no k"));
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(summary_of_tensor(*capture, 2, TensorRole::q, stop.get_token()).error().code, Errc::cancelled);
  }

  void paths_of_captures() {
    const QTemporaryDir folder;
    QVERIFY(!found(folder.path()));
    const QString file = write(folder, "step3_layer07.safetensors", {{"q", {1, 1, 1, 1}, Numbers{1}}});
    QVERIFY(found(folder.path()));
    QVERIFY2(!found(file), "one file alone may be any q, k and v");
    write(folder, "step3_layer08.safetensors", {{"q", {1, 1, 1, 1}, Numbers{1}}});
    const auto place = found(file);
    QVERIFY(place);
    QCOMPARE(place->folder, folder.path().toStdString());
    QCOMPARE(*place->step, Index{3});
    QCOMPARE(*place->layer, Index{7});
    writtenFile(folder, "config.json", "{}");
    QVERIFY2(!found(folder.path()), "a model's folder");
    writtenFile(folder, "capture.json", "{}");
    QVERIFY(found(folder.path()));
    QVERIFY(!found(folder.filePath("layer9.npy")));
  }
};

VQSCOPE_TEST(TensorSummaryTest)
#include "tensor_summary_test.moc"
