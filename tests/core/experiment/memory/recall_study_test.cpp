// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/memory/recall_study.h"

#include "core/experiment/memory/memory_setting.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;

namespace {

RetrievalSetting recall_setting() {
  return {.memory = {.q_length = 200, .d_k = 16, .d_v = 3, .segment_len = 40, .match_cosine = 0.95},
          .options = {.segment_len = 40, .memory_len = 200, .top_k = 4}};
}

}  // namespace

class RecallStudyTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void queries_with_a_memory() {
    QCOMPARE(recall_queries({.q_length = 1000, .segment_len = 100}), (Range{744, 1000}));
    QCOMPARE(recall_queries({.q_length = 200, .segment_len = 40}), (Range{40, 200}));
  }

  /// One bucket gives its best key, which is the best of all; two keys share a bucket half of the
  /// time.
  void buckets_by_hand() {
    QCOMPARE(expected_bucket_recall(1), 1.0);
    QCOMPARE(expected_bucket_recall(2), 0.75);
    QVERIFY(std::abs(expected_bucket_recall(100000) - (1 - std::exp(-1.0))) < 1e-5);
  }

  /// The last of 200 tokens in segments of 40: 40 local keys, 160 before them.
  void costs_by_hand() {
    const RecallCost all = recall_cost(recall_setting(), 1000, 4);
    QCOMPARE(all.search, 160.0 * 16);
    QCOMPARE(all.attention, 40.0 * 19 + 4 * 3);
    QCOMPARE(all.full, 200.0 * 19);
    QCOMPARE(all.bytes, 4.0 * 160 * 19);
    QCOMPARE(recall_cost(recall_setting(), 10, 64).attention, 40.0 * 19 + 10 * 3);
  }

  /// A memory of all keys finds nearly every planted key, one of few keys few; fractions are
  /// fractions.
  void larger_memories_find_more() {
    RecallStudy study(recall_setting(), {});
    QVERIFY(study.planted());
    QVERIFY(study.prepare({}));
    const RecallPoint all = study.at(200, 4, {}).value(), few = study.at(8, 4, {}).value();
    QVERIFY(all.planted > 0.9 && few.planted < 0.5 && all.planted_bucket <= 1);
    QVERIFY(all.far_weight > few.far_weight);
    for (const RecallPoint& point : {all, few})
      for (const double fraction : {point.planted, point.planted_bucket, point.bucket, point.far_weight,
                                    point.memory_fraction, point.joint_fraction})
        QVERIFY(fraction >= 0 && fraction <= 1);
    QVERIFY(study.full_far_fraction() > 0 && study.full_far_fraction() < 1);
  }

  void segments_of_a_memory() {
    const MemorySetting setting{.q_length = 90, .segment_len = 40};
    QCOMPARE(segments_of(setting), Index{3});
    QCOMPARE(segment_at(setting, 2), (Range{80, 90}));
    QVERIFY(infini_rule("linear") == InfiniRule::linear && infini_rule("delta_by_token") == InfiniRule::delta_by_token);
  }

  /// One stored pair is read back as it was, whatever its key.
  void one_pair_is_read_back() {
    const MemorySetting setting{.q_length = 1, .d_k = 4, .d_v = 3, .segment_len = 1};
    const MemoryTokens tokens = memory_tokens(setting);
    InfiniMemory memory(4, 3);
    store_segment(setting, tokens, 0, InfiniRule::linear, {}, memory);
    const ReadOut read = read_out(memory, tokens.keys.data(), tokens.values.data());
    QVERIFY(read.error < 1e-5);
    QVERIFY(std::abs(read.cosine - 1) < 1e-6);
  }
};

VQSCOPE_TEST(RecallStudyTest)
#include "recall_study_test.moc"
