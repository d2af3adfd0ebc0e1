// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/curve/rope/curve_values.h"
#include "core/encoding/rope/rope_scaling.h"
#include "tests/core/curve/curve_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// First r below end with B(r) < 0, else end.
Index holds_below(Index rotary_dim, double base, Index end) {
  const auto rates = turns_of(rope_frequencies({.head_dim = rotary_dim, .rope_theta = base}).inv_freq);
  return first_negative(rates, end, {}).value_or(end);
}

}  // namespace

class BaseBoundTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// One pair turns by 1 rad a position whatever the base: cos 2 is the first below 0.
  void by_hand() {
    const auto bounds = base_bounds({.rotary_dim = 2, .longest = 100, .to = 100}, {});
    QCOMPARE(bounds.steps.size(), std::size_t{1});
    QCOMPARE(bounds.steps[0].length, Index{2});
    QCOMPARE(bounds.smallest(1), 1.01);
    QCOMPARE(bounds.smallest(2), 1.01);
    QVERIFY(std::isnan(bounds.smallest(3)));
    QVERIFY(near(bounds.searched_up_to, 100, 0.5));
  }

  /// No base of the grid below the one found holds, by the plain search over every base, and the
  /// one found does.
  void agrees_with_a_plain_scan() {
    for (const Index rotary_dim : {8, 16, 64}) {
      const BaseSearch search{.rotary_dim = rotary_dim, .longest = 600, .to = 1e5, .step = 1.005};
      const auto bounds = base_bounds(search, {});
      Index best = 0;
      for (double base = search.from; base < 1e5 && best < 600; base *= search.step) {
        const Index length = holds_below(rotary_dim, base, 600);
        if (length <= best) continue;
        QVERIFY2(bounds.smallest(length) <= base * (1 + 1e-9), qPrintable(QString::number(base)));
        best = length;
      }
      for (const auto& step : bounds.steps) QCOMPARE(holds_below(rotary_dim, step.base, 600), step.length);
    }
  }

  /// The grid from below each value on, which is what there is time for. At 4k a single base holds,
  /// 6 % below those that a step of 0.5 % finds.
  void by_the_published_numbers() {
    QVERIFY(near(base_bounds({.longest = 1024, .from = 3e3}, {}).smallest(1024) / 4.3e3, 1, 0.1));
    const auto bounds = base_bounds({.longest = 8192, .from = 2e4}, {});
    QVERIFY(near(bounds.smallest(4096) / 2.7e4, 1, 0.01));
    QVERIFY(near(bounds.smallest(8192) / 8.4e4, 1, 0.1));
    QVERIFY(near(base_bounds({.longest = 32768, .from = 5e5}, {}).smallest(32768) / 6.3e5, 1, 0.1));
  }

  /// Why bisection over all bases would be wrong.
  void a_larger_base_may_fail_again() {
    const auto bounds = base_bounds({.longest = 2048, .step = 1.005}, {});
    bool again = false;
    for (const auto& step : bounds.steps)
      for (double base = step.base; base < 1.3 * step.base && !again; base *= 1.005)
        again = holds_below(128, base, step.length) < step.length;
    QVERIFY(again);
  }

  void curve() {
    const auto set = *curves_of(
        "base_bound",
        {{"q_length", Index{2048}}, {"original_max_position_embeddings", Index{1024}}, {"points", Index{50}}});
    COMPARE_TEXT(incomplete(set), "");
    QVERIFY(set.log_x && set.log_y && std::ranges::is_sorted(set.curves[0].y));
    QVERIFY(near(fact_of(set, "smallest_base") / 4.3e3, 1, 0.1));
    QCOMPARE(fact_of(set, "first_negative"), 1707.0);
    QCOMPARE(set.marks.front().x, 1024.0);
  }

  void limits_of_the_search_are_reported() {
    // One pair holds up to 2 tokens, whatever the base; 2^23 cosines a base are 2^22 tokens of two
    // pairs.
    const auto one = *curves_of("base_bound", {{"head_dim", Index{2}}, {"q_length", Index{64}}});
    QVERIFY(std::isnan(one.curves[0].y.back()));
    QVERIFY(near(fact_of(one, "base_searched_up_to") / 1e9, 1, 0.01));
    const auto many = *curves_of("base_bound", {{"head_dim", Index{4}},
                                                {"q_length", Index{1} << 23},
                                                {"original_max_position_embeddings", Index{64}},
                                                {"points", Index{10}}});
    QCOMPARE(fact_of(many, "length_searched_up_to"), static_cast<double>(Index{1} << 22));
    QVERIFY(std::isnan(many.curves[0].y.back()));
  }

  void partial_results_are_reported() {
    COMPARE_TEXT(wrong_parts(reported_sets("base_bound", {{"q_length", Index{1024}},
                                                          {"original_max_position_embeddings", Index{512}},
                                                          {"points", Index{50}},
                                                          {"x_unit", std::string("trained_lengths")}}),
                             20),
                 "");
  }

  void stops_and_reports() {
    QVERIFY(stops("base_bound"));
    double last = 0;
    bool ascends = true;
    const Work work{[&](double fraction) {
                      ascends &= fraction >= last;
                      last = fraction;
                    },
                    {}};
    (void)base_bounds({.longest = 512}, work);
    QVERIFY(ascends && last == 1);
    COMPARE_ERROR(curves_of("base_bound", {{"head_dim", Index{7}}}), "head_dim is 7 but must be even");
  }
};

VQSCOPE_TEST(BaseBoundTest)
#include "base_bound_test.moc"
