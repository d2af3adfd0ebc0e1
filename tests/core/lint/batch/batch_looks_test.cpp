// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/batch/batch_looks.h"

#include "core/lint/batch/read_batch.h"
#include "core/mask/methods.h"
#include "core/method/method_list.h"
#include "tests/core/io/npy/npy_bytes.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

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
    const auto read = read_batch(writtenFile(folder, QStringLiteral("m.npy"), file).toStdString(), {});
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    const auto looks = batch_looks(read->batch, {defaultsOfVisibility(), {}}, {});
    QCOMPARE(looks.all.size(), std::size_t{3});
    QCOMPARE(looks.all[0].group, looks.all[2].group);
    QVERIFY(looks.all[1].group != looks.all[0].group);
    QCOMPARE(looks.all[0].differs, std::uint64_t{0});
    QCOMPARE(looks.all[1].differs, std::uint64_t{1});
    QVERIFY(looks.all[0].findings.empty());
    for (const Finding& finding : looks.report.findings) QCOMPARE(finding.batch.value_or(-1), Index{1});
  }

  /// The second sample has no real token, and the third a label where there is padding: each finding
  /// names its sample.
  void lists_are_checked_by_sample() {
    SampleBatchReader reader;
    QVERIFY(reader.take_array("attention_mask", {{3, 4}, {1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0}}));
    QVERIFY(reader.take_array("labels", {{3, 4}, {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, -100}}));
    SampleBatch batch = std::move(reader).finished();
    batch.q_length = batch.tokens;
    const auto looks = batch_looks(batch, {defaultsOfVisibility(), default_values(lint_parameters())}, {});
    QCOMPARE(looks.all.size(), std::size_t{3});
    QCOMPARE(looks.all[1].findings.size(), std::size_t{1});
    QCOMPARE(looks.all[1].findings.front().sentence,
             std::string("the sample has no real token: every row sees no key"));
    QVERIFY(!looks.all[2].findings.empty());
    const auto ofThird = std::ranges::find(looks.report.findings, std::optional<Index>(2), &Finding::batch);
    QVERIFY(ofThird != looks.report.findings.end());
  }

  void a_sample_that_does_not_fit_has_a_finding_of_its_own() {
    SampleBatchReader reader;
    QVERIFY(reader.take_array("attention_mask", {{1, 4}, {1, 1, 1, 1}}));
    SampleBatch batch = std::move(reader).finished();
    batch.q_length = 4;
    batch.arrays.push_back({"labels", {{1, 3}, {1, 2, 3}}});
    const auto looks = batch_looks(batch, {defaultsOfVisibility(), default_values(lint_parameters())}, {});
    QCOMPARE(looks.all[0].findings.size(), std::size_t{1});
    QCOMPARE(looks.all[0].findings[0].rule, std::string(unchecked_rule));
    QVERIFY(looks.all[0].findings[0].sentence.starts_with("labels has 3 entries"));
  }

  void a_stop_gives_nothing() {
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(batch_looks({}, {}, stop.get_token()).all.empty());
  }

 private:
  static ParameterValues defaultsOfVisibility() {
    return default_values(find_method(mask_methods(), "visibility")->parameters);
  }
};

VQSCOPE_TEST(BatchLooksTest)
#include "batch_looks_test.moc"
