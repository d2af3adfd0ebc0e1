// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/curve/curve_cases.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <functional>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// How many tokens reach the last of `length` through so many layers that let `sees(q, k)`: by
/// following every one.
Index reached(Index length, Index layers, const std::function<bool(Index q, Index k)>& sees) {
  std::vector<bool> reach(static_cast<std::size_t>(length), false);
  reach.back() = true;
  for (Index layer = 0; layer < layers; ++layer) {
    auto next = reach;
    for (Index q = 0; q < length; ++q)
      for (Index k = 0; k <= q; ++k)
        if (reach[static_cast<std::size_t>(q)] && sees(q, k)) next[static_cast<std::size_t>(k)] = true;
    reach = next;
  }
  return std::ranges::count(reach, true);
}

using Texts = std::vector<std::string>;

}  // namespace

class ReceptiveWindowTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // A window of 3 sees two tokens back: 2, 4, 6 through one, two, three layers, and the token
    // itself.
    const auto set = *curves_of("receptive_window", {{"layers", Index{3}},
                                                     {"sliding_window", Index{3}},
                                                     {"segment_length", Index{4}},
                                                     {"kinds", Texts{"sliding_window", "transformer_xl"}}});
    QCOMPARE(curve_of(set, "sliding_window").y, (std::vector<double>{3, 5, 7}));
    QCOMPARE(curve_of(set, "transformer_xl").y, (std::vector<double>{8, 12, 16}));
  }

  void agrees_with_following_every_token() {
    Random random(11);
    for (int i = 0; i < 40; ++i) {
      const Index size = pick(random, 1, 9);
      const Index layers = pick(random, 1, 6);
      const Index length = size * pick(random, 1, 12);  // the last token ends a segment
      const auto set = *curves_of("receptive_window",
                                  {{"q_length", length},
                                   {"layers", layers},
                                   {"sliding_window", size},
                                   {"segment_length", size},
                                   {"chunk_length", size},
                                   {"kinds", Texts{"causal", "sliding_window", "transformer_xl", "chunked", "vq"}}});
      const auto last = [&](const char* id) { return static_cast<Index>(curve_of(set, id).y.back()); };
      QCOMPARE(last("causal"), reached(length, layers, [](Index, Index) { return true; }));
      QCOMPARE(last("vq"), length);
      QCOMPARE(last("sliding_window"), reached(length, layers, [&](Index q, Index k) { return q - k < size; }));
      QCOMPARE(last("chunked"), reached(length, layers, [&](Index q, Index k) { return q / size == k / size; }));
      QCOMPARE(last("transformer_xl"),
               reached(length, layers, [&](Index q, Index k) { return q / size - k / size <= 1; }));
    }
  }

  void biases_have_the_window_of_their_weight() {
    // Slope 2^-4: 99 % within ln 100 / m = 73.7 tokens.
    const auto set = *curves_of("receptive_window", {{"kinds", Texts{"alibi", "nope"}}, {"head", Index{3}}});
    QCOMPARE(fact_of(set, "window_99_alibi"), 74.0);
    QCOMPARE(curve_of(set, "alibi").y[9], 10.0 * 73 + 1);
    QVERIFY(std::isnan(fact_of(set, "layers_to_reach_all_alibi")));
    QCOMPARE(fact_of(set, "layers_to_reach_all_nope"), 2.0);
  }

  void curve() {
    const auto set = *curves_of("receptive_window");
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.x.size(), std::size_t{32});
    QCOMPARE(curve_of(set, "sliding_window").y.back(), 32.0 * 4095 + 1);
    QCOMPARE(curve_of(set, "transformer_xl").y.back(), 33.0 * 2048);
    QCOMPARE(curve_of(set, "chunked").y.back(), 8192.0);
    QCOMPARE(set.levels.front().y, 131072.0);
    QCOMPARE(fact_of(set, "layers_to_reach_all_causal"), 1.0);
    const auto longest = *curves_of("receptive_window", {{"q_length", Index{2147483647}},
                                                         {"sliding_window", Index{2147483647}},
                                                         {"layers", Index{128}},
                                                         {"kinds", Texts{"sliding_window", "transformer_xl"}}});
    QCOMPARE(curve_of(longest, "sliding_window").y.back(), 2147483647.0);
  }

  void form_shows_relevant_parameters() {
    const auto& specs = find_method(curve_methods(), "receptive_window")->parameters;
    const auto values = curve_values("receptive_window", {{"kinds", Texts{"chunked"}}});
    for (const char* name : {"sliding_window", "segment_length", "head", "num_heads", "r1"})
      QVERIFY2(!is_relevant(*find_spec(specs, name), values), name);
    QVERIFY(is_relevant(*find_spec(specs, "chunk_length"), values));
  }

  void errors_and_stops() {
    COMPARE_ERROR(curves_of("receptive_window", {{"head", Index{8}}}),
                  "alibi: head is 8 but must be below num_heads = 8");
    QVERIFY(curves_of("receptive_window", {{"head", Index{8}}, {"kinds", Texts{"causal"}}}));
    QVERIFY(stops("receptive_window"));
  }
};

VQSCOPE_TEST(ReceptiveWindowTest)
#include "receptive_window_test.moc"
