// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_scaling.h"
#include "core/encoding/seen/seen_summary.h"
#include "core/method/curve_set.h"
#include "tests/core/encoding/table_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::map<std::string, double> facts_of(const Field& field) {
  const auto facts = field.facts({});
  return {facts.begin(), facts.end()};
}

std::string remark_of(const ParameterValues::Map& set) {
  const Method& method = *find_method(encoding_methods(), "rope_phase_seen");
  ParameterValues values = default_values(method.parameters, set);
  return method.remark(values, {});
}

}  // namespace

class SeenFieldTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void summaries_agree_with_the_cells() {
    Random random(6);
    for (const auto& type : rope_types())
      for (int i = 0; i < 8; ++i) {
        const ParameterValues::Map set{{"q_length", pick(random, 1, 260)},
                                       {"past_len", pick(random, 0, 1) * pick(random, 0, 90)},
                                       {"head_dim", Index{16}},
                                       {"rope_type", type.id},
                                       {"rope_theta", 500.0},
                                       {"original_max_position_embeddings", pick(random, 2, 80)}};
        const auto field = table("rope_phase_seen", set);
        const auto definition = [&](Index row, Index col) { return field->at(row, col); };
        const TileGrid grid = random_tile_grid(random, field->extent());
        COMPARE_TEXT(table_differs(*field, grid, definition, 0), "");
        LabelCounts counts;
        QVERIFY(field->count_labels(grid.bounds(), counts));
        std::uint64_t cells = 0;
        for (const auto& [label, count] : counts) cells += count;
        QCOMPARE(cells, grid.bounds().area());
      }
  }

  void documents_restart_and_padding_stands_at_0() {
    const ParameterValues::Map set{{"q_length", Index{90}}, {"document_lengths", std::vector<Index>{30, 50}},
                                   {"padding", Index{10}},  {"padding_side", std::string("right")},
                                   {"head_dim", Index{8}},  {"original_max_position_embeddings", Index{20}}};
    const auto field = table("rope_phase_seen", set);
    Random random(7);
    const auto definition = [&](Index row, Index col) { return field->at(row, col); };
    COMPARE_TEXT(table_differs(*field, random_tile_grid(random, field->extent()), definition, 0), "");
    const Index slow = field->extent().cols - 1;
    QCOMPARE(field->at(19, slow), 0.0);
    QCOMPARE(field->at(20, slow), 1.0);
    QCOMPARE(field->at(30, slow), 0.0);  // the next document
    QCOMPARE(facts_of(*field)["first_new_position"], 20.0);
  }

  /// theta 10,000 and 64 pairs: pair 46 turns once in 4,712 positions, pair 45 once in 4,081.
  void unscaled_rope_meets_new_angles_from_the_training_length_on() {
    const ParameterValues::Map set{{"q_length", Index{8192}}};
    const auto field = table("rope_phase_seen", set);
    auto facts = facts_of(*field);
    QCOMPARE(facts["pairs_with_new_angles"], 18.0);
    QCOMPARE(facts["first_pair_with_new_angles"], 46.0);
    QCOMPARE(facts["last_pair_with_new_angles"], 63.0);
    QCOMPARE(facts["first_new_position"], 4096.0);
    Index cells = 0;
    for (Index col = 0; col < 64; ++col)
      for (Index row = 0; row < 8192; ++row) cells += field->at(row, col) > 0;
    QCOMPARE(facts["new_cells"], static_cast<double>(cells));
    QCOMPARE(facts["new_share"], static_cast<double>(cells) / (8192.0 * 64));
    const auto remark = remark_of(set);
    COMPARE_TEXT(remark, "Under default, pairs 46 to 63 meet angles that training (length " + grouped(4096) +
                             ") never had, from position " + grouped(4096) + " on: 12.3 % of all cells at length " +
                             grouped(8192) + ", 43.8 % of the cells of these pairs");
  }

  /// Interpolation by the factor of the length: nothing new but the last positions, which are
  /// fractions of a step on.
  void interpolation_stays_inside() {
    const auto field = table("rope_phase_seen", {{"q_length", Index{16381}}, {"rope_type", std::string("linear")}});
    QCOMPARE(facts_of(*field)["pairs_with_new_angles"], 0.0);
    const auto remark = remark_of({{"q_length", Index{16381}}, {"rope_type", std::string("linear")}});
    COMPARE_TEXT(remark, "Under linear, no pair meets an angle at length " + grouped(16381) +
                             " that it did not meet in training (length " + grouped(4096) + ")");
  }

  /// The default factor of 4 is too small for eight training lengths; that of 8 leaves the last 7 positions.
  void a_factor_that_is_too_small_is_named() {
    const ParameterValues::Map set{{"q_length", Index{32768}}, {"rope_type", std::string("yarn")}};
    const auto remark = remark_of(set);
    QVERIFY2(remark.ends_with(" of the cells of these pairs; with factor 8: 0.006 % of all cells"), remark.c_str());
    const auto wide = remark_of({{"q_length", Index{32768}}, {"rope_type", std::string("yarn")}, {"factor", 8.0}});
    QVERIFY2(wide.ends_with(" of the cells of these pairs"), wide.c_str());
  }

  void cell_report_has_a_reason() {
    const auto field = table("rope_phase_seen", {{"q_length", Index{8192}}});
    const auto fast = field->report(8000, 0);
    COMPARE_TEXT(fast.why, "within the training length " + grouped(4096) +
                               " the pair makes a whole turn, so training met every angle");
    const auto slow = field->report(8000, 63);
    QVERIFY2(slow.why.ends_with("is beyond them"), slow.why.c_str());
    QVERIFY(field->report(100, 63).why.ends_with("is among them"));
  }

  void the_curve_agrees_with_the_map() {
    const Method& method = *find_method(encoding_methods(), "rope_new_angles");
    ParameterValues values = default_values(method.parameters);
    values.set("q_length", Index{5000});
    values.set("rope_type", std::string("yarn"));
    const auto first = make_curves(method, values);
    values.set("quantity", std::string("share"));
    const auto fraction = make_curves(method, values);
    QVERIFY(first && fraction);
    QVERIFY(first->formula.ends_with("or that meets none up to the last position shown, has no first position"));
    const auto field = table("rope_phase_seen", {{"q_length", Index{5000}}, {"rope_type", std::string("yarn")}});
    for (Index pair = 0; pair < 64; ++pair) {
      double wanted = no_value;
      double count = 0;
      for (Index position = 0; position < 5000; ++position) {
        if (field->at(position, pair) == 0) continue;
        ++count;
        if (std::isnan(wanted)) wanted = static_cast<double>(position);
      }
      const auto i = static_cast<std::size_t>(pair);
      QVERIFY(is_near(first->curves[0].y[i], wanted, 0));
      QVERIFY(is_near(fraction->curves[0].y[i], count / 5000, 1e-12));
    }
  }
};

VQSCOPE_TEST(SeenFieldTest)
#include "seen_field_test.moc"
