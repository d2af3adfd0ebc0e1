// SPDX-License-Identifier: GPL-3.0-or-later
// Masks that cannot be solved, at any length: every answer ends within its steps, whole or saying what it looked at.
#include "core/cells/count_budget.h"

#include "core/lint/lint.h"
#include "core/mask/language/language_mask.h"
#include "core/mask/map/block_field.h"
#include "core/mask/mask_difference.h"
#include "core/mask/recognise/recognise.h"
#include "core/mask/row/row_report.h"
#include "core/mask/row/row_search.h"
#include "tests/core/mask/language/random_program.h"
#include "tests/support/compare.h"
#include "tests/support/environment.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr Index few_steps = Index{1} << 22;

/// No single step between two looks at the budget takes more: a chunk of keys, or the solver's part
/// of a row.
constexpr Index overshoot = Index{1} << 26;

SequenceLayout layout_of(Index length) { return *SequenceLayout::make({.q_length = length}); }

Result<std::shared_ptr<const LanguageMask>> mask_of(const std::string& text, Index length,
                                                    const std::stop_token& stop = {}) {
  MaskBindings bindings{
      .integers = {{"window", 5}}, .arrays = {{"values", {0, 2, 1, 1, 3}}}, .mask_failing_cells = true};
  return LanguageMask::make(MaskProgram::parse(text).program, std::move(bindings), layout_of(length), stop);
}

/// Thirty remainders joined: nearly everything is visible, or masked.
std::string remainders(const std::string& join) {
  std::string text;
  for (Index i = 0; i < 30; ++i)
    text += (i > 0 ? join : "") + "((q_idx * " + to_text(7 + 2 * i) + " + kv_idx * " + to_text(11 + 3 * i) + ") % " +
            to_text(1009 + 2 * i) + " < 500)";
  return text;
}

/// Mixed moduli, products and quotients: nothing that the solver or whole rows could do at length.
const std::vector<std::string>& hard_texts() {
  static const std::vector<std::string> all{
      "(q_idx * kv_idx) % 7 < 3",
      "(q_idx % 3 == kv_idx % 5) | (q_idx // 7 == kv_idx % 11)",
      "((q_idx ^ kv_idx) & 1) == 0",
      "(q_idx * kv_idx // 3) % 2 == (kv_idx * kv_idx) % 3",
      "kv_idx % 2 == 0",
      "((q_idx - kv_idx) % 2 == 0) | ((q_idx - kv_idx) % 3 == 0) | (kv_idx % 5 == 1) | (q_idx % 7 == kv_idx % 7)",
      "((q_idx * 7919 + kv_idx * 104729) % 1000003) < 500000",
      "(q_idx * kv_idx) % 65537 < 3",
      remainders(" | "),
      remainders(" & "),
  };
  return all;
}

template <class T>
bool answers(const Result<T>& result) {
  return result || (result.error().code == Errc::too_large && result.error().message.size() <= 400);
}

std::string answers_wrongly(const std::shared_ptr<const Mask>& mask) {
  const Extent extent = mask->extent();
  CountBudget reading{.left = few_steps};
  std::vector<Range> row;
  const bool read = read_row(*mask, extent.rows - 1, reading, row);
  if (read != (row.size() <= most_row_intervals && !reading.is_over()) && read) return "row";
  if (reading.left < -overshoot) return "row's steps";
  CountBudget counting{.left = few_steps};
  mask->count_cells({{0, extent.rows}, {0, extent.cols}}, std::nullopt, counting);
  if (counting.left < -overshoot) return "count's steps";
  const auto other = *mask_of("kv_idx <= q_idx", extent.rows);
  if (!answers(compare_masks(*mask, *other, {.most_steps = few_steps}))) return "difference";
  if (!answers(recognise(*mask, {.most_steps = few_steps}))) return "recognise";
  const BlockView blocks(mask, {128, 128});
  if (!answers(count_blocks(blocks, {.most_steps = few_steps}))) return "blocks";
  LintCase given{.mask = mask, .layout = layout_of(extent.rows)};
  const auto report = lint_mask(given, {.most_steps = few_steps});
  if (report.stopped || report.complete != (report.rows_checked == extent.rows)) return "check";
  Summary summary;
  const TileGrid grid{{0, blocks.extent().rows}, {0, blocks.extent().cols}};
  if (!answers(BlockField(blocks).summarize(grid, {.max_cells = 1 << 10}, summary))) return "summary of blocks";
  return {};
}

}  // namespace

class MaskBudgetTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void hard_masks_of_any_length() {
    int number = 0;
    for (const auto& text : hard_texts()) {
      ++number;  // each length with some texts
      for (const Index length : {Index{512}, Index{8192}, Index{1} << 21, Index{1} << 31}) {
        if (!test::isTried(number++)) continue;
        const auto mask = mask_of(text, length);
        QVERIFY2(mask.has_value(), text.c_str());
        const auto wrong = answers_wrongly(*mask);
        QVERIFY2(wrong.empty(), (wrong + " of " + text + " at " + to_text(length)).c_str());
      }
    }
  }

  /// A quotient is worked out key by key, bits for many keys at once: the budget knows it.
  void quotients_cost_more_than_bits() {
    constexpr Index length = 4096;
    const auto spent = [](const std::string& text) {
      const auto mask = *mask_of(text, length);
      CountBudget budget;
      const Index all = budget.left;
      std::vector<Range> row;
      (void)read_row(*mask, length - 1, budget, row);
      return all - budget.left;
    };
    QVERIFY(spent("(q_idx * kv_idx * kv_idx) % 31 == 3") > spent("((q_idx * kv_idx * kv_idx) & 31) == 3") + 3 * length);
  }

  void random_masks_of_any_length() {
    Random random(11);
    for (int i = 0; i < test::rounds(20); ++i) {
      const std::string text = ProgramWriter(random).text();
      const Index length = Index{1} << pick(random, 4, 31);
      const auto mask = mask_of(text, length);
      QVERIFY2(mask.has_value(), text.c_str());
      const auto wrong = answers_wrongly(*mask);
      QVERIFY2(wrong.empty(), (wrong + " of " + text + " at " + to_text(length)).c_str());
    }
  }

  /// The parts of a row are the row's.
  void parts_of_rows() {
    Random random(12);
    for (int i = 0; i < test::rounds(300); ++i) {
      const std::string text = ProgramWriter(random).text();
      const auto mask = *mask_of(text, 300);
      const Index q = pick(random, 0, 299);
      const Index begin = pick(random, 0, 299);
      const Range cols{begin, pick(random, begin, 300)};
      CountBudget unlimited;
      std::vector<Range> row;
      QVERIFY(mask->read_row(q, cols, unlimited, row));
      for (Index kv = 0; kv < 300; ++kv) {
        const bool in = std::ranges::any_of(row, [&](const Range& range) { return range.contains(kv); });
        QVERIFY2(in == (cols.contains(kv) && mask->visible(q, kv)), text.c_str());
      }
    }
  }

  void a_row_that_is_too_long_is_a_sentence() {
    const auto mask = *mask_of("(q_idx * kv_idx) % 7 < 3", Index{1} << 31);
    const auto row = row_report(*mask, 1);
    COMPARE_ERROR(row,
                  "looking at each of the 2147483648 keys of row 1 takes too long, about 11 s; use fewer tokens or a "
                  "mask that can be solved into intervals");
  }

  void solver_stops_on_request() {
    const auto mask = *mask_of("(q_idx % 3 == kv_idx % 5) | (q_idx // 7 == kv_idx % 11)", 1 << 15);
    const language::RegionSolver solver(mask->bound());
    const auto whole = CellSet::whole({0, 1 << 15}, {0, 1 << 15});
    Index unstopped = 0;
    solver.solve(mask->bound().visible, whole, {Index{1} << 24}, &unstopped);
    QVERIFY2(unstopped > 1 << 20, to_text(unstopped).c_str());
    std::stop_source source;
    source.request_stop();
    Index steps = 0;
    QVERIFY(!solver.solve(mask->bound().visible, whole, {Index{1} << 24, source.get_token()}, &steps));
    QVERIFY2(steps < 1 << 18, to_text(steps).c_str());
    QVERIFY(mask_of("kv_idx <= q_idx", 8, source.get_token()).error().code == Errc::cancelled);
  }

  void a_stop_from_within_ends_the_answer() {
    const auto mask = *mask_of("(q_idx ^ kv_idx) % 5 < 2", 8192);
    std::stop_source source;
    const auto stop = [&](double) { source.request_stop(); };
    LintCase given{.mask = mask, .layout = layout_of(8192)};
    const auto report = lint_mask(given, {.stop = source.get_token(), .progress = stop});
    QVERIFY(report.stopped && !report.complete && report.rows_checked > 0 && report.rows_checked <= 4096);
    QVERIFY(report.summary().ends_with("; stopped, rows 0 to " + to_text(report.rows_checked - 1) + " checked"));
    source = {};
    const auto other = *mask_of("kv_idx <= q_idx", 8192);
    const auto compared = compare_masks(*mask, *other, {.progress = stop, .stop = source.get_token()});
    QVERIFY(!compared && compared.error().code == Errc::cancelled);
  }

  void partial_check_reports_its_rows() {
    const auto mask = *mask_of("(q_idx ^ kv_idx) % 5 < 2", 1 << 17);
    LintCase given{.mask = mask, .layout = layout_of(1 << 17)};
    const auto report = lint_mask(given, {.most_steps = Index{1} << 28});
    QVERIFY(!report.complete && !report.stopped && report.rows_checked > 0);
    // 2^28 steps are 0.27 s: so many times that as there are rows for each that was checked.
    const auto time = [](double steps) { return "; all rows take about " + duration_of_steps(steps); };
    const double times = (1 << 17) / static_cast<double>(report.rows_checked);
    QVERIFY(report.steps_of_all >= times * (1 << 28) && report.steps_of_all < 4 * times * (1 << 28));
    QVERIFY2(report.summary().ends_with("; more would take too long, rows 0 to " + to_text(report.rows_checked - 1) +
                                        " checked" + time(report.steps_of_all)),
             report.summary().c_str());
    const auto compared = compare_masks(*mask, *mask, {.most_steps = Index{1} << 26});
    QVERIFY(compared && !compared->complete && compared->equal() && compared->rows > 0);
    COMPARE_TEXT(compared->sentence(), "no difference was found; rows 0 to " + grouped(compared->rows - 1) +
                                           " were compared, more would take too long" + time(compared->steps_of_all));
  }

  /// None of 2^31 rows of as many cells is done: a lower bound of the time for all.
  void check_that_cannot_begin_reports_its_cost() {
    const auto mask = *mask_of("((q_idx * 7919 + kv_idx * 104729) % 1000003) < 500000", Index{1} << 31);
    const auto report = lint_mask({.mask = mask, .layout = layout_of(Index{1} << 31)}, {.most_steps = 1 << 20});
    QVERIFY(!report.complete && report.rows_checked == 0);
    QVERIFY2(report.summary().find("; more would take too long, no rows checked; all rows take more than ") !=
                 std::string::npos,
             report.summary().c_str());
  }
};

VQSCOPE_TEST(MaskBudgetTest)
#include "mask_budget_test.moc"
