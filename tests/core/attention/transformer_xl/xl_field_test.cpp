// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/transformer_xl/xl_field.h"

#include "tests/core/sequence/xl_recurrence.h"
#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

XlField random_xl_field(Random& random) {
  const XlSegments s = random_segments(random, 60);
  return {s, static_cast<XlView>(pick(random, 0, 2))};
}

std::vector<int> row_of_field(const XlField& field, Index row) {
  std::vector<std::int32_t> cells(static_cast<std::size_t>(field.extent().cols));
  field.read({{row, row + 1}, {0, field.extent().cols}}, std::span(cells));
  return {cells.begin(), cells.end()};
}

}  // namespace

class XlFieldTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rows_by_hand() {
    XlSegments s{.length = 8, .segment_len = 2, .memory_len = 2, .layers = 2};
    QCOMPARE(row_of_field({s, XlView::layer}, 6), (std::vector<int>{0, 0, 0, 0, 2, 2, 1, 0}));
    QCOMPARE(row_of_field({s, XlView::reach}, 6), (std::vector<int>{0, 0, 2, 2, 1, 1, 1, 0}));
    QCOMPARE(row_of_field({s, XlView::gradient}, 7), (std::vector<int>{0, 0, 2, 2, 2, 2, 1, 1}));
    s.clamp_len = 1;
    QCOMPARE(row_of_field({s, XlView::layer}, 6), (std::vector<int>{0, 0, 0, 0, 3, 2, 1, 0}));
    s.same_length = true;
    s.memory_len = 3;
    QCOMPARE(row_of_field({s, XlView::layer}, 6), (std::vector<int>{0, 0, 0, 0, 3, 2, 1, 0}));
    QCOMPARE(row_of_field({s, XlView::reach}, 6), (std::vector<int>{0, 0, 2, 2, 1, 1, 1, 0}));
  }

  void reach_and_gradient_agree_with_the_recurrence() {
    Random random(1);
    for (int i = 0; i < 60; ++i) {
      const XlSegments s = random_segments(random, 24);
      const XlField reach(s, XlView::reach), gradient(s, XlView::gradient);
      const auto known = reached_by_recurrence(s, s.layers, false);
      const auto learnt = reached_by_recurrence(s, s.layers, true);
      for (Index q = 0; q < s.length; ++q)
        for (Index k = 0; k < s.length; ++k) {
          const bool read = known[static_cast<std::size_t>(q)][static_cast<std::size_t>(k)];
          QCOMPARE(reach.at(q, k) > 0, read);
          const bool taught = learnt[static_cast<std::size_t>(q)][static_cast<std::size_t>(k)];
          QCOMPARE(gradient.at(q, k), taught ? 1.0 : read ? 2.0 : 0.0);
        }
    }
  }

  void read_agrees_with_at() {
    Random random(2);
    for (int i = 0; i < 1000; ++i) {
      const auto field = random_xl_field(random);
      COMPARE_TEXT(read_differs(field, random_tile_grid(random, field.extent()).bounds()), "");
    }
  }

  void summaries_agree_with_the_cells() {
    Random random(3);
    for (int i = 0; i < 3000; ++i) {
      const auto field = random_xl_field(random);
      COMPARE_TEXT(summary_differs(field, random_tile_grid(random, field.extent())), "");
    }
  }

  void summary_does_not_depend_on_threads_and_planes() {
    const XlField field({.length = 700, .segment_len = 16, .memory_len = 40, .layers = 9}, XlView::reach);
    const TileGrid grid{even_edges({0, 700}, 350), even_edges({3, 690}, 101)};
    COMPARE_TEXT(summary_differs(field, grid, {.threads = 1}), "");
    COMPARE_TEXT(summary_differs(field, grid, {.threads = 3}), "");
    COMPARE_TEXT(summary_differs(field, grid, {.extremes = false}), "");
    COMPARE_TEXT(summary_differs(field, grid, {.mean = false}), "");
  }

  /// One segment is the whole sequence: half of the cells are read in layer 1.
  void the_longest_sequence_is_summarised() {
    const Index length = Index{1} << 31;
    const XlField field({.length = length, .segment_len = length, .memory_len = 0}, XlView::reach);
    Summary summary;
    QVERIFY(field.summarize({{0, length}, {0, length}}, {}, summary));
    QCOMPARE(summary.mean[0], 0.5F);
    QCOMPARE(summary.min[0], 0.0F);
    QCOMPARE(summary.max[0], 1.0F);
  }

  void no_cell_exceeds_the_range() {
    Random random(4);
    for (int i = 0; i < 200; ++i) {
      const auto field = random_xl_field(random);
      for (Index row = 0; row < field.extent().rows; ++row)
        for (const int value : row_of_field(field, row)) QVERIFY(value >= 0 && value <= field.value_range().second);
    }
  }

  void facts_count_keys_of_the_last_token() {
    const XlField field({.length = 24, .segment_len = 4, .memory_len = 4, .layers = 3}, XlView::reach);
    const std::vector<std::pair<std::string, double>> expected{
        {"dependency_length", 16}, {"read_by_last", 16}, {"learnt_by_last", 4}, {"layers_to_read_all", 5}};
    QCOMPARE(field.facts({}), expected);
    const XlField apart({.length = 24, .segment_len = 4, .memory_len = 0, .layers = 3}, XlView::reach);
    QVERIFY(std::isnan(apart.facts({}).back().second));
  }

  void the_chosen_pair_is_marked() {
    const XlField field({.length = 24, .segment_len = 4, .memory_len = 4}, XlView::layer, XlPair{9, 5});
    const auto marks = field.marks();
    QCOMPARE(marks.size(), std::size_t{2});
    QCOMPARE(marks[0].axis, Mark::Axis::row);
    QCOMPARE(marks[0].at, 9.5);
    COMPARE_TEXT(marks[0].label, "query 9");
    COMPARE_TEXT(marks[1].label, "key 5");
    QVERIFY(XlField({.length = 24, .segment_len = 4, .memory_len = 4}, XlView::layer).marks().empty());
  }

  void stops_on_request() {
    std::stop_source source;
    source.request_stop();
    Summary summary;
    const XlField field({.length = 24, .segment_len = 4, .memory_len = 4}, XlView::layer);
    const auto done = field.summarize({{0, 24}, {0, 24}}, {.stop = source.get_token()}, summary);
    QVERIFY(!done);
    QCOMPARE(done.error().code, Errc::cancelled);
  }
};

VQSCOPE_TEST(XlFieldTest)
#include "xl_field_test.moc"
