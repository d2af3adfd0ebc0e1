// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/row/row_search.h"

#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/compared_mask.h"
#include "tests/support/test_main.h"

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::vector<Range> row_of(const Mask& mask, Index q) {
  std::vector<Range> intervals;
  mask.row(q, intervals);
  return intervals;
}

bool stays_or_steps(Index before, Index now) { return now == before || now == before + 1; }

/// The definition.
bool is_of_kind(const Mask& mask, RowKind kind, Index q, const Mask* second) {
  if (kind == RowKind::any) return true;
  const auto row = row_of(mask, q);
  if (kind == RowKind::empty) return row.empty();
  if (second) return q >= second->extent().rows || row != row_of(*second, q);
  if (q == 0) return false;
  const auto before = row_of(mask, q - 1);
  bool continues = before.size() == row.size();
  for (std::size_t i = 0; continues && i < row.size(); ++i)
    continues = stays_or_steps(before[i].begin, row[i].begin) && stays_or_steps(before[i].end, row[i].end);
  return !continues;
}

/// Row by row: what next_row must find.
std::optional<Index> slow_next(const Mask& mask, const RowSearch& search) {
  const Index step = search.forwards ? 1 : -1;
  for (Index q = search.from + step; q >= 0 && q < mask.extent().rows; q += step)
    if (is_of_kind(mask, search.kind, q, search.second)) return q;
  return std::nullopt;
}

std::string found(const Mask& mask, const RowSearch& search) {
  const auto row = next_row(mask, search);
  if (!row) return row.error().message;
  return *row ? to_text(**row) : "none";
}

MaskCase documents(Index length, std::vector<Index> lengths, std::vector<std::string> terms, Index window = 1) {
  SequenceInput input{.q_length = length};
  input.document_lengths = std::move(lengths);
  return {*SequenceLayout::make(input), std::move(terms), 0, window};
}

}  // namespace

class RowSearchTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void byHand() {
    // Documents 0–9, 10–13, 14–29.
    const auto mask = documents(30, {10, 4, 16}, {"same_document", "causal"}).mask();
    COMPARE_TEXT(found(*mask, {RowKind::any, 3}), "4");
    COMPARE_TEXT(found(*mask, {RowKind::any, 3, false}), "2");
    COMPARE_TEXT(found(*mask, {RowKind::any, 29}), "none");
    COMPARE_TEXT(found(*mask, {RowKind::any, -1}), "0");
    COMPARE_TEXT(found(*mask, {RowKind::any, 30, false}), "29");
    COMPARE_TEXT(found(*mask, {RowKind::differs, 0}), "10");
    COMPARE_TEXT(found(*mask, {RowKind::differs, 10}), "14");
    COMPARE_TEXT(found(*mask, {RowKind::differs, 14}), "none");
    COMPARE_TEXT(found(*mask, {RowKind::differs, 29, false}), "14");
    COMPARE_TEXT(found(*mask, {RowKind::differs, 10, false}), "none");
    COMPARE_TEXT(found(*mask, {RowKind::empty, 0}), "none");
  }

  void emptyRowsOfPadding() {
    SequenceInput input{.q_length = 20, .padding_side = PaddingSide::left, .padding = 5};
    const auto mask = MaskCase{*SequenceLayout::make(input), {"key_valid", "causal"}}.mask();
    COMPARE_TEXT(found(*mask, {RowKind::empty, 0}), "1");
    COMPARE_TEXT(found(*mask, {RowKind::empty, 3}), "4");
    COMPARE_TEXT(found(*mask, {RowKind::empty, 20, false}), "4");
    COMPARE_TEXT(found(*mask, {RowKind::empty, 4}), "none");
  }

  void whereTwoMasksDiffer() {
    const auto window = documents(30, {}, {"causal", "sliding_window"}, 8).mask();
    const auto wider = documents(30, {}, {"causal", "sliding_window"}, 12).mask();
    COMPARE_TEXT(found(*window, {RowKind::differs, 0, true, wider.get()}), "8");
    COMPARE_TEXT(found(*window, {RowKind::differs, 8, false, wider.get()}), "none");
    const auto shorter = documents(20, {}, {"causal"}).mask();
    COMPARE_TEXT(found(*documents(30, {}, {"causal"}).mask(), {RowKind::differs, 0, true, shorter.get()}), "20");
  }

  /// Every row, both ways, every kind, with another mask of any size and without.
  void searchAgreesWithRows() {
    Random random(11);
    for (int i = 0; i < 400; ++i) {
      const MaskCase first = random_case(random);
      const MaskCase other = random_case(random);
      const auto mask = first.mask();
      const auto second = other.mask();
      for (const auto kind : {RowKind::empty, RowKind::differs})
        for (const Mask* with : {static_cast<const Mask*>(nullptr), static_cast<const Mask*>(second.get())})
          for (const bool forwards : {true, false})
            for (Index from = -1; from <= mask->extent().rows; ++from) {
              const RowSearch search{kind, from, forwards, with};
              const auto row = next_row(*mask, search);
              QVERIFY(row);
              QVERIFY2(*row == slow_next(*mask, search),
                       (first.name() + (with ? " against " + other.name() : "") + " from " + to_text(from) +
                        (forwards ? " on: " : " back: ") + found(*mask, search))
                           .c_str());
            }
    }
  }

  void masksWithoutBands() {
    const ComparedMask mask(60, 9);
    for (const bool forwards : {true, false})
      for (Index from = -1; from <= 60; ++from) {
        const RowSearch search{RowKind::differs, from, forwards};
        QCOMPARE(*next_row(mask, search), slow_next(mask, search));
      }
    const ComparedMask wider(60, 10);
    COMPARE_TEXT(found(mask, {RowKind::differs, 0, true, &wider}), "9");
  }

  /// At this length a search row by row would be 2^62 cells.
  void longSequences() {
    constexpr Index length = Index{1} << 31;
    const auto mask = documents(length, {length / 2 + 7, length / 2 - 7}, {"same_document", "causal"}).mask();
    COMPARE_TEXT(found(*mask, {RowKind::differs, 0}), to_text(length / 2 + 7));
    COMPARE_TEXT(found(*mask, {RowKind::differs, length, false}), to_text(length / 2 + 7));
    COMPARE_TEXT(found(*mask, {RowKind::empty, 0}), "none");
  }

  void stops() {
    std::stop_source source;
    source.request_stop();
    const auto banded = documents(30, {}, {"causal"}).mask();
    const ComparedMask cells(30, 5);
    for (const Mask* mask : {static_cast<const Mask*>(banded.get()), static_cast<const Mask*>(&cells)}) {
      const auto row = next_row(*mask, {RowKind::empty, 0}, source.get_token());
      QVERIFY(!row && row.error().code == Errc::cancelled);
    }
  }
};

VQSCOPE_TEST(RowSearchTest)
#include "row_search_test.moc"
