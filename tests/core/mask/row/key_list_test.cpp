// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/row/row_report.h"

#include "tests/core/mask/mask_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

RowReport visible_row(std::vector<Range> visible, Index keys) {
  RowReport row{.keys = keys, .visible = std::move(visible)};
  for (const Range& range : row.visible) row.count += range.size();
  return row;
}

std::vector<Index> keys_in(const KeyList& list) {
  std::vector<Index> keys;
  for (Index place = 0; place < list.size(); ++place) keys.push_back(list.at(place));
  return keys;
}

}  // namespace

class KeyListTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_row_by_hand() {
    const RowReport row = visible_row({{1, 3}, {6, 7}}, 9);
    QCOMPARE(keys_in({row, KeyFilter::visible}), (std::vector<Index>{1, 2, 6}));
    QCOMPARE(keys_in({row, KeyFilter::masked}), (std::vector<Index>{0, 3, 4, 5, 7, 8}));
    QCOMPARE(keys_in({row, KeyFilter::all}).size(), std::size_t{9});
    const RowReport second = visible_row({{2, 4}, {6, 7}}, 9);
    QCOMPARE(keys_in({row, KeyFilter::different, &second}), (std::vector<Index>{1, 3}));
    QCOMPARE(keys_in({row, KeyFilter::different}), std::vector<Index>{});
    const KeyList visible(row, KeyFilter::visible);
    // Key 4 would stand before 6, key 8 behind the last.
    QCOMPARE(visible.place_of(0), Index{0});
    QCOMPARE(visible.place_of(4), Index{2});
    QCOMPARE(visible.place_of(8), Index{3});
    QVERIFY(visible.has(2) && !visible.has(4) && !visible.has(8));
  }

  void rows_that_see_all_or_no_keys() {
    const RowReport all = visible_row({{0, 5}}, 5), none = visible_row({}, 5);
    QCOMPARE(KeyList(all, KeyFilter::visible).size(), Index{5});
    QCOMPARE(KeyList(all, KeyFilter::masked).size(), Index{0});
    QVERIFY(!KeyList(all, KeyFilter::masked).has(0));
    QCOMPARE(KeyList(none, KeyFilter::visible).size(), Index{0});
    QCOMPARE(keys_in({none, KeyFilter::masked}), (std::vector<Index>{0, 1, 2, 3, 4}));
    QCOMPARE(KeyList().size(), Index{0});
    QVERIFY(!KeyList().has(0));
    QCOMPARE(KeyList().place_of(3), Index{0});
  }

  void two_thousand_million_keys_take_no_memory() {
    const RowReport row = visible_row({{5, 1000000000}, {1500000000, 2000000000}}, 2000000000);
    const KeyList visible(row, KeyFilter::visible);
    QCOMPARE(visible.size(), Index{1499999995});
    QCOMPARE(visible.at(999999994), Index{999999999});
    QCOMPARE(visible.at(999999995), Index{1500000000});
    QCOMPARE(visible.place_of(1200000000), Index{999999995});
    QCOMPARE(KeyList(row, KeyFilter::masked).at(5), Index{1000000000});
  }

  void keys_of_each_filter() {
    Random random(4);
    for (int i = 0; i < 300; ++i) {
      const auto mask = random_case(random).mask();
      const RowReport row = *row_report(*mask, pick(random, 0, mask->extent().rows - 1));
      for (const auto filter : {KeyFilter::all, KeyFilter::visible, KeyFilter::masked}) {
        const KeyList keys(row, filter);
        Index place = 0;
        for (Index key = 0; key < row.keys; ++key) {
          const bool wanted = filter == KeyFilter::all || row.sees(key) == (filter == KeyFilter::visible);
          QCOMPARE(keys.has(key), wanted);
          QCOMPARE(keys.place_of(key), place);
          if (wanted) QCOMPARE(keys.at(place++), key);
        }
        QCOMPARE(keys.size(), place);
        QCOMPARE(keys.place_of(row.keys), place);
      }
    }
  }
};

VQSCOPE_TEST(KeyListTest)
#include "key_list_test.moc"
