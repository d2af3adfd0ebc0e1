// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/table/table_values.h"
#include "tests/core/encoding/table_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class BetaAryTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void decimal_digits_by_hand() {
    const auto field = table("beta_ary", {{"beta", 10.0}, {"head_dim", Index{12}}, {"past_len", Index{90210}}});
    std::vector<double> digits(6);
    field->read({{0, 1}, {0, 6}}, std::span(digits));
    QCOMPARE(digits, (std::vector<double>{0, 1, 2, 0, 9, 0}));
    QCOMPARE(field->value_range(), (std::pair{0.0, 10.0}));
  }

  void the_base_of_rope() {
    // 100^(2/4) = 10; two digits, as there are two pairs.
    const ParameterValues::Map set{{"rope_theta", 100.0}, {"head_dim", Index{4}}, {"q_length", Index{100}}};
    const auto field = table("beta_ary", set);
    QCOMPARE(field->extent(), (Extent{100, 2}));
    QCOMPARE(field->at(37, 0), 7.0);
    QCOMPARE(field->at(37, 1), 3.0);
    // 1000^(2/6) is 10 too.
    QCOMPARE(table("beta_ary", {{"rope_theta", 1000.0}, {"head_dim", Index{6}}})->at(10, 0), 0.0);
    const Method& method = *find_method(encoding_methods(), "beta_ary");
    const auto used = method.in_force(default_values(method.parameters));
    QVERIFY(is_near(used.real("beta"), std::pow(10000.0, 1.0 / 64), 1e-15));
  }

  void cells_agree_with_the_definition() {
    Random random(1);
    for (int i = 0; i < 40; ++i) {
      const Index d = 2 * pick(random, 1, 32);
      const double given = pick(random, 0, 1) == 0 ? 0 : static_cast<double>(pick(random, 2, 16)) * 0.75;
      const double theta = std::pow(10.0, static_cast<double>(pick(random, 1, 6))) + 0.5;
      const Index past = pick(random, 0, 1) * pick(random, 0, 1 << 24);
      const long double beta = given != 0 ? static_cast<long double>(given)
                                          : std::pow(static_cast<long double>(theta), 2 / static_cast<long double>(d));
      const auto field = table(
          "beta_ary",
          {{"head_dim", d}, {"beta", given}, {"rope_theta", theta}, {"past_len", past}, {"q_length", Index{300}}});
      const auto wrong = table_differs(
          *field, random_tile_grid(random, field->extent()),
          [&](Index q, Index col) {
            const long double shifted = std::floor(static_cast<long double>(past + q) / std::pow(beta, col));
            return static_cast<double>(shifted - beta * std::floor(shifted / beta));
          },
          1e-9);
      QVERIFY2(wrong.empty(), wrong.c_str());
      for (Index q = 0; q < 300; q += 17)
        for (Index m = 1; m <= d / 2; ++m)
          QCOMPARE(field->at(q, m - 1), beta_digit(static_cast<long double>(past + q), m, beta));
    }
  }

  void whole_bases_give_the_number_back() {
    const auto field = table("beta_ary", {{"beta", 7.0}, {"head_dim", Index{32}}, {"past_len", Index{123456789}}});
    for (Index q = 0; q < 500; q += 31) {
      long double number = 0;
      for (Index m = 15; m >= 0; --m) number = 7 * number + field->at(q, m);
      QCOMPARE(static_cast<Index>(number), 123456789 + q);
    }
  }

  void reports_and_errors() {
    const auto field = table("beta_ary", {{"beta", 10.0}, {"q_length", Index{5000}}});
    COMPARE_TEXT(field->report(4321, 1).why, "floor(4\u202f321 / 10^1) = 432, modulo 10 is 2");
    QCOMPARE(field->report(4321, 1).facts[3], (std::pair<std::string, std::string>("changes every", "10 tokens")));
    COMPARE_ERROR(table_result("beta_ary", {{"beta", 1.0}}),
                  "beta is 1 but must be above 1, or 0 for rope_theta^(2/head_dim)");
    COMPARE_ERROR(table_result("beta_ary", {{"rope_theta", 1.0}}), "rope_theta is 1 but must be above 1");
    COMPARE_ERROR(table_result("beta_ary", {{"head_dim", Index{7}}}), "head_dim is 7 but must be even");
  }
};

VQSCOPE_TEST(BetaAryTest)
#include "beta_ary_test.moc"
