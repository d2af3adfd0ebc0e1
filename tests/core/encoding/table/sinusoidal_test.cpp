// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/encoding/table_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

double definition(Index position, Index dimension, Index d, double base, bool interleaved) {
  const Index pair = interleaved ? dimension / 2 : dimension % (d / 2);
  const bool sine = interleaved ? dimension % 2 == 0 : dimension < d / 2;
  const long double angle =
      static_cast<long double>(position) *
      std::pow(static_cast<long double>(base), -2 * static_cast<long double>(pair) / static_cast<long double>(d));
  return static_cast<double>(sine ? std::sin(angle) : std::cos(angle));
}

}  // namespace

class SinusoidalTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // d 4, base 100: pairs turn by 1 and 0.1 a position.
    ParameterValues::Map set{{"d_model", Index{4}}, {"base", 100.0}, {"q_length", Index{8}}};
    const auto row = [](const Field& field, Index q) {
      std::vector<double> cells(4);
      field.read({{q, q + 1}, {0, 4}}, std::span(cells));
      return cells;
    };
    const std::vector<double> first{0, 1, 0, 1};
    QCOMPARE(row(*table("sinusoidal", set), 0), first);
    const auto third = row(*table("sinusoidal", set), 3);
    const std::vector<double> wanted{std::sin(3.0), std::cos(3.0), std::sin(0.3), std::cos(0.3)};
    for (std::size_t i = 0; i < 4; ++i) QVERIFY(std::abs(third[i] - wanted[i]) < 1e-15);
    set["layout"] = std::string("concatenated");
    const auto split = row(*table("sinusoidal", set), 3);
    for (const auto& [at, from] : {std::pair<std::size_t, std::size_t>{0, 0}, {1, 2}, {2, 1}, {3, 3}})
      QVERIFY(std::abs(split[at] - wanted[from]) < 1e-15);
    QCOMPARE(table("sinusoidal", set)->at(0, 0), 0.0);
    QCOMPARE(table("sinusoidal", set)->value_range(), (std::pair{-1.0, 1.0}));
  }

  void cells_agree_with_the_definition() {
    Random random(1);
    for (int i = 0; i < 60; ++i) {
      const Index d = 2 * pick(random, 1, 40);
      const double base = std::pow(10.0, static_cast<double>(pick(random, 1, 6)));
      const bool interleaved = pick(random, 0, 1) == 0;
      const Index past = pick(random, 0, 1) * pick(random, 0, 1 << 20);
      const auto field = table("sinusoidal", {{"d_model", d},
                                              {"base", base},
                                              {"layout", std::string(interleaved ? "interleaved" : "concatenated")},
                                              {"past_len", past},
                                              {"q_length", Index{300}}});
      const TileGrid grid = random_tile_grid(random, field->extent());
      const auto wrong = table_differs(
          *field, grid, [&](Index q, Index col) { return definition(past + q, col, d, base, interleaved); }, 1e-12);
      QVERIFY2(wrong.empty(), wrong.c_str());
    }
  }

  void positions_come_from_the_layout() {
    const auto field = table(
        "sinusoidal", {{"q_length", Index{10}}, {"padding", Index{2}}, {"document_lengths", std::vector<Index>{3, 5}}});
    const std::vector<Index> positions{0, 0, 0, 1, 2, 0, 1, 2, 3, 4};
    for (Index q = 0; q < 10; ++q)
      QVERIFY(std::abs(field->at(q, 0) - std::sin(static_cast<double>(positions[static_cast<std::size_t>(q)]))) <
              1e-15);
  }

  void two_million_positions_are_summed_exactly() {
    const auto field = table("sinusoidal", {{"q_length", Index{2097152}}, {"d_model", Index{8}}});
    Summary summary;
    QVERIFY(field->summarize({{0, 2097152}, {0, 1, 2, 8}}, {.exact_only = true, .threads = 2}, summary));
    QVERIFY(summary.exact);
    // Σ sin(n) = sin((N-1)/2) sin(N/2) / sin(1/2).
    const double n = 2097152;
    QVERIFY(std::abs(static_cast<double>(summary.mean[0]) -
                     std::sin((n - 1) / 2) * std::sin(n / 2) / std::sin(0.5) / n) < 1e-12);
    QCOMPARE(summary.max[0], 1.0F);
    QCOMPARE(summary.min[0], -1.0F);
  }

  void reports_and_errors() {
    const auto field = table("sinusoidal", {{"d_model", Index{4}}, {"base", 100.0}, {"q_length", Index{8192}}});
    const CellReport report = field->report(5000, 2);
    COMPARE_TEXT(report.why, "sin of position 5\u202f000 · 100^(−2/4) = 500 rad");
    const std::vector<std::pair<std::string, std::string>> facts{{"q", "5000"},
                                                                 {"position", "5000"},
                                                                 {"dimension", "2"},
                                                                 {"pair", "1"},
                                                                 {"wavelength", "62.83185 tokens"},
                                                                 {"value", "-0.4677718"}};
    QCOMPARE(report.facts, facts);
    COMPARE_TEXT(field->report(1, 1).why, "cos of position 1 · 100^(−0/4) = 1 rad");
    COMPARE_ERROR(table_result("sinusoidal", {{"d_model", Index{5}}}), "d_model is 5 but must be even");
    COMPARE_ERROR(table_result("sinusoidal", {{"base", 1.0}}), "base is 1 but must be above 1");
    COMPARE_ERROR(table_result("sinusoidal", {{"layout", std::string("halves")}}),
                  "layout is halves but must be one of interleaved, concatenated");
  }
};

VQSCOPE_TEST(SinusoidalTest)
#include "sinusoidal_test.moc"
