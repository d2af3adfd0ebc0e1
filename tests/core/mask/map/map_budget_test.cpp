// SPDX-License-Identifier: GPL-3.0-or-later
// Costs of pictures and files of masks that cannot be solved, in steps of about a nanosecond.
#include "core/mask/language/language_mask.h"
#include "core/mask/map/block_field.h"
#include "core/mask/map/field_on_budget.h"
#include "core/mask/map/read_visible.h"
#include "core/mask/map/visibility_difference.h"
#include "core/mask/map/visibility_field.h"
#include "core/method/profile/profile.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/sanitizers.h"
#include "tests/support/test_main.h"

#include <QRegularExpression>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A mask that adds up the cost of its calls.
class CountedMask : public Mask {
 public:
  explicit CountedMask(std::shared_ptr<const Mask> mask) : m_mask(std::move(mask)) {}

  Index steps() const { return m_steps; }

  Extent extent() const override { return m_mask->extent(); }
  std::vector<std::string> terms() const override { return m_mask->terms(); }
  std::optional<std::size_t> failing_term(Index q, Index kv) const override {
    m_steps += 16 * look_steps();
    return m_mask->failing_term(q, kv);
  }
  std::optional<std::size_t> masking_term(Index q, Index kv) const override {
    m_steps += look_steps();
    return m_mask->masking_term(q, kv);
  }
  bool visible(Index q, Index kv) const override {
    m_steps += look_steps();
    return m_mask->visible(q, kv);
  }
  std::string why(Index q, Index kv) const override { return m_mask->why(q, kv); }
  void verdicts(Index q, Index kv, std::vector<Verdict>& out) const override { m_mask->verdicts(q, kv, out); }
  std::vector<std::pair<std::string, std::string>> facts(Index q, Index kv) const override {
    return m_mask->facts(q, kv);
  }
  void row(Index q, std::vector<Range>& out) const override {
    m_steps += row_cost() * steps_of_interval;
    m_mask->row(q, out);
  }
  bool read_row(Index q, Range cols, CountBudget& budget, std::vector<Range>& out) const override {
    return counted(budget, [&] { return m_mask->read_row(q, cols, budget, out); });
  }
  bool has_bands() const override { return m_mask->has_bands(); }
  std::span<const Band> term_bands(std::size_t term, Range rows, std::vector<Band>& scratch) const override {
    m_steps += rows.size() * row_cost() * steps_of_interval;
    return m_mask->term_bands(term, rows, scratch);
  }
  Index row_cost() const override { return m_mask->row_cost(); }
  Index look_steps() const override { return m_mask->look_steps(); }
  Coverage coverage(const Rect& cells) const override {
    m_steps += 4 * look_steps();
    return m_mask->coverage(cells);
  }
  std::optional<Coverage> certain_coverage(const Rect& cells, CountBudget& budget) const override {
    return counted(budget, [&] { return m_mask->certain_coverage(cells, budget); });
  }
  std::optional<std::uint64_t> count_cells(const Rect& cells, std::optional<std::size_t> term,
                                           CountBudget& budget) const override {
    return counted(budget, [&] { return m_mask->count_cells(cells, term, budget); });
  }
  bool count_tiles(std::span<const Index> row_edges, std::span<const Index> col_edges, std::optional<std::size_t> term,
                   CountBudget& budget, std::span<std::uint64_t> counts) const override {
    return counted(budget, [&] { return m_mask->count_tiles(row_edges, col_edges, term, budget, counts); });
  }
  Index counting_steps(Index cells, const std::stop_token& stop) const override {
    return m_mask->counting_steps(cells, stop);
  }

 private:
  /// On one thread: what a call spends is what the budget has less.
  template <class Call>
  auto counted(CountBudget& budget, const Call& call) const -> decltype(call()) {
    const Index before = budget.left;
    auto result = call();
    m_steps += std::max<Index>(0, std::min(before - budget.left, most_of_a_call));
    return result;
  }

  /// Beyond this a budget was given up, not spent.
  static constexpr Index most_of_a_call = Index{1} << 33;

  std::shared_ptr<const Mask> m_mask;
  mutable Index m_steps = 0;
};

std::shared_ptr<const LanguageMask> square_of(const std::string& text, Index length) {
  return *LanguageMask::make(MaskProgram::parse(text).program, {}, *SequenceLayout::make({.q_length = length}));
}

/// Under AddressSanitizer a step takes fifteen times as long, and the steps of a term are the same.
constexpr Index few_terms = VQSCOPE_ADDRESS_SANITIZED ? 5 : 30;

/// Remainders joined: nearly everything is masked by `and`, and visible by `or`.
std::string remainders(const std::string& join, Index terms = few_terms) {
  std::string text = "return ";
  for (Index i = 0; i < terms; ++i)
    text += (i > 0 ? join : "") + "((q_idx * " + to_text(7 + 2 * i) + " + kv_idx * " + to_text(11 + 3 * i) + ") % " +
            to_text(1009 + 2 * i) + " < " + to_text(Index{join == " & " ? 1000 : 3}) + ")";
  return text;
}

