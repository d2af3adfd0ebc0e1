// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/count/rectangle_count.h"

#include "core/mask/language/language_mask.h"
#include "tests/core/mask/language/count/slow_count.h"
#include "tests/core/mask/language/random_program.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/core/mask/mask_reading.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

namespace {

std::uint64_t slow_count_of_term(const Mask& mask, std::size_t term, const Rect& cells) {
  std::uint64_t count = 0;
  std::vector<Band> scratch;
  for (const Band& band : mask.term_bands(term, cells.rows, scratch))
    for (Index q = std::max(band.rows.begin, cells.rows.begin); q < std::min(band.rows.end, cells.rows.end); ++q)
      for (Index kv = cells.cols.begin; kv < cells.cols.end; ++kv) count += band.row(q).contains(kv) ? 1 : 0;
  return count;
}

Range some_range(Random& random, Index size) {
  const Index begin = pick(random, 0, size - 1);
  return {begin, pick(random, begin + 1, size)};
}

std::shared_ptr<const LanguageMask> square_mask(const std::string& text, Index length) {
  return *LanguageMask::make(MaskProgram::parse(text).program, {}, *SequenceLayout::make({.q_length = length}));
}

}  // namespace

class RectangleCountTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // Query q sees the keys up to q / 2: 1, 1, 2, 2, 3, 3 of the first six.
    const auto mask = square_mask("2 * kv_idx <= q_idx", 6);
    QVERIFY(!mask->has_bands());
    CountBudget budget;
    QCOMPARE(mask->count_cells({{0, 6}, {0, 6}}, std::nullopt, budget), std::optional<std::uint64_t>(12));
    QCOMPARE(mask->count_cells({{2, 5}, {1, 2}}, std::nullopt, budget), std::optional<std::uint64_t>(3));
    QCOMPARE(mask->count_cells({{2, 5}, {1, 2}}, 0, budget), std::optional<std::uint64_t>(3));
  }

  void counts_agree_with_the_cells() {
    Random random(7);
    for (int i = 0; i < 400; ++i) {
      const std::string text = ProgramWriter(random).text();
      const auto parsed = MaskProgram::parse(text);
      const auto layout = *SequenceLayout::make(random_input(random));
      const MaskBindings bindings{
          .integers = {{"window", 5}}, .arrays = {{"values", {0, 2, 1, 1, 3}}}, .mask_failing_cells = true};
      const auto mask = LanguageMask::make(parsed.program, bindings, layout);
      QVERIFY2(mask.has_value(), text.c_str());
      const auto [rows, cols] = (*mask)->extent();
      if (rows == 0 || cols == 0) continue;
      const Rect cells{some_range(random, rows), some_range(random, cols)};
      CountBudget budget;
      // Also where the mask has bands and would not need it.
      const RegionSolver solver((*mask)->bound());
      const auto counted = RectangleCount((*mask)->bound(), solver, (*mask)->visible_condition(), budget).count(cells);
      QVERIFY2(counted == slow_count(**mask, cells), text.c_str());
      for (std::size_t term = 0; term < (*mask)->terms().size(); ++term)
        QVERIFY2((*mask)->count_cells(cells, term, budget) == slow_count_of_term(**mask, term, cells), text.c_str());
    }
  }

  void tall_and_wide_rectangles() {
    for (const char* text : {"2 * kv_idx <= q_idx", "(q_idx ^ kv_idx) % 5 < 2", "(q_idx - kv_idx) % 3 == 0"}) {
      const auto mask = square_mask(text, 3000);
      CountBudget budget;
      for (const Rect cells : {Rect{{0, 3000}, {17, 20}}, Rect{{100, 101}, {0, 3000}}, Rect{{500, 900}, {100, 1100}}})
        QVERIFY2(mask->count_cells(cells, std::nullopt, budget) == slow_count(*mask, cells), text);
    }
  }

  void budget_gives_the_exact_count_or_none() {
    const auto mask = square_mask("(q_idx ^ kv_idx) % 5 < 2", 500);
    const Rect cells{{0, 500}, {0, 500}};
    const auto wanted = slow_count(*mask, cells);
    int nothing = 0;
    for (Index left = 1; left < Index{1} << 24; left *= 2) {
      CountBudget budget{.left = left};
      const auto counted = mask->count_cells(cells, std::nullopt, budget);
      QVERIFY(!counted || *counted == wanted);
      nothing += !counted;
    }
    QVERIFY(nothing > 10 && nothing < 24);
  }

  void many_keys() {
    const Index length = Index{1} << 17;
    const auto mask = square_mask("2 * kv_idx <= q_idx", length);
    QVERIFY(!mask->has_bands());
    // The rows of each pair see as many keys: 1, 1, 2, 2, ...
    const auto half = static_cast<std::uint64_t>(length / 2);
    QCOMPARE(visible_count(*mask, {0, length}), half * (half + 1));
  }

  void a_stop_ends_searches_of_every_row() {
    const auto mask = square_mask("(q_idx ^ kv_idx) % 5 < 2", Index{1} << 21);
    std::stop_source source;
    source.request_stop();
    CountBudget stopped{.stop = source.get_token()};
    QVERIFY(!vqscope::visible_count(*mask, {0, Index{1} << 21}, stopped));
    const auto searched = next_row(*mask, {.kind = RowKind::empty, .from = -1}, source.get_token());
    QVERIFY(!searched && searched.error().code == Errc::cancelled);
    QCOMPARE(first_empty_row(*square_mask("(q_idx * kv_idx) % 5 > 9 if q_idx == 7 else True", 20)),
             std::optional<Index>(7));
  }
};

VQSCOPE_TEST(RectangleCountTest)
#include "rectangle_count_test.moc"
