// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"
#include "core/field/difference_field.h"
#include "core/method/method_list.h"
#include "tests/core/encoding/rope_cases.h"
#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Part = std::shared_ptr<const Field>;

Part rope(const char* id, const ParameterValues::Map& set) {
  const Method& method = *find_method(encoding_methods(), id);
  return make_field(method, rope_values(method, set)).value();
}

const ParameterValues::Map linear{{"rope_type", std::string("linear")}, {"q_length", Index{300}}};
const ParameterValues::Map plain{{"q_length", Index{300}}};

}  // namespace

/// Phases and rotations minus others.
class RopeDifferenceTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void phases_have_a_closed_form() {
    Random random(2);
    for (int i = 0; i < 200; ++i) {
      auto picture = random_picture(random, PhaseQuantity::phase, 300);
      const auto a = make_rope_field(picture);
      picture.scaling.rope_type = "linear";
      picture.scaling.factor = 3;
      picture.frequencies = rope_frequencies(picture.scaling);
      const auto b = make_rope_field(picture);
      const auto field = make_difference(a, b, DifferenceKind::angular).value();
      const TileGrid grid = random_tile_grid(random, field->extent());
      const auto text = angular_summary_differs(*field, grid, {.max_cells = 1});
      QVERIFY2(text.empty(), text.c_str());
      for (int k = 0; k < 20; ++k) {
        const Index row = pick(random, 0, field->extent().rows - 1);
        const Index col = pick(random, 0, field->extent().cols - 1);
        const double wanted = angular_difference(a->at(row, col), b->at(row, col));
        QVERIFY(std::abs(angular_difference(field->at(row, col), wanted)) < 1e-12);
      }
    }
  }

  void phases_at_other_positions_are_looked_at() {
    auto moved = plain;
    moved["past_len"] = Index{17};
    const auto field =
        make_difference(rope("rope_phase", moved), rope("rope_phase", plain), DifferenceKind::angular).value();
    QVERIFY(std::abs(field->at(5, 63) - 17 * 1.1547819846894582e-4) < 1e-9);
    const auto text = angular_summary_differs(*field, {{0, 100, 300}, {0, 3, 64}});
    QVERIFY2(text.empty(), text.c_str());
  }

  void exact_against_float32() {
    auto rounded = plain;
    rounded["precision"] = std::string("hf_float32");
    const auto field =
        make_difference(rope("rope_phase", plain), rope("rope_phase", rounded), DifferenceKind::angular).value();
    for (Index row = 0; row < 300; ++row) QVERIFY(std::abs(field->at(row, 0)) < 1e-12);  // inv_freq 1: float32 is exact
    QVERIFY(std::abs(field->at(299, 3)) > 0);
    const auto text = angular_summary_differs(*field, {{0, 300}, {0, 64}});
    QVERIFY2(text.empty(), text.c_str());
  }

  void cos_minus_cos() {
    const auto a = rope("rope_cos", linear);
    const auto b = rope("rope_cos", plain);
    const auto field = make_difference(a, b).value();
    QCOMPARE(field->at(100, 7), a->at(100, 7) - b->at(100, 7));
    Summary summary;
    QVERIFY(field->summarize({{0, 300}, {0, 64}}, {}, summary));
    QVERIFY(summary.exact);
  }

  /// float32 means of two fields that are nearly equal differ by their rounding, so cells must be
  /// read.
  void nearly_equal_fields_are_compared_cell_by_cell() {
    auto exact = plain;
    exact["q_length"] = Index{3000};
    auto rounded = exact;
    rounded["precision"] = std::string("hf_float32");
    const auto a = rope("rope_cos", exact);
    const auto b = rope("rope_cos", rounded);
    const auto field = make_difference(a, b).value();
    for (const TileGrid& grid : {TileGrid{even_edges({0, 3000}, 100), even_edges({0, 64}, 64)},
                                 TileGrid{even_edges({2000, 2100}, 100), even_edges({0, 64}, 50)},
                                 TileGrid{even_edges({2000, 2100}, 100), even_edges({0, 64}, 64)}})
      for (const bool extremes : {false, true}) {
        Summary summary;
        QVERIFY(field->summarize(grid, {.extremes = extremes}, summary));
        QVERIFY(summary.exact);
        for (Index t = 0; t < grid.rows() * grid.cols(); ++t) {
          const Rect tile = grid.tile(t / grid.cols(), t % grid.cols());
          double sum = 0;
          double largest = 0;
          for (Index row = tile.rows.begin; row < tile.rows.end; ++row)
            for (Index col = tile.cols.begin; col < tile.cols.end; ++col) {
              sum += a->at(row, col) - b->at(row, col);
              largest = std::max(largest, std::abs(a->at(row, col) - b->at(row, col)));
            }
          const double wanted = sum / static_cast<double>(tile.area());
          const double got = static_cast<double>(summary.mean[static_cast<std::size_t>(t)]);
          QVERIFY2(std::abs(got - wanted) <= 1e-3 * std::abs(wanted) + 1e-12,
                   (to_text(got) + " instead of " + to_text(wanted)).c_str());
          if (!extremes) continue;
          const double reach = std::max(std::abs(static_cast<double>(summary.min[static_cast<std::size_t>(t)])),
                                        std::abs(static_cast<double>(summary.max[static_cast<std::size_t>(t)])));
          QVERIFY(std::abs(reach - largest) <= 1e-3 * largest + 1e-12);
        }
      }
  }

  void a_field_minus_itself() {
    const auto a = rope("rope_phase", plain);
    Summary summary;
    QVERIFY((*make_difference(a, a, DifferenceKind::angular))->summarize({{0, 300}, {0, 64}}, {}, summary));
    QCOMPARE(summary.mean[0], 0.0F);
    QCOMPARE(summary.coherence[0], 1.0F);
    QCOMPARE(summary.min[0], 0.0F);
    QCOMPARE(summary.max[0], 0.0F);
  }

  void reports_name_both() {
    const auto field =
        make_difference(rope("rope_phase", linear), rope("rope_phase", plain), DifferenceKind::angular).value();
    const CellReport report = field->report(2, 0);
    QCOMPARE(report.facts.front(), (std::pair<std::string, std::string>("difference", "-1.5")));
    COMPARE_TEXT(report.why,
                 "A: position 2 · inv_freq 0.25 = 0.5 rad, within the first turn; B: position 2 · inv_freq 1 = "
                 "2 rad, within the first turn");
    QVERIFY(std::ranges::count(report.facts, std::pair<std::string, std::string>("inv_freq", "0.25 − 1")) == 1);
    QVERIFY(std::ranges::count(report.facts, std::pair<std::string, std::string>("position", "2")) == 1);
    const auto same = make_difference(rope("rope_phase", plain), rope("rope_phase", plain)).value();
    COMPARE_TEXT(same->report(2, 0).why, "A and B: position 2 · inv_freq 1 = 2 rad, within the first turn");
  }

  void marks_of_both() {
    auto longer = ParameterValues::Map{{"original_max_position_embeddings", Index{100}}, {"q_length", Index{300}}};
    auto other = longer;
    other["original_max_position_embeddings"] = Index{200};
    QCOMPARE((*make_difference(rope("rope_phase", longer), rope("rope_phase", other)))->marks().size(), std::size_t{2});
    QCOMPARE((*make_difference(rope("rope_phase", longer), rope("rope_phase", longer)))->marks().size(),
             std::size_t{1});
  }
};

VQSCOPE_TEST(RopeDifferenceTest)
#include "rope_difference_test.moc"