const std::vector<std::string>& hostile_texts() {
  static const std::vector<std::string> all {
    remainders(" | "), "(q_idx * kv_idx) % 65537 < 3",
#if !VQSCOPE_ADDRESS_SANITIZED
        remainders(" & "), "((q_idx * 7919 + kv_idx * 104729) % 1000003) < 500000",
        "(q_idx * kv_idx // 3) % 2 == (kv_idx * kv_idx) % 3", "(q_idx ^ kv_idx) % 5 < 2",
        "(q_idx * kv_idx) % 1000003 != 999999",
#endif
  };
  return all;
}

TileGrid tiles_of(const Extent& extent, Index tiles) {
  return {even_edges({0, extent.rows}, tiles), even_edges({0, extent.cols}, tiles)};
}

template <class T>
bool is_answer(const Result<T>& result) {
  return result || (result.error().code == Errc::too_large && result.error().message.size() <= 400);
}

constexpr Index most_cells = Index{1} << 18;

/// Ten seconds where a figure allows 2^27 cells, and what a few tiles cost at least.
constexpr Index most_steps_of_a_picture = 64 * most_cells + (Index{1} << 25);

}  // namespace

class MapBudgetTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void pictures_of_hostile_masks() {
    for (const auto& text : hostile_texts())
      for (const Index length : {Index{1} << 10, Index{1} << 15, Index{1} << 31}) {
        const auto counted = std::make_shared<const CountedMask>(square_of(text, length));
        const SummaryOptions options{.reasons = true, .max_cells = most_cells};
        const VisibilityField field(counted);
        Summary summary;
        QVERIFY(is_answer(field.summarize(tiles_of(field.extent(), 60), options, summary)));
        const Index visibility = counted->steps();
        QVERIFY2(visibility < most_steps_of_a_picture, qPrintable(cost_text("visibility", text, length, visibility)));
        const auto other = std::make_shared<const CountedMask>(square_of("kv_idx <= q_idx", length));
        QVERIFY(is_answer(VisibilityDifference(counted, other)
                              .summarize(tiles_of(field.extent(), 60), {.max_cells = most_cells}, summary)));
        const Index difference = counted->steps() - visibility;
        QVERIFY2(difference < most_steps_of_a_picture, qPrintable(cost_text("difference", text, length, difference)));
        const auto row = row_profile(field, field.extent().rows / 2, {0, field.extent().cols}, 100);
        QVERIFY(is_answer(row));
        const Index profile = counted->steps() - difference - visibility;
        QVERIFY2(profile < 16 * most_steps_of_a_picture, qPrintable(cost_text("profile", text, length, profile)));
      }
  }

  void pictures_of_blocks_of_hostile_masks() {
    for (const auto& text : hostile_texts())
      for (const auto& [length, size] : {std::pair(Index{1} << 10, 1), std::pair(Index{1} << 15, 8192),
                                         std::pair(Index{1} << 18, 65536), std::pair(Index{1} << 31, 128)}) {
        const auto counted = std::make_shared<const CountedMask>(square_of(text, length));
        const BlockField field(BlockView(counted, {size, size}));
        Summary summary;
        const auto done = field.summarize(tiles_of(field.extent(), 60), {.max_cells = most_cells}, summary);
        QVERIFY2(is_answer(done), text.c_str());
        QVERIFY2(counted->steps() < 2 * most_steps_of_an_answer,
                 qPrintable(cost_text("blocks", text, length, counted->steps())));
      }
  }

  /// Written cells are right, or there is an error; both within the steps.
  void files_of_hostile_masks() {
    constexpr Index most = Index{1} << 26;
    for (const auto& text : hostile_texts())
      for (const Index length : {Index{512}, Index{1} << 16, Index{1} << 31}) {
        const auto counted = std::make_shared<const CountedMask>(square_of(text, length));
        const auto blocks = std::make_shared<BlockField>(BlockView(counted, {4096, 4096}));
        for (const auto& field : {std::shared_ptr<const Field>(std::make_shared<VisibilityField>(counted)),
                                  std::shared_ptr<const Field>(blocks)}) {
          const Index before = counted->steps();
          const Rect some{{0, std::min<Index>(64, field->extent().rows)},
                          {0, std::min<Index>(64, field->extent().cols)}};
          const FieldOnBudget same(field, some, most, {});
          std::vector<double> cells(some.area()), wanted(some.area());
          same.read(some, std::span(cells));
          QVERIFY2(counted->steps() - before < 2 * most, qPrintable(cost_text("file", text, length, counted->steps())));
          if (same.is_beyond()) continue;
          field->read(some, std::span(wanted));
          QVERIFY2(cells == wanted, text.c_str());
        }
      }
  }

  void error_of_an_expensive_file_names_its_time() {
    const auto mask = square_of(remainders(" | ", 30), 65536);
    const Rect all{{0, 65536}, {0, 65536}};
    const FieldOnBudget field(std::make_shared<VisibilityField>(mask), all, Index{1} << 24, {});
    std::vector<std::uint8_t> cells(65536);
    field.read({{0, 1}, {0, 65536}}, std::span(cells));
    QVERIFY(field.is_beyond());
    const Error error = field.error();
    QVERIFY(is_over_budget(error));
    const QString sentence = QString::fromStdString(error.message);
    QVERIFY2(sentence.contains(QRegularExpression("^writing 65536 × 65536 cells of this matrix takes too long, about "
                                                  "[0-9.]+ min; choose fewer rows and columns or fewer tokens$")),
             qPrintable(sentence));
    std::stop_source stop;
    stop.request_stop();
    const FieldOnBudget stopped(std::make_shared<VisibilityField>(mask), all, Index{1} << 24, stop.get_token());
    stopped.read({{0, 1}, {0, 65536}}, std::span(cells));
    QVERIFY(stopped.is_beyond() && stopped.error().code == Errc::cancelled);
  }

  /// 128 × 128 blocks, most of which take a look at every cell: the first row shows that the budget
  /// does not suffice.
  void work_far_beyond_its_budget_ends_early() {
    const auto counted = std::make_shared<const CountedMask>(square_of("(q_idx * kv_idx) % 65537 < 3", 1 << 14));
    const auto blocks = std::make_shared<BlockField>(BlockView(counted, {128, 128}));
    constexpr Index most = Index{1} << 28;
    const Rect all{{0, 128}, {0, 128}};
    const FieldOnBudget field(blocks, all, most, {});
    std::vector<std::int32_t> cells(64 * 128);
    field.read({{0, 64}, all.cols}, std::span(cells));
    QVERIFY(field.is_beyond() && is_over_budget(field.error()));
    const Index read = counted->steps();
    QVERIFY2(read < most / 2, to_text(read).c_str());
    Summary summary;
    const TileGrid rows{even_edges(all.rows, 128), {0, 128}};
    QVERIFY(is_answer(blocks->summarize(rows, {.max_cells = most / 64}, summary)));
    QVERIFY(!summary.exact);
    QVERIFY2(counted->steps() - read < most, to_text(counted->steps() - read).c_str());
  }

  /// Blocks of 65,536 tokens: two cells that differ settle one.
  void huge_blocks_are_settled_by_cells_that_differ() {
    const auto counted = std::make_shared<const CountedMask>(square_of("(q_idx * kv_idx) % 65537 < 3", 262144));
    const BlockView view(counted, {65536, 65536});
    CountBudget budget;
    std::vector<BlockKind> kinds(16);
    QVERIFY(view.kinds({{0, 4}, {0, 4}}, budget, kinds));
    QVERIFY(std::ranges::count(kinds, BlockKind::partial) == 16);
    QVERIFY2(counted->steps() < Index{1} << 26, to_text(counted->steps()).c_str());
    const auto counts = count_blocks(view);
    QVERIFY(counts && counts->partial == 16);
  }

  void certain_coverage_is_by_the_count() {
    Random random(5);
    for (const auto& text : hostile_texts()) {
      const auto mask = square_of(text, 300);
      for (int i = 0; i < 60; ++i) {
        const Index row = pick(random, 0, 290), col = pick(random, 0, 290);
        const Rect cells{{row, pick(random, row + 1, std::min<Index>(300, row + 40))},
                         {col, pick(random, col + 1, std::min<Index>(300, col + 40))}};
        CountBudget budget;
        const std::uint64_t seen = *mask->count_cells(cells, std::nullopt, budget);
        const Coverage wanted = seen == 0 ? Coverage::none : seen == cells.area() ? Coverage::all : Coverage::mixed;
        QVERIFY2(mask->certain_coverage(cells, budget) == wanted, text.c_str());
        QVERIFY2(mask->Mask::certain_coverage(cells, budget) == wanted, text.c_str());
        QVERIFY2(mask->masking_term(row, col) == mask->failing_term(row, col), text.c_str());
      }
    }
  }

  /// Blocks that never repeat fill what counters keep, and no more.
  void counters_use_little_memory() {
    const auto mask = square_of("((q_idx * 7919 + kv_idx * 104729) % 1000003) < 500000", 1 << 16);
    for (Index i = 0; i < 4; ++i) {
      CountBudget budget{.left = Index{1} << 29};
      mask->count_cells({{i << 13, (i + 1) << 13}, {0, 1 << 16}}, std::nullopt, budget);
      mask->count_cells({{i << 13, (i + 1) << 13}, {0, 1 << 16}}, 0, budget);
    }
    QVERIFY(mask->patterns().bytes_kept() > language::PatternTable::most_bytes_kept / 2);
    QVERIFY(mask->patterns().bytes_kept() <= language::PatternTable::most_bytes_kept);
  }

 private:
  static QString cost_text(const char* what, const std::string& text, Index length, Index steps) {
    return QString("%1 of %2 at %3: %4 steps").arg(what, QString::fromStdString(text)).arg(length).arg(steps);
  }
};

VQSCOPE_TEST(MapBudgetTest)
#include "map_budget_test.moc"
