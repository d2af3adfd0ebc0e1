// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/study/codebook_scheme.h"

#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ParameterValues extrapolation_values(const ParameterValues::Map& set = {}) {
  return curve_values("vq_extrapolation", set);
}

}  // namespace

class CodebookSchemeTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void drift_by_hand() {
    QCOMPARE(code_drift({1, 3}, {10, 30}), 0.0);
    QCOMPARE(code_drift({5, 0}, {0, 7}), 1.0);
    QCOMPARE(code_drift({1, 1, 2}, {2, 0, 2}), 0.25);
  }

  /// Position p turns the only pair of head_dim 2 by p radians; the period begins anew.
  void rows_turn_by_their_position() {
    RopeScaling scaling;
    scaling.head_dim = 2;
    std::vector<float> rows;
    for (int row = 0; row < 7; ++row) rows.insert(rows.end(), {1, 0});
    rotate_rows(rows, scaling, 3);
    for (std::size_t row = 0; row < 7; ++row) {
      const double angle = static_cast<double>(row % 3);
      QVERIFY(std::abs(static_cast<double>(rows[2 * row]) - std::cos(angle)) < 1e-6);
      QVERIFY(std::abs(static_cast<double>(rows[2 * row + 1]) - std::sin(angle)) < 1e-6);
    }
  }

  /// Two rows of one position keep their product, whatever the position; cos and sin have the
  /// attention factor.
  void rotation_keeps_products() {
    RopeScaling scaling;
    scaling.head_dim = 8;
    scaling.rope_type = "yarn";
    scaling.factor = 4;
    scaling.original_max_position_embeddings = 16;
    const double factor = rope_frequencies(scaling).attention_factor;
    std::vector<float> rows(2 * 8 * 5);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(std::sin(static_cast<double>(i)));
    const std::vector<float> before = rows;
    rotate_rows(rows, scaling, 10);
    for (std::size_t row = 0; row < 10; ++row) {
      double square = 0, wanted = 0;
      for (std::size_t c = 0; c < 8; ++c) {
        square += std::pow(static_cast<double>(rows[8 * row + c]), 2);
        wanted += std::pow(static_cast<double>(before[8 * row + c]), 2);
      }
      QVERIFY(std::abs(square - factor * factor * wanted) < 1e-5);
    }
  }

  void factors_follow_the_length() {
    const auto values = extrapolation_values({{"original_max_position_embeddings", Index{100}}, {"factor", 0.0}});
    QCOMPARE(scaling_at(values, 16, "linear", 400).factor, 4.0);
    QCOMPARE(scaling_at(values, 16, "linear", 50).factor, 1.0);  // never below 1
    QCOMPARE(scaling_at(values, 16, "dynamic", 400).factor, 1.0);
    QCOMPARE(scaling_at(values, 16, "dynamic", 400).seq_len, Index{400});
    const auto fixed = extrapolation_values({{"original_max_position_embeddings", Index{100}}, {"factor", 3.0}});
    QCOMPARE(scaling_at(fixed, 16, "yarn", 400).factor, 3.0);
    QCOMPARE(scaling_at(fixed, 16, "yarn", 400).head_dim, Index{16});
  }

  /// Within the training length, keys use the codes as they did in training; unrotated keys always
  /// do.
  void measures_of_a_scheme() {
    const auto values = extrapolation_values({{"original_max_position_embeddings", Index{16}}, {"factor", 1.0}});
    const VqSetting setting = small_setting();
    const VqData data = draw_vq(setting);
    for (const std::string& name : {unrotated, std::string("default")}) {
      const auto scheme = CodebookScheme::learn(values, setting, data, name, {});
      QVERIFY2(scheme, name.c_str());
      for (const char* what : {"commit_loss", "code_drift", "total_variation", "output_error"}) {
        const double value = scheme->measure(48, what, nullptr, {}).value();
        QVERIFY2(value >= 0 && std::isfinite(value), what);
        if (what == std::string("code_drift") || what == std::string("total_variation")) QVERIFY(value <= 1);
      }
    }
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!CodebookScheme::learn(values, setting, data, unrotated, {.progress = {}, .stop = stop.get_token()}));
  }
};

VQSCOPE_TEST(CodebookSchemeTest)
#include "codebook_scheme_test.moc"
