// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/compared.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace vqscope;

namespace {

/// One row: a, 2a, 3a, ...
class Multiples : public Field {
 public:
  Multiples(double a, Index length) : m_a(a), m_length(length) {}
  Extent extent() const override { return {1, m_length}; }
  CellType cell_type() const override { return CellType::float32; }
  double at(Index, Index col) const override { return m_a * static_cast<double>(col + 1); }
  std::pair<double, double> value_range() const override { return {m_a, m_a * static_cast<double>(m_length)}; }

 private:
  double m_a;
  Index m_length;
};

/// Counts how often it makes a field.
Method multiples(ValueScale scale, int* made) {
  Method method{.id = "multiples",
                .parameters = {{.name = "a", .kind = ParameterKind::real, .default_value = 1.0, .maximum = 9},
                               {.name = "n", .default_value = Index{3}, .minimum = 1, .maximum = 9}}};
  FieldRecipe recipe{.scale = scale};
  recipe.make = [made](const ParameterValues& values, const Work&) -> Result<std::shared_ptr<const Field>> {
    ++*made;
    return std::shared_ptr<const Field>(std::make_shared<Multiples>(values.real("a"), values.integer("n")));
  };
  method.recipe = recipe;
  return method;
}

ParameterValues with(double a, Index n = 3) {
  ParameterValues values;
  values.set("a", a);
  values.set("n", n);
  return values;
}

}  // namespace

class ComparedTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void without_a_second_the_field_itself() {
    int made = 0;
    const auto field = make_compared_field(multiples(ValueScale::sequential, &made), with(2), std::nullopt);
    QCOMPARE((*field)->at(0, 2), 6.0);
    QCOMPARE(made, 1);
  }

  void with_a_second_their_difference() {
    int made = 0;
    const auto field = make_compared_field(multiples(ValueScale::sequential, &made), with(2), with(0.5));
    QCOMPARE((*field)->at(0, 0), 1.5);
    QCOMPARE((*field)->at(0, 2), 4.5);
    QCOMPARE(made, 2);
  }

  /// 3 · 2 - 3 · 0.5 = 4.5 radians is 4.5 - 2π.
  void angles_wrap() {
    int made = 0;
    const auto field = make_compared_field(multiples(ValueScale::cyclic, &made), with(2), with(0.5));
    QCOMPARE((*field)->at(0, 0), 1.5);
    QVERIFY(std::abs((*field)->at(0, 2) - (4.5 - 2 * std::numbers::pi)) < 1e-12);
  }

  void errors_of_either_side_are_reported() {
    int made = 0;
    const Method method = multiples(ValueScale::sequential, &made);
    COMPARE_ERROR(make_compared_field(method, with(10), with(1)), "a is 10 but must be a number from 0 to 9");
    QCOMPARE(made, 0);
    COMPARE_ERROR(make_compared_field(method, with(1), with(-1)), "a is -1 but must be a number from 0 to 9");
    const auto sizes = make_compared_field(method, with(1, 3), with(1, 4));
    QVERIFY(!sizes && sizes.error().message.find("1 × 3") != std::string::npos &&
            sizes.error().message.find("1 × 4") != std::string::npos);
  }
};

VQSCOPE_TEST(ComparedTest)
#include "compared_test.moc"
