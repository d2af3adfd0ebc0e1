// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/encoding/rope_cases.h"
#include "tests/core/encoding/table_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <numbers>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Ones, turned pair by pair as a model would, their product halved: the unit of rope_score_field.
double product_of_rotated_ones(Index q, Index k, Index width, Index d, double theta) {
  double sum = 0;
  for (Index pair = 0; pair < d / 2; ++pair) {
    const Index i = pair % (d / 4);
    const auto angle = [&](Index patch) {
      const Index position = pair < d / 4 ? patch / width : patch % width;
      return static_cast<double>(position) * std::pow(theta, -4 * static_cast<double>(i) / static_cast<double>(d));
    };
    const auto rotated = [](double by) { return std::pair{std::cos(by) - std::sin(by), std::sin(by) + std::cos(by)}; };
    const auto [a, b] = rotated(angle(q));
    const auto [c, e] = rotated(angle(k));
    sum += (a * c + b * e) / 2;
  }
  return sum;
}

}  // namespace

class Rope2dTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // d 4: one pair for rows and one for columns, both turn by 1 a patch.
    const ParameterValues::Map set{{"patch_rows", Index{2}}, {"patch_cols", Index{3}}, {"head_dim", Index{4}}};
    const auto score = table("rope_2d_score", set);
    QCOMPARE(score->extent(), (Extent{6, 6}));
    QCOMPARE(score->at(4, 4), 2.0);
    QCOMPARE(score->at(0, 5), std::cos(1.0) + std::cos(2.0));
    QCOMPARE(score->at(5, 1), std::cos(1.0) + std::cos(1.0));
    const auto phase = table("rope_2d_phase", set);
    QCOMPARE(phase->extent(), (Extent{6, 2}));
    QCOMPARE(phase->at(5, 0), 1.0);
    QCOMPARE(phase->at(5, 1), 2.0);
    QCOMPARE(phase->value_range(), (std::pair{0.0, 2 * std::numbers::pi}));
  }

  void scores_are_products_of_rotated_vectors() {
    Random random(1);
    for (int i = 0; i < 40; ++i) {
      const Index height = pick(random, 1, 12);
      const Index width = pick(random, 1, 12);
      const Index d = 4 * pick(random, 1, 16);
      const double theta = static_cast<double>(pick(random, 2, 10000));
      const auto field = table("rope_2d_score",
                               {{"patch_rows", height}, {"patch_cols", width}, {"head_dim", d}, {"rope_theta", theta}});
      const auto wrong = table_differs(
          *field, random_tile_grid(random, field->extent()),
          [&](Index q, Index k) { return product_of_rotated_ones(q, k, width, d, theta); }, 1e-11);
      QVERIFY2(wrong.empty(), wrong.c_str());
      const auto [low, high] = field->value_range();
      QVERIFY(low <= field->at(0, height * width - 1) && high == static_cast<double>(d) / 2);
    }
  }

  /// One row of patches is a sequence: half of the pairs stand still.
  void one_row_is_plain_rope() {
    const auto flat = table(
        "rope_2d_score",
        {{"patch_rows", Index{1}}, {"patch_cols", Index{300}}, {"head_dim", Index{128}}, {"rope_theta", 10000.0}});
    const auto plain = table("rope_score_field", {{"q_length", Index{300}}, {"head_dim", Index{64}}});
    for (Index k = 0; k < 300; k += 17) QVERIFY(is_near(flat->at(9, k), 32 + plain->at(9, k), 1e-12));
  }

  void phases_agree_with_either_half() {
    Random random(2);
    for (int i = 0; i < 20; ++i) {
      const Index width = pick(random, 1, 20);
      const auto field =
          table("rope_2d_phase", {{"patch_rows", Index{13}}, {"patch_cols", width}, {"head_dim", Index{24}}});
      const TileGrid grid = random_tile_grid(random, field->extent());
      auto wrong = angular_summary_differs(*field, grid) + read_differs(*field, grid.bounds());
      QVERIFY2(wrong.empty(), wrong.c_str());
      for (Index patch = 0; patch < 13 * width; patch += 5)
        for (Index pair = 0; pair < 12; ++pair) {
          const auto position = static_cast<double>(pair < 6 ? patch / width : patch % width);
          const double angle = position * std::pow(100.0, -static_cast<double>(pair % 6) / 6);
          QVERIFY(std::abs(std::remainder(field->at(patch, pair) - angle, 2 * std::numbers::pi)) < 1e-13);
        }
    }
  }

  void reports_and_errors() {
    const auto score = table("rope_2d_score", {});
    COMPARE_TEXT(score->report(15, 44).why, "patches (1, 1) and (3, 2): Σ cos(2 θ) + Σ cos(1 θ), each over 16 pairs");
    const auto phase = table("rope_2d_phase", {{"head_dim", Index{8}}});
    COMPARE_TEXT(phase->report(44, 1).why, "pair 1 turns with the patch's row 3 · 100^(−4/8) = 0.3 rad");
    COMPARE_TEXT(phase->report(44, 2).why, "pair 2 turns with the patch's column 2 · 100^(−0/8) = 2 rad");
    for (const char* id : {"rope_2d_score", "rope_2d_phase"}) {
      COMPARE_ERROR(table_result(id, {{"head_dim", Index{6}}}),
                    "head_dim is 6 but must be divisible by 4: two halves of pairs");
      COMPARE_ERROR(table_result(id, {{"rope_theta", 1.0}}), "rope_theta is 1 but must be above 1");
      COMPARE_ERROR(table_result(id, {{"patch_rows", Index{5000}}}),
                    "patch_rows is 5000 but must be an integer from 1 to 4096");
    }
  }
};

VQSCOPE_TEST(Rope2dTest)
#include "rope_2d_test.moc"
