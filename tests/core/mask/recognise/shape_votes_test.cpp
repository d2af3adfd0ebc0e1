// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/shape_votes.h"

#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/recognise/text_mask.h"
#include "tests/core/mask/row_mask.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

MaskRows rows_of(const std::string& text, const SequenceInput& input) {
  CountBudget unlimited;
  return MaskRows::read(*mask_of_text(text, input), unlimited).value();
}

MaskShape shape_of(Extent extent, Index past_len = 0) { return {.extent = extent, .past_len = past_len}; }

}  // namespace

class ShapeVotesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rows_by_hand() {
    const MaskRows rows = rows_of("(kv_idx <= q_idx) & (kv_idx != 1)", {.q_length = 4});
    QCOMPARE(rows.extent(), (Extent{4, 4}));
    const auto row = rows.row(3);
    QCOMPARE(std::vector<Range>(row.begin(), row.end()), (std::vector<Range>{{0, 1}, {2, 4}}));
    const MaskRows inverse = rows.inverse();
    const auto masked = inverse.row(1);
    QCOMPARE(std::vector<Range>(masked.begin(), masked.end()), (std::vector<Range>{{1, 4}}));
    const auto only = inverse.row(3);
    QCOMPARE(std::vector<Range>(only.begin(), only.end()), (std::vector<Range>{{1, 2}}));
  }

  void the_inverse_of_the_inverse() {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
      const auto mask = random_case(random).mask();
      CountBudget unlimited;
      const MaskRows rows = MaskRows::read(*mask, unlimited).value();
      const MaskRows inverse = rows.inverse(), again = inverse.inverse();
      for (Index q = 0; q < rows.extent().rows; ++q) {
        QVERIFY(std::ranges::equal(rows.row(q), again.row(q)));
        Index cells = 0;
        for (const auto* each : {&rows, &inverse})
          for (const Range& range : each->row(q)) cells += range.size();
        QCOMPARE(cells, rows.extent().cols);
      }
    }
  }

  void too_much_is_refused_before_a_row_is_read() {
    CountBudget unlimited;
    const auto tall = MaskRows::read(*mask_of_text("kv_idx <= q_idx", {.q_length = 2097153}), unlimited);
    COMPARE_ERROR(tall,
                  "a mask is recognised by all its rows: at most 2097152 queries and 4194304 keys, not 2097153 "
                  "and 2097153; use fewer tokens");
    CountBudget little{.left = 40, .stop = {}};
    COMPARE_ERROR(MaskRows::read(RowMask(*mask_of_text("kv_idx <= q_idx", {.q_length = 9})), little),
                  "recognising a mask whose rows 2 to 8 have to be looked at key by key takes too long; use fewer "
                  "tokens or a mask that can be solved into intervals");
    std::stop_source stop;
    stop.request_stop();
    CountBudget stopped{.stop = stop.get_token()};
    const auto none = MaskRows::read(*mask_of_text("kv_idx <= q_idx", {.q_length = 9}), stopped);
    QVERIFY(!none && none.error().code == Errc::cancelled);
  }

  void where_the_queries_stand() {
    const auto past_lens = [](const char* text, const SequenceInput& input) {
      const MaskRows rows = rows_of(text, input);
      return ShapeVotes(rows, {}).past_lens();
    };
    QCOMPARE(past_lens("kv_idx <= q_idx", {.q_length = 8}), (std::vector<Index>{0}));
    // The front, the end, and the last visible key.
    QCOMPARE(past_lens("kv_idx <= q_idx + 5", {.q_length = 4, .kv_length = 12}), (std::vector<Index>{0, 8, 5}));
  }

  void sides_of_a_window() {
    const MaskRows rows = rows_of("(kv_idx <= q_idx + 2) & (q_idx - kv_idx < 4)", {.q_length = 20});
    const ShapeVotes votes(rows, {});
    MaskShape shape = shape_of({20, 20});
    QCOMPARE(votes.rights(shape).front(), Index{2});
    QVERIFY(std::ranges::count(votes.rights(shape), 0) == 1 && std::ranges::count(votes.rights(shape), -1) == 1);
    QCOMPARE(votes.lefts(shape), (std::vector<Index>{3}));
    shape.past_len = 5;
    QCOMPARE(votes.rights(shape).front(), Index{-3});
  }

  void prefixes_sinks_and_dilations() {
    const MaskRows prefix = rows_of("(kv_idx < 6) | (kv_idx <= q_idx)", {.q_length = 20});
    MaskShape shape = shape_of({20, 20});
    shape.right = 0;
    QCOMPARE(ShapeVotes(prefix, {}).prefixes(shape), (std::vector<Index>{6}));
    const MaskRows sinks = rows_of("(kv_idx <= q_idx) & ((kv_idx < 3) | (q_idx - kv_idx < 4))", {.q_length = 20});
    QCOMPARE(ShapeVotes(sinks, {}).sinks(shape), (std::vector<Index>{3}));
    QVERIFY(ShapeVotes(prefix, {}).sinks(shape).empty());
    const MaskRows dilated = rows_of("(kv_idx <= q_idx) & ((q_idx - kv_idx) % 3 == 0)", {.q_length = 20});
    QCOMPARE(ShapeVotes(dilated, {}).dilations(), (std::vector<Index>{3}));
    QVERIFY(ShapeVotes(prefix, {}).dilations().empty());
  }

  /// Keys and queries of which none, one or two cells are seen from an end on.
  void ends_with_few_visible_cells() {
    RowMask mask(*mask_of_text("(kv_idx >= 4) & (kv_idx < 17) & (q_idx >= 2) & (q_idx < 18)", {.q_length = 20}));
    CountBudget unlimited;
    const MaskRows rows = MaskRows::read(mask, unlimited).value();
    const ShapeVotes votes(rows, {});
    QCOMPARE(votes.pads(true), (std::vector<Index>{4}));
    QCOMPARE(votes.pads(false), (std::vector<Index>{3}));
    QCOMPARE(votes.blinds(true), (std::vector<Index>{2}));
    QCOMPARE(votes.blinds(false), (std::vector<Index>{2}));
    // One cell that is flipped is an exception that the second proposal leaves.
    mask.flip(5, 2);
    const MaskRows flipped = MaskRows::read(mask, unlimited).value();
    QCOMPARE(ShapeVotes(flipped, {}).pads(true), (std::vector<Index>{2, 4}));
  }

  void borders_of_documents_beside_a_causal_mask() {
    const MaskRows joined =
        rows_of("(q_doc == kv_doc) | (kv_idx <= q_idx)", {.q_length = 14, .document_lengths = {5, 6, 3}});
    QCOMPARE(ShapeVotes(joined, {}).widening_documents(0).front(), (std::vector<Index>{5, 11}));
    QVERIFY(ShapeVotes(joined, {}).documents(0).empty());
    const MaskRows causal = rows_of("kv_idx <= q_idx", {.q_length = 40});
    QVERIFY(ShapeVotes(causal, {}).widening_documents(0).empty());
  }

  void borders_of_documents() {
    const MaskRows rows =
        rows_of("(q_doc == kv_doc) & (kv_idx <= q_idx)", {.q_length = 14, .document_lengths = {5, 6, 3}});
    const auto sets = ShapeVotes(rows, {}).documents(0);
    QVERIFY(!sets.empty());
    QCOMPARE(sets.front(), (std::vector<Index>{5, 11}));
    // Borders that a few cells cross come later: those 1 token from an end are crossed by 1 x 4 and
    // 1 x 5 cells, or 2.
    for (std::size_t i = 1; i < sets.size(); ++i) QVERIFY(std::ranges::includes(sets[i], sets[i - 1]));
    const MaskRows causal = rows_of("kv_idx <= q_idx", {.q_length = 40});
    QVERIFY(ShapeVotes(causal, {}).documents(0).empty());
  }

  /// Sums by second differences against a count of the cells.
  void crossings_are_counted() {
    Random random(2);
    for (int i = 0; i < 120; ++i) {
      const MaskCase mask_case = random_case(random);
      const auto mask = mask_case.mask();
      CountBudget unlimited;
      const MaskRows rows = MaskRows::read(*mask, unlimited).value();
      const Index past_len = mask_case.layout.past_len();
      std::vector<std::vector<Index>> wanted;
      for (const Index most : {0, 1, 2, 3, 5, 8}) {
        std::vector<Index> borders;
        for (Index b = 1; b < mask->extent().cols; ++b) {
          Index crossing = 0;
          for (Index q = 0; q < mask->extent().rows; ++q)
            for (Index kv = 0; kv < mask->extent().cols; ++kv)
              crossing += mask->visible(q, kv) && (q + past_len < b) != (kv < b) ? 1 : 0;
          if (crossing <= most) borders.push_back(b);
        }
        if (!borders.empty() && (wanted.empty() || wanted.back() != borders)) wanted.push_back(std::move(borders));
      }
      QVERIFY2(ShapeVotes(rows, {}).documents(past_len) == wanted, mask_case.name().c_str());
    }
  }

  void a_stop_leaves_no_votes() {
    std::stop_source stop;
    stop.request_stop();
    const MaskRows rows = rows_of("(kv_idx <= q_idx) & (q_idx - kv_idx < 4)", {.q_length = 20});
    const ShapeVotes votes(rows, stop.get_token());
    QVERIFY(votes.lefts(shape_of({20, 20})).empty());
    QVERIFY(votes.dilations().empty());
  }
};

VQSCOPE_TEST(ShapeVotesTest)
#include "shape_votes_test.moc"
