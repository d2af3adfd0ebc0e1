// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_fields.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class PairLayoutTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void pairs_and_dimensions() {
    for (const auto layout : {PairLayout::half_split, PairLayout::interleaved})
      for (Index pair = 0; pair < 5; ++pair) {
        const auto [a, b] = dimensions_of(pair, 5, layout);
        QCOMPARE(pair_of(a, 5, layout), pair);
        QCOMPARE(pair_of(b, 5, layout), pair);
      }
    QCOMPARE(pair_of(10, 5, PairLayout::interleaved), Index{-1});
    // Gemma 4: 2 of 8 pairs of a head of 16 rotate.
    const auto far = dimensions_of(1, 2, PairLayout::head_split, 16);
    QCOMPARE(far, (std::pair<Index, Index>{1, 9}));
    for (const Index dimension : {0, 1, 8, 9})
      QCOMPARE(pair_of(dimension, 2, PairLayout::head_split, 16), dimension % 8);
    for (const Index dimension : {2, 7, 10, 15}) QCOMPARE(pair_of(dimension, 2, PairLayout::head_split, 16), Index{-1});
  }

  /// Fields of a config's JSON: the order, and the distance that separates head_split from
  /// half_split.
  void orders_and_distances() {
    QCOMPARE(order_of(PairLayout::head_split), std::string_view("half_split"));
    QCOMPARE(order_of(PairLayout::interleaved), std::string_view("interleaved"));
    QCOMPARE(pairs_apart(2, PairLayout::head_split, 16), Index{8});
    QCOMPARE(pairs_apart(2, PairLayout::half_split, 16), Index{2});
    QCOMPARE(pairs_apart(2, PairLayout::interleaved, 16), Index{1});
  }

  void names_of_layouts() {
    for (const auto& choice : pair_layout_parameter().choices)
      COMPARE_TEXT(std::string(name_of(pair_layout_of(choice.id))), choice.id);
  }
};

VQSCOPE_TEST(PairLayoutTest)
#include "pair_layout_test.moc"
