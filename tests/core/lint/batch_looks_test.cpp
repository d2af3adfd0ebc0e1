// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/batch_looks.h"

#include "core/mask/methods.h"
#include "core/method/method_list.h"
#include "tests/core/io/npy/npy_bytes.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class BatchLooksTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The second of three samples shows one later key; the third is equal to the first.
  void equal_masks_are_one_group() {
    const std::vector<std::uint8_t> cells{1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1,
                                          0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1};
    const QTemporaryDir folder;
    const QByteArray file = QByteArray::fromStdString(npy_array("|b1", {3, 3, 3}, bytes_of_values(cells)));
    const auto batch = read_mask_batch(writtenFile(folder, QStringLiteral("m.npy"), file).toStdString(), {});
    QVERIFY2(batch, batch ? "" : batch.error().message.c_str());
    const Method& method = *find_method(mask_methods(), "visibility");
    const auto looks = batch_looks(*batch, default_values(method.parameters), {}, {});
    QCOMPARE(looks.size(), std::size_t{3});
    QCOMPARE(looks[0].group, looks[2].group);
    QVERIFY(looks[1].group != looks[0].group);
    QCOMPARE(looks[0].differs, std::uint64_t{0});
    QCOMPARE(looks[1].differs, std::uint64_t{1});
    QVERIFY(looks[0].findings.empty());
  }

  void a_stop_gives_nothing() {
    std::stop_source stop;
    stop.request_stop();
    MaskBatch batch;
    batch.masks = {std::make_shared<const MaskImport>()};
    QVERIFY(batch_looks(batch, {}, {}, stop.get_token()).empty());
  }
};

VQSCOPE_TEST(BatchLooksTest)
#include "batch_looks_test.moc"
