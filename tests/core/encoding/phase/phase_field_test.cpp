// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/phase/phase_summary.h"

#include "core/field/difference_field.h"
#include "core/field/step_field.h"
#include "tests/core/encoding/rope_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <array>
#include <cmath>
#include <numbers>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Two tokens of padding, a document of 5, and 4 tokens of one from its position 100 on.
const std::vector<TokenRun> runs{{{0, 2}, 0, -1, false}, {{2, 7}, 0, 0, true}, {{7, 11}, 100, 1, true}};

PhaseMatrix matrix(PhaseQuantity quantity, double amplitude = 1) {
  return {.rows = runs,
          .rates = {quarter_turn, Turns{1} << 60},
          .columns = {0, 1},
          .quantity = quantity,
          .amplitude = amplitude};
}

std::vector<std::array<Index, 3>> pieces(Range rows) {
  std::vector<std::array<Index, 3>> all;
  for_each_position_run(runs, rows, [&](const PositionRun& run) {
    all.push_back({run.position, run.count, run.constant ? 1 : 0});
  });
  return all;
}

}  // namespace

class PhaseFieldTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void runs_are_cut_to_the_rows() {
    using Pieces = std::vector<std::array<Index, 3>>;
    QCOMPARE(pieces({0, 11}), (Pieces{{0, 2, 1}, {0, 5, 0}, {100, 4, 0}}));
    QCOMPARE(pieces({1, 3}), (Pieces{{0, 1, 1}, {0, 1, 0}}));
    QCOMPARE(pieces({4, 6}), (Pieces{{2, 2, 0}}));
    QCOMPARE(pieces({8, 11}), (Pieces{{101, 3, 0}}));
    QCOMPARE(pieces({7, 7}), Pieces{});
  }

  void quarter_turns_by_hand() {
    const PhaseField phase(matrix(PhaseQuantity::phase));
    QCOMPARE(phase.extent(), (Extent{11, 2}));
    QCOMPARE(phase.position(9), Index{102});
    QCOMPARE(phase.at(5, 0), 1.5 * std::numbers::pi);
    QCOMPARE(PhaseField(matrix(PhaseQuantity::signed_phase)).at(5, 0), -0.5 * std::numbers::pi);
    QCOMPARE(PhaseField(matrix(PhaseQuantity::signed_phase)).at(4, 0), std::numbers::pi);
    // Positions 0 … 3 of the first document go once round; padding stands still.
    Summary summary;
    QVERIFY(phase.summarize({{0, 2, 6}, {0, 1}}, {}, summary));
    QCOMPARE(summary.coherence[0], 1.0F);
    QCOMPARE(summary.coherence[1], 0.0F);
    QCOMPARE(summary.min[1], 0.0F);
    QCOMPARE(summary.max[1], static_cast<float>(1.5 * std::numbers::pi));
  }

  void documents_of_one_length_count_together() {
    std::vector<TokenRun> many;
    for (Index i = 0; i < 200000; ++i) many.push_back({{10 * i, 10 * i + 10}, 0, i, true});
    PhaseMatrix packed = matrix(PhaseQuantity::phase);
    packed.rows = many;
    const PhaseField field(packed);
    Summary all;
    Summary one;
    QVERIFY(field.summarize({{0, 2000000}, {0, 1, 2}}, {}, all));
    QVERIFY(field.summarize({{0, 10}, {0, 1, 2}}, {}, one));
    for (std::size_t pair = 0; pair < 2; ++pair) {
      QVERIFY(std::abs(all.coherence[pair] - one.coherence[pair]) < 1e-6F);
      QVERIFY(std::abs(angular_difference(all.mean[pair], one.mean[pair])) < 1e-6);
      QCOMPARE(all.max[pair], one.max[pair]);
    }
  }

  void amplitude_scales_rotated_columns_alone() {
    for (const auto quantity : {PhaseQuantity::cos, PhaseQuantity::sin}) {
      PhaseMatrix scaled = matrix(quantity, 1.5);
      scaled.columns = {0, 1, -1};
      const PhaseField field(scaled);
      const PhaseField plain(matrix(quantity));
      QCOMPARE(field.at(9, 1), 1.5 * plain.at(9, 1));
      QCOMPARE(field.at(9, 2), quantity == PhaseQuantity::cos ? 1.0 : 0.0);
      QCOMPARE(field.value_range(), (std::pair{-1.5, 1.5}));
      std::vector<double> cells(33);
      field.read({{0, 11}, {0, 3}}, std::span(cells));
      Summary summary;
      QVERIFY(field.summarize({{0, 11}, {0, 3}}, {}, summary));
      double sum = 0, low = 9, high = -9;
      for (Index k = 0; k < 33; ++k) {
        const double cell = field.at(k / 3, k % 3);
        QVERIFY(std::abs(cells[static_cast<std::size_t>(k)] - cell) < 1e-14);
        sum += cell;
        low = std::min(low, cell);
        high = std::max(high, cell);
      }
      QVERIFY(std::abs(static_cast<double>(summary.mean[0]) - sum / 33) < 1e-7);
      QVERIFY(std::abs(static_cast<double>(summary.min[0]) - low) < 1e-7);
      QVERIFY(std::abs(static_cast<double>(summary.max[0]) - high) < 1e-7);
    }
  }

  void offsets_turn_every_position_alike() {
    for (const auto quantity :
         {PhaseQuantity::phase, PhaseQuantity::signed_phase, PhaseQuantity::cos, PhaseQuantity::sin}) {
      PhaseMatrix turned = matrix(quantity);
      turned.offsets = {quarter_turn / 3, Turns{0} - quarter_turn};
      const PhaseField field(turned);
      std::vector<double> cells(22);
      field.read({{0, 11}, {0, 2}}, std::span(cells));
      for (Index k = 0; k < 22; ++k) {
        const auto pair = static_cast<std::size_t>(k % 2);
        const Turns angle = static_cast<Turns>(field.position(k / 2)) * turned.rates[pair] + turned.offsets[pair];
        const double wanted = quantity == PhaseQuantity::phase          ? radians(angle)
                              : quantity == PhaseQuantity::signed_phase ? signed_radians(angle)
                              : quantity == PhaseQuantity::cos          ? std::cos(signed_radians(angle))
                                                                        : std::sin(signed_radians(angle));
        QVERIFY(std::abs(field.at(k / 2, k % 2) - wanted) < 1e-15);
        QVERIFY(std::abs(cells[static_cast<std::size_t>(k)] - wanted) < 1e-15);
      }
    }
    // The offset of a phase cancels in a difference from another with the same, and only there.
    PhaseMatrix turned = matrix(PhaseQuantity::phase);
    turned.offsets = {quarter_turn, 0};
    const PhaseField field(turned);
    QCOMPARE(field.minus(field, DifferenceKind::angular)->at(9, 0), 0.0);
    QVERIFY(!field.minus(PhaseField(matrix(PhaseQuantity::phase)), DifferenceKind::angular));
  }

  void whole_numbers_are_read_too() {
    const PhaseField field(matrix(PhaseQuantity::cos));
    std::vector<std::int32_t> cells(2);
    field.read({{2, 3}, {0, 2}}, std::span(cells));
    QCOMPARE(cells, (std::vector<std::int32_t>{1, 1}));
  }

  void float_phases_stay_below_a_turn() {
    PhaseMatrix last = matrix(PhaseQuantity::phase);
    last.rates = {Turns{0} - 1, Turns{0} - 1};
    const PhaseField field(last);
    std::vector<float> cells(2);
    field.read({{3, 4}, {0, 2}}, std::span(cells));
    QVERIFY(static_cast<double>(cells[0]) < 2 * std::numbers::pi);
    Summary summary;
    QVERIFY(field.summarize({{3, 4}, {0, 2}}, {}, summary));
    QVERIFY(static_cast<double>(summary.max[0]) < 2 * std::numbers::pi);
    QVERIFY(static_cast<double>(summary.mean[0]) < 2 * std::numbers::pi);
  }

  void a_closed_form_only_for_phases_at_the_same_positions() {
    const PhaseField phase(matrix(PhaseQuantity::phase));
    PhaseMatrix moved = matrix(PhaseQuantity::phase);
    moved.rows[2].first = 101;
    QVERIFY(phase.minus(phase, DifferenceKind::angular));
    QVERIFY(!phase.minus(phase, DifferenceKind::plain));
    QVERIFY(std::get<const PhaseMatrix*>(phase.form())->rates == matrix(PhaseQuantity::phase).rates);
    QVERIFY(!phase.minus(PhaseField(moved), DifferenceKind::angular));
    QVERIFY(!phase.minus(PhaseField(matrix(PhaseQuantity::cos)), DifferenceKind::angular));
    QVERIFY(!phase.minus(StepField({11, 2}, 0, {{0}, {1}}), DifferenceKind::angular));
  }
};

VQSCOPE_TEST(PhaseFieldTest)
#include "phase_field_test.moc"
