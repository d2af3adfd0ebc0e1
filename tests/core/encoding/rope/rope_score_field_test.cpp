// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_fields.h"

#include "tests/core/encoding/bias_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class RopeScoreFieldTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void scores_of_the_curve() {
    // FORMULAS 4: B(r) for d = 128, b = 1e4.
    QCOMPARE(value_at("rope_score_field", 0), 64.0);
    for (const auto& [r, score] : {std::pair<Index, double>{1, 62.094}, {10, 42.820}, {1000, 10.178}, {4096, -3.383}}) {
      QVERIFY(std::abs(value_at("rope_score_field", -r) - score) < 6e-4);
      QCOMPARE(value_at("rope_score_field", r), value_at("rope_score_field", -r));
    }
  }

  void golden_file() {
    const auto distances = golden_distances();
    const auto golden = golden_biases("rope_same_token").toObject();
    QCOMPARE(golden.size(), 3);
    for (const auto& dim : golden.keys()) {
      const auto wanted = numbers_of(golden[dim]);
      const auto field = relative_field("rope_score_field", {{"head_dim", Index{dim.toLongLong()}}});
      for (std::size_t i = 0; i < distances.size(); ++i)
        QVERIFY(close(field->function().at(-static_cast<Index>(distances[i])) / (dim.toDouble() / 2), wanted[i]));
    }
  }

  void every_scaling() {
    for (const auto& type : rope_types()) {
      const ParameterValues::Map set{
          {"rope_type", type.id}, {"head_dim", Index{32}}, {"original_max_position_embeddings", Index{64}}};
      COMPARE_TEXT(method_is_wrong("rope_score_field", set, 4), "");
    }
    // Linear interpolation by 4 is a fourth of the distance.
    const ParameterValues::Map linear{{"rope_type", std::string("linear")}};
    QVERIFY(close(value_at("rope_score_field", -400, linear), value_at("rope_score_field", -100)));
    // dynamic_linear follows the lengths.
    const ParameterValues::Map dynamic{{"rope_type", std::string("dynamic_linear")}, {"q_length", Index{16384}}};
    QVERIFY(close(value_at("rope_score_field", -400, dynamic), value_at("rope_score_field", -100)));
  }

  void automatic_values() {
    const Method& method = *find_method(encoding_methods(), "rope_score_field");
    const auto used = method.in_force(relative_values("rope_score_field", {{"past_len", Index{88}}}));
    QCOMPARE(used.integer("kv_length"), Index{600});
    QCOMPARE(used.integer("seq_len"), Index{600});
    QCOMPARE(used.integer("rotary_dim"), Index{128});
  }

  void reports_and_errors() {
    COMPARE_TEXT(why_at("rope_score_field", -3), "k is 3 behind q: Σ cos(3 · inv_freq) over 64 pairs");
    COMPARE_TEXT(why_at("rope_score_field", -30, {{"original_max_position_embeddings", Index{30}}}),
                 "k is 30 behind q: Σ cos(30 · inv_freq) over 64 pairs; beyond the training length 30");
    COMPARE_ERROR(relative_result("rope_score_field", {{"head_dim", Index{3}}}), "head_dim is 3 but must be even");
  }
};

VQSCOPE_TEST(RopeScoreFieldTest)
#include "rope_score_field_test.moc"
