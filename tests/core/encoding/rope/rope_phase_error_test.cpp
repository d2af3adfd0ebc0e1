// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_fields.h"

#include "core/encoding/methods.h"
#include "core/field/field.h"
#include "core/method/method_list.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::shared_ptr<const Field> error_field(const ParameterValues::Map& set) {
  const Method& method = *find_method(encoding_methods(), "rope_phase_error");
  return *make_field(method, default_values(method.parameters, set));
}

double error(Index position, long double inv_freq, const char* type, RopeRounding rounding = RopeRounding::everything) {
  return angle_error(position, inv_freq, number_type(type), rounding);
}

}  // namespace

class RopePhaseErrorTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void whole_angles_by_hand() {
    QCOMPARE(error(256, 1, "bfloat16"), 0.0);
    QCOMPARE(error(257, 1, "bfloat16"), -1.0);
    QCOMPARE(error(131071, 1, "bfloat16"), 1.0);
    QCOMPARE(error(16777217, 1, "float32"), -1.0);
    QCOMPARE(error(16777217, 1, "float64"), 0.0);
    QVERIFY(std::isnan(error(70000, 1, "float16")));
  }

  void a_cast_module_keeps_its_positions() {
    QCOMPARE(error(257, 1, "bfloat16", RopeRounding::inv_freq), 0.0);
    // 0.1 is 0.10009765625 in bfloat16.
    QVERIFY(std::abs(error(1000, 0.1L, "bfloat16", RopeRounding::inv_freq) - 0.09765625) < 1e-5);
  }

  void float32_error_agrees_with_the_measurement() {
    // FACTS: 7.6e-3 rad at 131,072 for float32 frequencies and angles.
    double largest = 0;
    for (Index i = 0; i < 64; ++i)
      largest = std::max(largest, std::abs(error(131071, std::pow(10000.0L, -2.0L * i / 128.0L), "float32")));
    QVERIFY2(largest > 1e-3 && largest < 7.6e-3, qPrintable(QString::number(largest)));
  }

  void cells_are_wrapped_and_explained() {
    const auto field = error_field({{"q_length", Index{131072}}, {"number_type", std::string("bfloat16")}});
    QCOMPARE(field->extent(), (Extent{131072, 64}));
    for (const Index row : {0, 257, 5000, 100001, 131071})
      for (const Index col : {0, 1, 30, 63}) QVERIFY(std::abs(field->at(row, col)) <= std::numbers::pi);
    QCOMPARE(field->at(257, 0), 1.0);
    COMPARE_TEXT(field->report(257, 0).why, "bfloat16 has 256 rad for 257 rad: off by -1 rad");
    const auto half = error_field({{"q_length", Index{131072}}, {"number_type", std::string("float16")}});
    QVERIFY(std::isnan(half->at(70000, 0)));
    COMPARE_TEXT(half->report(70000, 3).why,
                 "position 70\u202F000 is beyond float16: the angle is infinite, its cos NaN");
  }

  /// Pair 0 in bfloat16: the signed errors of 256 to 511 are -1, 0, 1, 0 and so on.
  void a_mean_of_errors_is_one_of_magnitudes() {
    const auto field = error_field({{"q_length", Index{4096}}, {"number_type", std::string("bfloat16")}});
    Summary summary;
    QVERIFY(field->summarize({{256, 512}, {0, 1}}, {}, summary));
    double sum = 0;
    for (Index row = 256; row < 512; ++row) sum += std::abs(field->at(row, 0));
    QVERIFY(sum > 100);
    QVERIFY(std::abs(static_cast<double>(summary.mean[0]) - sum / 256) < 1e-6);
    QVERIFY(summary.min[0] >= 0);
  }

  void reads_and_ranges_hold_every_cell() {
    Random random(8);
    for (int each = 0; each < 8; ++each) {
      const auto& type = number_types()[static_cast<std::size_t>(each / 2)];
      const auto field = error_field({{"q_length", Index{60000}},
                                      {"number_type", type.id},
                                      {"rounded", std::string(each % 2 == 0 ? "everything" : "inv_freq")},
                                      {"head_dim", Index{32}}});
      const auto [low, high] = field->value_range();
      std::vector<double> cells(40 * 16);
      const Index first = pick(random, 0, 59000);
      field->read({{first, first + 40}, {0, 16}}, std::span(cells));
      for (std::size_t i = 0; i < cells.size(); ++i) {
        QCOMPARE(cells[i], field->at(first + static_cast<Index>(i / 16), static_cast<Index>(i % 16)));
        QVERIFY(cells[i] >= low && cells[i] <= high);
      }
    }
  }
};

VQSCOPE_TEST(RopePhaseErrorTest)
#include "rope_phase_error_test.moc"
