// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/table/table_values.h"

#include "tests/core/encoding/table_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const ParameterValues::Map zero{{"scale_origin", std::string("zero")}};
constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

class XposScaleTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    // d = 2: one pair with ζ = 0.4 · 2 / 2.8 = 2/7.
    ParameterValues::Map set{{"head_dim", Index{2}}, {"scale_base", 4.0}, {"q_length", Index{9}}};
    set.insert(zero.begin(), zero.end());
    QVERIFY(is_near(table("xpos_scale", set)->at(8, 0), 4.0 / 49, 1e-15));
    set["side"] = std::string("key");
    QVERIFY(is_near(table("xpos_scale", set)->at(8, 0), 49.0 / 4, 1e-14));
  }

  void torchscale_centres_by_floor() {
    // min_pos = -T // 2, which Python rounds down: -5 for 9 and for 10.
    for (const auto& [q, past] : {std::pair<Index, Index>{9, 0}, {10, 0}, {4, 5}, {1, 9}}) {
      const auto field = table("xpos_scale", {{"q_length", q}, {"past_len", past}, {"head_dim", Index{4}}});
      for (Index row = 0; row < q; ++row) {
        const double p = static_cast<double>(past + row - 5);
        for (Index pair = 0; pair < 2; ++pair)
          QVERIFY(
              is_near(field->at(row, pair), std::pow((2.0 * static_cast<double>(pair) + 1.6) / 5.6, p / 512), 1e-14));
      }
    }
  }

  void a_query_times_a_key_is_the_score() {
    const auto query = table("xpos_scale", {{"q_length", Index{100}}});
    const auto key = table("xpos_scale", {{"q_length", Index{100}}, {"side", std::string("key")}});
    for (Index pair = 0; pair < 64; pair += 9) {
      const double zeta = (2 * static_cast<double>(pair) + 51.2) / 179.2;
      QVERIFY(is_near(query->at(90, pair) * key->at(20, pair), std::pow(zeta, 70.0 / 512), 1e-13));
    }
  }

  void cells_and_sums_agree_with_the_definition() {
    Random random(1);
    for (int i = 0; i < 60; ++i) {
      const bool centred = pick(random, 0, 1) == 0;
      const bool query = pick(random, 0, 1) == 0;
      const Index d = 2 * pick(random, 1, 20);
      const Index past = pick(random, 0, 1) * pick(random, 0, 300);
      const Index q = pick(random, 1, 400);
      const double base = static_cast<double>(pick(random, 40, 900));
      const auto field = table("xpos_scale", {{"q_length", q},
                                              {"past_len", past},
                                              {"head_dim", d},
                                              {"scale_base", base},
                                              {"side", std::string(query ? "query" : "key")},
                                              {"scale_origin", std::string(centred ? "centred" : "zero")}});
      const Index origin = centred ? (q + past + 1) / 2 : 0;
      const auto wrong = table_differs(
          *field, random_tile_grid(random, field->extent()),
          [&](Index row, Index pair) {
            const double zeta =
                (2 * static_cast<double>(pair) + 0.4 * static_cast<double>(d)) / (1.4 * static_cast<double>(d));
            return std::pow(zeta, (query ? 1 : -1) * static_cast<double>(past + row - origin) / base);
          },
          1e-11);
      QVERIFY2(wrong.empty(), wrong.c_str());
    }
  }

  void values_beyond_float32_are_named() {
    const Index length = Index{1} << 21;
    const auto field = table("xpos_scale", {{"q_length", length}});
    std::vector<float> cells(2);
    field->read({{0, 1}, {0, 1}}, std::span(cells).first(1));
    field->read({{length - 1, length}, {0, 1}}, std::span(cells).last(1));
    QCOMPARE(cells, (std::vector<float>{infinity, 0}));
    COMPARE_TEXT(
        field->report(0, 0).why,
        "ζ 0.285714 to the power −1\u202f048\u202f576/512, position 0 less 1\u202f048\u202f576; 1.78 · 10^1114 is "
        "beyond float32, which has infinity instead");
    COMPARE_TEXT(field->report(0, 0).facts.back().second, "1.78 · 10^1114");
    QVERIFY(shown(field->report(length - 1, 0).why).endsWith("is beyond float32, which has 0 instead"));
    const auto [low, high] = field->value_range();
    QCOMPARE(low, 0.0);
    QCOMPARE(high, static_cast<double>(std::numeric_limits<float>::max()));
    Summary summary;
    QVERIFY(field->summarize({{0, length / 2, length}, {0, 64}}, {.exact_only = true, .threads = 2}, summary));
    QVERIFY(summary.exact);
    QCOMPARE(summary.mean[0], infinity);
    QCOMPARE(summary.min[0], static_cast<float>(field->at(length / 2 - 1, 63)));
    QCOMPARE(summary.max[1], 1.0F);
    QCOMPARE(summary.min[1], 0.0F);
    // From position T/2 on the sums are those of the whole series, Σ 1 / (1 - ζ^(1/512)), to what
    // no double shows.
    double sum = 0;
    for (int i = 0; i < 64; ++i) sum += -1 / std::expm1(std::log((2.0 * i + 51.2) / 179.2) / 512);
    QVERIFY(is_near(static_cast<double>(summary.mean[1]) * 64 * static_cast<double>(length / 2) / sum, 1, 2e-7));
  }

  void reports_marks_and_errors() {
    ParameterValues::Map set = zero;
    const auto field = table("xpos_scale", set);
    COMPARE_TEXT(field->report(100, 3).why, "ζ 0.319196 to the power 100/512");
    QVERIFY(field->marks().empty());
    const auto centred = table("xpos_scale", {{"q_length", Index{10}}, {"side", std::string("key")}});
    COMPARE_TEXT(centred->report(2, 0).why, "ζ 0.285714 to the power 3/512, position 2 less 5");
    COMPARE_TEXT(centred->report(7, 0).why, "ζ 0.285714 to the power −2/512, position 7 less 5");
    QCOMPARE(centred->marks().front().at, 5.0);
    COMPARE_TEXT(centred->marks().front().label, "scale 1 at position 5");
    COMPARE_ERROR(table_result("xpos_scale", {{"head_dim", Index{3}}}), "head_dim is 3 but must be even");
    COMPARE_ERROR(table_result("xpos_scale", {{"side", std::string("value")}}),
                  "side is value but must be one of query, key");
  }
};

VQSCOPE_TEST(XposScaleTest)
#include "xpos_scale_test.moc"
