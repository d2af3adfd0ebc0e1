// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/code/bound_array.h"

#include "tests/core/mask/language/index_limits.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

/// Made of one array.
Result<ArrayPtr> made_of(ArraySource source, std::vector<Index> values) {
  ArrayUse use;
  use.source = source;
  use.of = 0;
  const std::vector<ArrayPtr> before{std::make_shared<BoundArray>(std::move(values))};
  return array_of_text(use, before);
}

std::vector<Index> made_values(const Result<ArrayPtr>& made) {
  std::vector<Index> values;
  for (Index i = 0; i < (*made)->size(); ++i) values.push_back((*made)->at(i));
  return values;
}

}  // namespace

class TextArrayTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_literal_is_its_values() {
    ArrayUse use;
    use.source = ArraySource::literal;
    use.values = {4, -1, 4};
    QCOMPARE(made_values(array_of_text(use, {})), (std::vector<Index>{4, -1, 4}));
  }

  void running_sums() {
    QCOMPARE(made_values(made_of(ArraySource::running_sum, {3, 4, -2, 5})), (std::vector<Index>{3, 7, 5, 10}));
    QVERIFY(made_values(made_of(ArraySource::running_sum, {})).empty());
    COMPARE_ERROR(made_of(ArraySource::running_sum, {highest_index, 1}),
                  "the running sum does not fit in 64 bits at index 1");
    QVERIFY(made_of(ArraySource::running_sum, {highest_index, -1, 1}));
  }

  /// The array of torch.searchsorted(values, i): document borders 0, 3, 7 give each token its
  /// document.
  void counts_by_hand() {
    // Up to i, with right=True: 1 from token 0 on, 2 from 3 on, 3 from 7 on and for all behind.
    QCOMPARE(made_values(made_of(ArraySource::count_up_to, {0, 3, 7})), (std::vector<Index>{1, 1, 1, 2, 2, 2, 2, 3}));
    // Below i: none below 0, one below 1 to 3, two below 4 to 7.
    QCOMPARE(made_values(made_of(ArraySource::count_below, {0, 3, 7})),
             (std::vector<Index>{0, 1, 1, 1, 2, 2, 2, 2, 3}));
    QCOMPARE(made_values(made_of(ArraySource::count_below, {})), (std::vector<Index>{0}));
    // Equal borders are empty documents, negative ones stand before all tokens.
    QCOMPARE(made_values(made_of(ArraySource::count_up_to, {-5, 2, 2, 2})), (std::vector<Index>{1, 1, 4}));
    QCOMPARE(made_values(made_of(ArraySource::count_below, {-5, -1})), (std::vector<Index>{2}));
  }

  void borders_must_not_fall() {
    COMPARE_ERROR(made_of(ArraySource::count_up_to, {0, 5, 4}), "its boundaries must not decrease, found 4 after 5");
    COMPARE_ERROR(made_of(ArraySource::count_below, {1, 0}), "its boundaries must not decrease, found 0 after 1");
  }

  void counts_agree_with_the_definition() {
    Random random(95);
    for (int i = 0; i < 300; ++i) {
      std::vector<Index> borders;
      for (Index last = pick(random, -4, 4), count = pick(random, 0, 8); count > 0; --count)
        borders.push_back(last += pick(random, 0, 4));
      for (const bool up_to : {true, false}) {
        const auto made = made_values(made_of(up_to ? ArraySource::count_up_to : ArraySource::count_below, borders));
        for (std::size_t k = 0; k < made.size(); ++k) {
          const auto index = static_cast<Index>(k);
          QCOMPARE(made[k], std::ranges::count_if(borders, [&](Index b) { return up_to ? b <= index : b < index; }));
        }
        // The last one holds for every larger index.
        QCOMPARE(made.back(), static_cast<Index>(borders.size()));
      }
    }
  }
};

VQSCOPE_TEST(TextArrayTest)
#include "text_array_test.moc"
