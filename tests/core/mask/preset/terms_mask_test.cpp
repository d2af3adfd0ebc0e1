// SPDX-License-Identifier: GPL-3.0-or-later
// Presets made of terms, as texts: what they see, how few bands they take, and what they say.
#include "core/mask/preset/presets.h"

#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/mask_reading.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Error of a row's intervals, or nothing.
std::string row_differs(const MaskCase& c, const Mask& mask, Index q) {
  std::vector<Range> row;
  mask.row(q, row);
  std::vector<bool> seen(static_cast<std::size_t>(c.layout.kv_length()));
  Index last_end = -1;
  for (const Range& interval : row) {
    if (interval.begin <= last_end || interval.size() <= 0) return "intervals touch or are empty";
    last_end = interval.end;
    for (Index kv = interval.begin; kv < interval.end; ++kv) seen[static_cast<std::size_t>(kv)] = true;
  }
  for (Index kv = 0; kv < c.layout.kv_length(); ++kv) {
    if (seen[static_cast<std::size_t>(kv)] != c.visible(q, kv)) return "row is wrong at " + cell_name(q, kv);
    if (mask.visible(q, kv) != c.visible(q, kv)) return "predicate is wrong at " + cell_name(q, kv);
  }
  return {};
}

std::shared_ptr<const Mask> sentence_mask() {
  SequenceInput input{.q_length = 12, .padding_side = PaddingSide::left, .padding = 2, .document_lengths = {4, 6}};
  return MaskCase{*SequenceLayout::make(input), {"key_valid", "same_document", "causal", "sliding_window"}, 0, 3}
      .mask();
}

}  // namespace

class TermsMaskTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rows_agree_with_the_predicate() {
    Random random(1);
    for (int i = 0; i < 1500; ++i) {
      const auto c = random_case(random);
      const auto mask = c.mask();
      for (Index q = 0; q < c.layout.q_length(); ++q) {
        const auto wrong = row_differs(c, *mask, q);
        QVERIFY2(wrong.empty(), (wrong + " of " + c.name()).c_str());
      }
    }
  }

  void bands_cover_the_rows_in_order() {
    Random random(2);
    std::vector<Band> scratch;
    for (int i = 0; i < 500; ++i) {
      const auto c = random_case(random);
      const auto mask = c.mask();
      const auto bands = mask->bands({0, c.layout.q_length()}, scratch);
      Index covered = 0;
      Range group;
      for (const Band& band : bands) {
        if (band.rows == group) continue;
        QCOMPARE(band.rows.begin, covered);
        group = band.rows;
        covered = group.end;
      }
      QCOMPARE(covered, c.layout.q_length());
    }
  }

  void counts_and_first_empty_row() {
    Random random(3);
    for (int i = 0; i < 800; ++i) {
      const auto c = random_case(random);
      const auto mask = c.mask();
      const Index begin = pick(random, 0, c.layout.q_length() - 1);
      const Range rows{begin, pick(random, begin, c.layout.q_length())};
      std::uint64_t wanted = 0;
      std::optional<Index> first_empty;
      for (Index q = 0; q < c.layout.q_length(); ++q) {
        std::uint64_t in_row = 0;
        for (Index kv = 0; kv < c.layout.kv_length(); ++kv) in_row += c.visible(q, kv);
        if (rows.contains(q)) wanted += in_row;
        if (in_row == 0 && !first_empty) first_empty = q;
      }
      QCOMPARE(visible_count(*mask, rows), wanted);
      QVERIFY2(first_empty_row(*mask) == first_empty, c.name().c_str());
    }
  }

  void memory_grows_with_documents_not_with_tokens() {
    std::vector<Band> scratch;
    const Index length = Index{1} << 31;
    const SequenceInput input{.q_length = length, .padding = 48, .document_lengths = {length - 1048, 1000}};
    const MaskCase c{*SequenceLayout::make(input), {"key_valid", "same_document", "causal", "sliding_window"}, 0, 512};
    QCOMPARE(c.mask()->bands({0, length}, scratch).size(), std::size_t{5});

    const SequenceInput many{.q_length = 200000, .document_lengths = std::vector<Index>(100000, 2)};
    const MaskCase packed{*SequenceLayout::make(many), {"key_valid", "same_document", "causal"}};
    const auto mask = packed.mask();
    QCOMPARE(mask->bands({0, 200000}, scratch).size(), std::size_t{100000});
    QCOMPARE(mask->term_bands(0, {0, 200000}, scratch).size(), std::size_t{1});
    QCOMPARE(visible_count(*mask, {0, 200000}), std::uint64_t{300000});
  }

  void counts_of_the_largest_masks() {
    const Index length = Index{1} << 31;
    const auto layout = *SequenceLayout::make({.q_length = length});
    const auto n = static_cast<std::uint64_t>(length);
    QCOMPARE(visible_count(*MaskCase{layout, {"causal"}}.mask(), {0, length}), n / 2 * (n + 1));
    QCOMPARE(visible_count(*MaskCase{layout, {}}.mask(), {0, length}), n * n);
    QVERIFY(!first_empty_row(*MaskCase{layout, {"causal"}}.mask()));
  }

  void sentences_name_the_term_and_its_numbers() {
    const auto mask = sentence_mask();
    COMPARE_TEXT(mask->why(7, 1), "masked by key_valid: key 1 is padding");
    COMPARE_TEXT(mask->why(4, 7), "masked by same_document: document_id[7] = 1, document_id[4] = 0, expected equal");
    COMPARE_TEXT(mask->why(3, 5), "masked by causal: kv_idx = 5 > q_idx + past_len = 3");
    COMPARE_TEXT(mask->why(11, 6), "masked by sliding_window: q_idx + past_len - kv_idx = 5, expected < window = 3");
    COMPARE_TEXT(mask->why(11, 9), "visible: key_valid, same_document, causal, sliding_window hold");
    QCOMPARE(mask->failing_term(11, 6), std::optional<std::size_t>(3));
    QVERIFY(!mask->failing_term(11, 9));
  }

  void verdicts_answer_term_by_term() {
    const auto mask = sentence_mask();
    const auto columns = mask->columns();
    const auto of_terms = [&](Index q, Index kv) {
      std::vector<Verdict> row, terms;
      mask->verdicts(q, kv, row);
      for (std::size_t i = 0; i < row.size(); ++i)
        if (!columns[i].comparison) terms.push_back(row[i]);
      return terms;
    };
    QVERIFY((of_terms(11, 6) == std::vector{Verdict::yes, Verdict::yes, Verdict::yes, Verdict::no}));
    QVERIFY((of_terms(3, 5) == std::vector{Verdict::yes, Verdict::yes, Verdict::no, Verdict::yes}));
    QCOMPARE(columns.size(), std::size_t{7});
    COMPARE_TEXT(columns[5].title, "sliding_window");
    QVERIFY(columns[5].term == 3 && !columns[5].comparison);
  }

  void sentences_of_prefix_and_no_terms() {
    const auto layout = *SequenceLayout::make({.q_length = 8, .padding_side = PaddingSide::left, .padding = 2});
    const MaskCase prefix{layout, {"prefix"}, 3};
    COMPARE_TEXT(prefix.mask()->why(3, 6),
                 "masked by prefix: kv_pos = 4, expected < prefix_length = 3 and kv_idx = 6 > q_idx + past_len = 3");
    QVERIFY(prefix.mask()->visible(1, 4) && !prefix.mask()->visible(1, 5));
    COMPARE_TEXT(prefix.mask()->why(3, 4), "visible: prefix holds");
    COMPARE_TEXT((MaskCase{layout, {}}.mask()->why(0, 0)), "visible: no term masks anything");
    QVERIFY((MaskCase{layout, {}}.mask()->terms().empty()));
  }

  /// As `kv_idx <= q_idx + past_len` and `q_idx + past_len - kv_idx < window` of FlexAttention have
  /// it.
  void padding_queries_are_ordered_by_token() {
    const auto layout = *SequenceLayout::make({.q_length = 3, .past_len = 5, .padding = 2});  // keys 6 and 7
    const MaskCase right{layout, {"key_valid", "causal", "sliding_window"}, 0, 3};
    const auto mask = right.mask();
    std::vector<Range> row;
    mask->row(1, row);  // token 6
    QVERIFY((row == std::vector<Range>{{4, 6}}));
    mask->row(2, row);  // token 7
    QVERIFY((row == std::vector<Range>{{5, 6}}));
    COMPARE_TEXT(mask->why(2, 4), "masked by sliding_window: q_idx + past_len - kv_idx = 3, expected < window = 3");
    COMPARE_TEXT((MaskCase{layout, {"causal"}}.mask()->why(1, 7)),
                 "masked by causal: kv_idx = 7 > q_idx + past_len = 6");
  }

  /// The same terms by name, whatever their order: those of the preset are evaluated in their usual
  /// order.
  void terms_are_made_by_name() {
    Random random(4);
    for (int i = 0; i < 300; ++i) {
      const auto c = random_case(random);
      const auto mask = make_terms_mask({c.terms, c.prefix_length, c.window}, c.layout);
      for (Index q = 0; q < c.layout.q_length(); ++q)
        for (Index kv = 0; kv < c.layout.kv_length(); ++kv)
          QVERIFY2(mask->visible(q, kv) == c.visible(q, kv), (cell_name(q, kv) + " of " + c.name()).c_str());
    }
  }

  void documents_are_named_by_key_token_behind_a_cache() {
    const SequenceInput input{.q_length = 2, .past_len = 4, .document_lengths = {3, 3}};
    const MaskCase c{*SequenceLayout::make(input), {"same_document"}};
    COMPARE_TEXT(c.mask()->why(0, 1),
                 "masked by same_document: document_id[1] = 0, document_id[4] = 1, expected equal");
  }
};

VQSCOPE_TEST(TermsMaskTest)
#include "terms_mask_test.moc"
