// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"
#include "core/field/field.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;

namespace {

std::shared_ptr<const Field> shift_field(const Method& method, const ParameterValues::Map& set) {
  ParameterValues values = default_values(method.parameters, set);
  const auto field = make_field(method, values);
  return field ? *field : nullptr;
}

}  // namespace

class SinusoidalShiftTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void one_pair_by_hand() {
    const auto field = shift_field(sinusoidal_shift_method(), {{"d_model", Index{2}}, {"shift", Index{3}}});
    QVERIFY(std::abs(field->at(0, 0) - std::cos(3.0)) < 1e-15 && std::abs(field->at(1, 1) - std::cos(3.0)) < 1e-15);
    QVERIFY(std::abs(field->at(0, 1) - std::sin(3.0)) < 1e-15 && std::abs(field->at(1, 0) + std::sin(3.0)) < 1e-15);
  }

  /// Row pos + shift of the table is the matrix times row pos.
  void maps_rows_of_the_table() {
    for (const char* layout : {"interleaved", "concatenated"})
      for (const Index shift : {-5, 0, 1, 8, 40}) {
        const ParameterValues::Map set{{"d_model", Index{12}}, {"layout", std::string(layout)}};
        ParameterValues::Map shifted = set;
        shifted["shift"] = shift;
        const auto matrix = shift_field(sinusoidal_shift_method(), shifted);
        const auto table = shift_field(sinusoidal_method(), set);
        for (const Index pos : {5, 17, 600})
          for (Index row = 0; row < 12; ++row) {
            double sum = 0;
            for (Index col = 0; col < 12; ++col) sum += matrix->at(row, col) * table->at(pos, col);
            QVERIFY(std::abs(sum - table->at(pos + shift, row)) < 1e-12);
          }
        QVERIFY(matrix->facts({})[0].second < 1e-13);
      }
  }

  void remark_and_reasons() {
    const Method method = sinusoidal_shift_method();
    QVERIFY(method.remark(default_values(method.parameters), {})
                .starts_with("One matrix maps row pos to row pos + 8 of the table at every position: it differs by at "
                             "most "));
    const auto field = shift_field(method, {});
    COMPARE_TEXT(field->report(0, 2).why, "dimensions of different pairs: 0");
    COMPARE_TEXT(field->report(0, 1).why, "pair 0 turns by 1.71681 rad over 8 positions");
  }
};

VQSCOPE_TEST(SinusoidalShiftTest)
#include "sinusoidal_shift_test.moc"
