// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/count/relative_counter.h"

#include "core/mask/language/language_mask.h"
#include "tests/core/mask/language/count/slow_count.h"
#include "tests/core/mask/language/random_program.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::shared_ptr<const LanguageMask> relative_mask(const std::string& text, Index queries, Index keys) {
  const auto layout = *SequenceLayout::make({.q_length = queries, .kv_length = keys});
  return *LanguageMask::make(MaskProgram::parse(text).program, {}, layout);
}

}  // namespace

class RelativeCounterTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void every_third_distance_by_hand() {
    const auto mask = relative_mask("(q_idx - kv_idx) % 3 == 0", 4, 6);
    const auto counter = language::RelativeCounter::make(mask->bound(), mask->bound().visible, {});
    QVERIFY(counter);
    // (0, 0), (0, 3), (1, 1), (1, 4), (2, 2), (2, 5), (3, 0), (3, 3).
    QCOMPARE(counter->count({{0, 4}, {0, 6}}), std::uint64_t{8});
    QCOMPARE(counter->count({{1, 4}, {0, 2}}), std::uint64_t{2});
    QCOMPARE(counter->count({{1, 3}, {0, 1}}), std::uint64_t{0});
    std::vector<std::uint64_t> counts(4);
    counter->count_tiles(std::vector<Index>{0, 2, 4}, std::vector<Index>{0, 1, 6}, counts);
    QCOMPARE(counts, (std::vector<std::uint64_t>{1, 3, 1, 3}));
  }

  void rectangles_of_any_shape() {
    Random random(3);
    for (const char* text : {"(q_idx - kv_idx) % 7 < 3", "((q_idx - kv_idx).abs() // 5) % 2 == 0",
                             "(kv_idx <= q_idx) & (((q_idx - kv_idx) & (q_idx - kv_idx - 1)) == 0)"})
      for (int i = 0; i < 12; ++i) {
        const Index rows = pick(random, 1, 700);
        const Index cols = pick(random, rows, 900);
        const auto mask = relative_mask(text, rows, cols);
        const auto counter = language::RelativeCounter::make(mask->bound(), mask->bound().visible, {});
        QVERIFY(counter);
        QCOMPARE(counter->count({{0, rows}, {0, cols}}), slow_count(*mask, {{0, rows}, {0, cols}}));
        for (int k = 0; k < 10; ++k) {
          const Index top = pick(random, 0, rows - 1), left = pick(random, 0, cols - 1);
          const Rect some{{top, pick(random, top + 1, rows)}, {left, pick(random, left + 1, cols)}};
          QVERIFY2(counter->count(some) == slow_count(*mask, some), text);
        }
      }
  }

  void a_stop_makes_none() {
    std::stop_source stop;
    stop.request_stop();
    const auto mask = relative_mask("(q_idx - kv_idx) % 3 == 0", 4, 6);
    QVERIFY(!language::RelativeCounter::make(mask->bound(), mask->bound().visible, stop.get_token()));
  }
};

VQSCOPE_TEST(RelativeCounterTest)
#include "relative_counter_test.moc"
