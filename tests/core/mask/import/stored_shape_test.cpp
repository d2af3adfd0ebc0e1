// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/stored_shape.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <array>
#include <vector>

using namespace vqscope;

namespace {

std::string broadcast_of(const std::vector<Index>& shape, Index queries = 6) {
  return mask_broadcast_text(shape, queries);
}

}  // namespace

class StoredShapeTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void shapes() {
    COMPARE_TEXT(mask_shape_text(std::array<Index, 4>{3, 1, 6, 6}), "[3, 1, 6, 6]");
    COMPARE_TEXT(mask_shape_text(std::array<Index, 1>{6}), "[6]");
  }

  void broadcasts_by_hand() {
    COMPARE_TEXT(broadcast_of({1, 1, 6, 6}), "one for all samples and heads");
    COMPARE_TEXT(broadcast_of({3, 1, 1, 6}), "one for all heads, one row for all 6 queries");
    COMPARE_TEXT(broadcast_of({3, 1, 1, 6}, 1), "one for all heads");
    COMPARE_TEXT(broadcast_of({1, 2, 6, 6}), "one for all samples");
    COMPARE_TEXT(broadcast_of({3, 1, 6}), "one row for all 6 queries");
    for (const std::vector<Index>& whole : {std::vector<Index>{3, 2, 6, 6}, {3, 6, 6}, {6, 6}, {1, 6}})
      COMPARE_TEXT(broadcast_of(whole), "");
  }

  /// A shape of four leaves nothing to broadcasting where no dimension is 1.
  void only_dimensions_of_one_are_broadcast() {
    for (Index b = 1; b <= 3; ++b)
      for (Index h = 1; h <= 3; ++h)
        for (Index q = 1; q <= 3; ++q) QCOMPARE(broadcast_of({b, h, q, 4}, 4).empty(), b > 1 && h > 1 && q > 1);
  }
};

VQSCOPE_TEST(StoredShapeTest)
#include "stored_shape_test.moc"
