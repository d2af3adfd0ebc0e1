// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/score/score_values.h"

#include "core/base/sentence.h"
#include "core/method/curve_set.h"
#include "tests/core/encoding/bias_cases.h"
#include "tests/core/encoding/table_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <map>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const char* const encodings[] = {
    "alibi",        "kerple_log",           "kerple_power", "sandwich", "t5_bias", "xpos_score", "rope_score_field",
    "rerope_score", "sinusoidal_similarity"};

ParameterValues::Map with(const char* encoding, ParameterValues::Map set = {}) {
  set["encoding"] = std::string(encoding);
  return set;
}

}  // namespace

class RandomizedPositionsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void samples_ascend_and_can_be_all_positions() {
    QCOMPARE(drawn_positions(5, 5, 9), (std::vector<Index>{0, 1, 2, 3, 4}));
    Random random(1);
    for (int i = 0; i < 200; ++i) {
      const Index most = pick(random, 1, 300);
      const Index count = pick(random, 1, most);
      const auto drawn = drawn_positions(count, most, static_cast<std::uint64_t>(i));
      QCOMPARE(static_cast<Index>(drawn.size()), count);
      QVERIFY(drawn.front() >= 0 && drawn.back() < most);
      for (std::size_t k = 1; k < drawn.size(); ++k) QVERIFY(drawn[k] > drawn[k - 1]);
    }
  }

  /// The ten pairs of five positions come as often as each other: 2000 of 20000, give or take five
  /// times 42.
  void every_choice_is_equally_likely() {
    std::map<std::pair<Index, Index>, int> seen;
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
      const auto drawn = drawn_positions(2, 5, seed);
      ++seen[{drawn[0], drawn[1]}];
    }
    QCOMPARE(seen.size(), std::size_t{10});
    for (const auto& [pair, count] : seen) QVERIFY2(std::abs(count - 2000) < 210, qPrintable(QString::number(count)));
  }

  void distances_by_hand() {
    const auto drawn = drawn_positions(4, 9, 3);
    const auto field = table("randomized_positions",
                             {{"q_length", Index{4}}, {"noise_max_length", Index{9}}, {"position_seed", Index{3}}});
    QCOMPARE(field->extent(), (Extent{4, 4}));
    for (Index q = 0; q < 4; ++q)
      for (Index k = 0; k < 4; ++k)
        QCOMPARE(field->at(q, k),
                 static_cast<double>(drawn[static_cast<std::size_t>(k)] - drawn[static_cast<std::size_t>(q)]));
    const double reach = static_cast<double>(drawn[3] - drawn[0]);
    QCOMPARE(field->value_range(), (std::pair{-reach, reach}));
  }

  void every_encoding_at_the_drawn_positions() {
    Random random(2);
    for (const char* encoding : encodings) {
      const Index length = pick(random, 20, 200);
      const auto drawn = drawn_positions(length, 700, 5);
      const auto plain = relative_field(encoding, {});
      const auto field =
          table("randomized_positions",
                with(encoding, {{"q_length", length}, {"noise_max_length", Index{700}}, {"position_seed", Index{5}}}));
      const auto wrong = table_differs(
          *field, random_tile_grid(random, field->extent()),
          [&](Index q, Index k) {
            return plain->function().at(drawn[static_cast<std::size_t>(k)] - drawn[static_cast<std::size_t>(q)]);
          },
          1e-11);
      QVERIFY2(wrong.empty(), (std::string(encoding) + ": " + wrong).c_str());
    }
  }

  /// With as many positions as tokens nothing is drawn.
  void all_positions_are_the_ordinary_ones() {
    const auto field =
        table("randomized_positions", with("alibi", {{"q_length", Index{50}}, {"noise_max_length", Index{50}}}));
    const auto plain = relative_field("alibi", {{"q_length", Index{50}}});
    for (Index q = 0; q < 50; q += 7)
      for (Index k = 0; k < 50; k += 3) QCOMPARE(field->at(q, k), plain->at(q, k));
  }

  void encodings_bring_their_parameters() {
    const Method& method = *find_method(encoding_methods(), "randomized_positions");
    auto values = default_values(method.parameters);
    QCOMPARE(parameters_of(method, values).size(), method.parameters.size());
    values.set("encoding", std::string("kerple_log"));
    const auto specs = parameters_of(method, values);
    QVERIFY(find_spec(specs, "r1") && find_spec(specs, "r2") && !find_spec(specs, "past_len"));
    const auto drawn = drawn_positions(512, 2048, 0);
    const auto field = table("randomized_positions", with("kerple_log", {{"r1", 2.0}, {"r2", 0.5}}));
    QVERIFY(is_near(field->at(9, 4), -2 * std::log1p(0.5 * static_cast<double>(drawn[9] - drawn[4])), 1e-14));
  }

  void dynamic_scalings_see_the_last_position() {
    const auto drawn = drawn_positions(512, 20000, 0);
    const auto field =
        table("randomized_positions",
              with("rope_score_field", {{"noise_max_length", Index{20000}}, {"rope_type", std::string("dynamic")}}));
    const auto plain =
        relative_field("rope_score_field", {{"rope_type", std::string("dynamic")}, {"seq_len", drawn.back() + 1}});
    QVERIFY(is_near(field->at(9, 4), plain->function().at(drawn[4] - drawn[9]), 1e-12));
  }

  void curve_shows_the_sampled_positions() {
    const Method& method = *find_method(encoding_methods(), "randomized_position_curve");
    auto values = default_values(method.parameters);
    values.set("q_length", Index{7});
    values.set("noise_max_length", Index{30});
    const auto set = make_curves(method, values).value();
    const auto drawn = drawn_positions(7, 30, 0);
    QCOMPARE(set.x, (std::vector<double>{0, 1, 2, 3, 4, 5, 6}));
    QCOMPARE(set.curves[0].y, std::vector<double>(drawn.begin(), drawn.end()));
    QCOMPARE(set.curves[1].y, set.x);
    QVERIFY(set.exact && set.integer);
    COMPARE_TEXT(set.formula,
                 "sorted sample of 7 of the positions 0 … 29 without replacement; ordinary: position = token");
    QCOMPARE(set.facts[1].second, static_cast<double>(drawn.back()));
  }

  void reports() {
    const auto drawn = drawn_positions(512, 2048, 0);
    const auto text = [](Index value) { return grouped(value); };
    const auto field = table("randomized_positions", with("kerple_log"));
    COMPARE_TEXT(field->report(9, 4).why, "sampled positions " + text(drawn[9]) + " of q and " + text(drawn[4]) +
                                              " of k; k is " + text(drawn[9] - drawn[4]) +
                                              " behind q: −1 · ln(1 + 1 · " + text(drawn[9] - drawn[4]) + ")");
    COMPARE_TEXT(table("randomized_positions", {})->report(4, 4).why,
                 "sampled positions " + text(drawn[4]) + " of q and " + text(drawn[4]) + " of k; k is q");
  }

  void errors() {
    COMPARE_ERROR(table_result("randomized_positions", {{"q_length", Index{2049}}}),
                  "q_length is 2049 but must be at most noise_max_length = 2048: no two tokens share a position");
    COMPARE_ERROR(
        table_result("randomized_positions", {{"q_length", Index{65537}}, {"noise_max_length", Index{1} << 20}}),
        "q_length is 65537 but must be at most 65536 with sampled positions");
    COMPARE_ERROR(table_result("randomized_positions", with("xpos_score", {{"head_dim", Index{3}}})),
                  "head_dim is 3 but must be even");
    std::vector<std::string> ids;
    const auto& specs = find_method(encoding_methods(), "randomized_positions")->parameters;
    for (const auto& choice : find_spec(specs, "encoding")->choices) ids.push_back(choice.id);
    COMPARE_ERROR(table_result("randomized_positions", with("alib")),
                  fmt::format("encoding is alib but must be one of {}; did you mean alibi?", join(ids, ", ")));
  }
};

VQSCOPE_TEST(RandomizedPositionsTest)
#include "randomized_positions_test.moc"
