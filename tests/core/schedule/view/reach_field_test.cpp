// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/view/reach_field.h"

#include "core/method/method_list.h"
#include "core/schedule/methods.h"
#include "tests/core/schedule/reach/boolean_reach.h"
#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const Method& method() { return *find_method(schedule_methods(), "layer_reach"); }

ParameterValues field_values(const ParameterValues::Map& set) { return default_values(method().parameters, set); }

std::shared_ptr<const Field> field_of(const ParameterValues::Map& set) {
  return make_field(method(), field_values(set)).value();
}

double field_fact(const Field& field, std::string_view name) {
  for (const auto& [each, value] : field.facts({}))
    if (each == name) return value;
  return -1;
}

using Text = std::string;

}  // namespace

class ReachFieldTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void cells_by_hand() {
    const auto field = field_of({{"layers", Text("2*sliding:3,full")},
                                 {"num_hidden_layers", Index{4}},
                                 {"q_length", Index{8}},
                                 {"query", Index{6}}});
    const int expected[4][8]{
        {0, 0, 0, 0, 2, 2, 2, 0}, {0, 0, 1, 1, 2, 2, 2, 0}, {2, 2, 2, 2, 2, 2, 2, 0}, {1, 1, 1, 1, 2, 2, 2, 0}};
    for (Index l = 0; l < 4; ++l)
      for (Index k = 0; k < 8; ++k) QCOMPARE(field->at(l, k), expected[l][k] * 1.0);
    COMPARE_TEXT(field->report(3, 0).why, "since layer 2; a shortest path: token 0 → layer 2 → token 6");
    COMPARE_TEXT(field->report(1, 0).why, "token 0 reaches query 6 from layer 2 on, not yet here");
    COMPARE_TEXT(field->report(1, 7).why, "token 7 does not reach query 6 through 4 layers");
    QCOMPARE(field_fact(*field, "tokens"), 7.0);
  }

  void selections() {
    const auto field = field_of({{"layers", Text("sparse:2 window=2")},
                                 {"num_hidden_layers", Index{1}},
                                 {"q_length", Index{6}},
                                 {"query", Index{5}}});
    const double expected[]{4, 4, 4, 4, 2, 2};
    for (Index k = 0; k < 6; ++k) QCOMPARE(field->at(0, k), expected[k]);
    QCOMPARE(field_fact(*field, "tokens_possible"), 4.0);
    COMPARE_TEXT(field->report(0, 0).why,
                 "possible since layer 0, if indexers select what is on the path; a shortest path: token 0 → layer 0 → "
                 "token 5");
  }

  void documents_and_cache() {
    const ParameterValues::Map packed{{"layers", Text("sliding:4,state,full")},
                                      {"num_hidden_layers", Index{0}},
                                      {"q_length", Index{4}},
                                      {"past_len", Index{8}},
                                      {"padding", Index{2}},
                                      {"padding_side", Text("right")},
                                      {"document_lengths", std::vector<Index>{5, 5}}};
    // Padding is the last two of 12 tokens: the query is token 9, in the second document.
    const auto field = field_of(packed);
    QCOMPARE(field_fact(*field, "query"), 9.0);
    QCOMPARE(field_fact(*field, "tokens_of_other_documents"), 5.0);
    QCOMPARE(field->at(0, 5), 0.0);
    QCOMPARE(field->at(1, 4), 3.0);
    auto reset = packed;
    reset["document_rule"] = std::vector<std::string>{"full", "sliding", "state"};
    QCOMPARE(field_fact(*field_of(reset), "tokens_of_other_documents"), 0.0);
    reset["crossing_layers"] = std::vector<Index>{2};
    QCOMPARE(field_fact(*field_of(reset), "tokens_of_other_documents"), 5.0);
  }

  void summaries_agree_with_single_cells() {
    Random random(9);
    for (int round = 0; round < 60; ++round) {
      const LayerSchedule schedule = random_layers(random, 9);
      const SequenceOfLayers sequence = random_sequence(random, schedule, 40);
      const auto sight = LayerSight::make(schedule, sequence).value();
      const ReachField field(sight, LayerReach::make(sight, pick(random, 0, sequence.length - 1)).value());
      COMPARE_TEXT(summary_differs(field, random_tile_grid(random, field.extent())), "");
    }
  }

  void bad_input() {
    COMPARE_ERROR(make_field(method(), field_values({{"q_length", Index{8}}, {"query", Index{8}}})),
                  "query is 8 but must be -1 to 7");
    COMPARE_ERROR(make_field(method(), field_values({{"layers", Text("ful")}})),
                  "layers, item 1 (ful): unknown kind ful; did you mean full? (full, sliding:N, chunked:N, sparse:N, "
                  "compressed:N, state, none)");
    COMPARE_ERROR(make_field(method(), field_values({{"num_hidden_layers", Index{2}},
                                                     {"crossing_layers", std::vector<Index>{2}}})),
                  "crossing_layers has 2 but must be from 0 to 1, the last layer");
  }

  void remarks() {
    COMPARE_TEXT(
        method().remark(field_values({{"layers", Text("chunked:8")}, {"q_length", Index{20}}}), {}),
        "Tokens 0 to 15 never reach query 19: The model has 62 chunked layers and none that leaves its chunk; 16 "
        "of 19 earlier tokens have no path to the query at any depth");
  }
};

VQSCOPE_TEST(ReachFieldTest)
#include "reach_field_test.moc"
