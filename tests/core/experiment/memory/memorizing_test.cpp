// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/memory/memory_setting.h"
#include "core/experiment/memory/recall_study.h"
#include "core/experiment/setting/vq_experiment.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/core/io/npy/npy_bytes.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ParameterValues::Map small_memory(const ParameterValues::Map& set = {}) {
  ParameterValues::Map values{{"q_length", Index{160}}, {"segment_len", Index{16}}, {"memory_len", Index{160}},
                              {"top_k", Index{4}},      {"d_k", Index{16}},         {"d_v", Index{4}}};
  for (const auto& [name, value] : set) values.insert_or_assign(name, value);
  return values;
}

const Method& method_of(const char* id) { return *find_method(experiment_methods(), id); }

}  // namespace

class MemorizingTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Whole matches are found as soon as the memory reaches them, and not before.
  void a_larger_memory_finds_more() {
    const auto set = *curves_of("memorizing_recall", small_memory({{"match_cosine", 1.0}}));
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.x, (std::vector<double>{4, 8, 16, 32, 64, 128, 160}));
    const auto planted = curve_of(set, "planted").y;
    QVERIFY(std::is_sorted(planted.begin(), planted.end()));
    QVERIFY(planted.front() < 0.2 && planted.back() == 1.0);
    QCOMPARE(curve_of(set, "bucket_maximum").y.front(), 1.0);  // four keys in four buckets
    // Four keys lie in four buckets at random: 1 - (3/4)^4 of the buckets have one.
    QCOMPARE(set.levels.front().y, 0.68359375);
    QVERIFY(near(curve_of(set, "bucket_maximum").y.back(), 0.68359375, 0.06));
    const auto far = curve_of(set, "far_weight").y;
    QVERIFY(far.front() < far.back() && far.back() <= 1 + 1e-6);
    QCOMPARE(fact_of(set, "queries"), 144.0);
  }

  /// Unlimited retrieval has the whole weight of full attention.
  void unlimited_retrieval_has_the_full_weight() {
    const auto set = *curves_of("memorizing_recall", small_memory({{"recall_against", std::string("top_k")},
                                                                   {"top_k", Index{160}},
                                                                   {"mixing", std::string("joint")}}));
    QVERIFY(near(curve_of(set, "far_weight").y.back(), 1, 1e-5));
    QCOMPARE(curve_of(set, "planted").y.back(), 1.0);
    const auto fractions =
        *curves_of("memorizing_recall", small_memory({{"recall_against", std::string("top_k")},
                                                      {"top_k", Index{160}},
                                                      {"mixing", std::string("joint")},
                                                      {"recall_quantity", std::string("attention")}}));
    QVERIFY(near(curve_of(fractions, "memory").y.back(), fact_of(fractions, "full_far_share"), 1e-5));
    for (std::size_t i = 0; i < fractions.x.size(); ++i)
      QVERIFY(near(curve_of(fractions, "memory").y[i], curve_of(fractions, "memory_if_joint").y[i], 1e-5));
    const auto gated = *curves_of("memorizing_recall", small_memory({{"recall_quantity", std::string("attention")}}));
    for (const double fraction : curve_of(gated, "memory").y) QCOMPARE(fraction, 0.5);
  }

  void far_weights_are_sums_of_exponentials() {
    const std::vector<float> queries{1, 1, 1}, keys{2, 0, -1};
    const auto all = *far_weights(matrix_of(queries, 1), matrix_of(keys, 1), 2, {1, 3});
    QVERIFY(std::isinf(all[0].far_sum) && all[0].fraction() == 0);
    QVERIFY(near(all[1].far_sum, std::log(std::exp(2.0) + 1), 1e-6));
    QVERIFY(near(all[1].local_sum, -1, 1e-6));
    QVERIFY(near(all[1].fraction(), 1 - std::exp(-1.0) / (std::exp(2.0) + 1 + std::exp(-1.0)), 1e-6));
  }

  void costs_by_hand() {
    const auto adds =
        *curves_of("memorizing_recall", small_memory({{"recall_quantity", std::string("multiply_adds")}}));
    QCOMPARE(curve_of(adds, "search").y[0], 4.0 * 16);
    QCOMPARE(curve_of(adds, "search").y.back(), 144.0 * 16);  // the last segment is not in its own memory
    QCOMPARE(curve_of(adds, "attention").y[0], 16.0 * 20 + 4 * 4);
    QCOMPARE(curve_of(adds, "full_attention").y[0], 160.0 * 20);
    const auto bytes = *curves_of("memorizing_recall", small_memory({{"recall_quantity", std::string("bytes")}}));
    QCOMPARE(curve_of(bytes, "memory").y[0], 4.0 * 4 * 20);
  }

  void times_of_a_search() {
    const ParameterValues::Map small{{"memory_len", Index{300}}, {"top_k", Index{4}}, {"d_k", Index{8}}};
    const auto set = *curves_of("memorizing_cost", small);
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.x, (std::vector<double>{64, 128, 256, 300}));
    for (const auto& curve : set.curves)
      for (const double seconds : curve.y) QVERIFY(seconds > 0 && std::isfinite(seconds));
    QVERIFY(near(fact_of(set, "multiply_adds_a_second"), 300 * 8 / curve_of(set, "exact").y.back(), 1e-3));
    COMPARE_TEXT(wrong_parts(reported_sets("memorizing_cost", small), 4), "");
    QVERIFY(stops("memorizing_cost", small));
    COMPARE_ERROR(curves_of("memorizing_cost", {{"memory_len", Index{2}}}),
                  "top_k is 16 but must be 1 to 2, the keys in the memory");
    COMPARE_ERROR(curves_of("memorizing_cost", {{"memory_len", Index{131072}}, {"d_v", Index{4096}}}),
                  "memory_len 131072, d_k 64 and d_v 4096 need 2.03 GiB but must be at most 256 MiB");
  }

  void query_names_retrieved_tokens() {
    auto values = curve_values("memorizing_query",
                               small_memory({{"match_cosine", 1.0}, {"words", std::string("the  quick brown fox")}}));
    const auto set = *make_curves(method_of("memorizing_query"), values);
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.x, (std::vector<double>{1, 2, 3, 4}));
    QVERIFY(std::is_sorted(set.curves[0].y.rbegin(), set.curves[0].y.rend()));
    QCOMPARE(fact_of(set, "query"), 159.0);
    QCOMPARE(fact_of(set, "rank_of_planted_key"), 1.0);
    values.set("retrieved", std::string("position"));
    QCOMPARE(make_curves(method_of("memorizing_query"), values)->curves[0].y[0], fact_of(set, "planted_key"));
    values.set("query", Index{20});
    const auto position = static_cast<Index>(make_curves(method_of("memorizing_query"), values)->curves[0].y[0]);
    const auto remark = method_of("memorizing_query").remark(values, {});
    QVERIFY2(remark.find("Query 20 retrieves " + to_text(position)) == 0, remark.c_str());
    COMPARE_TEXT(token_text(1, words_of(values)), "1 “quick”");
    COMPARE_TEXT(token_text(4, words_of(values)), "4");
    values.set("query", Index{3});
    COMPARE_TEXT(method_of("memorizing_query").remark(values, {}),
                 "Query 3 “fox” is in the first segment, which has no memory.");
  }

  /// Rows sum to 1; only what is local or retrieved has a weight.
  void weights_agree_with_the_definition() {
    for (const char* mixing : {"gate", "joint"}) {
      const auto values =
          curve_values("memorizing_weights", small_memory({{"q_length", Index{60}}, {"mixing", std::string(mixing)}}));
      const auto field = *make_field(method_of("memorizing_weights"), values);
      const auto setting = *retrieval_setting(values);
      const MemoryTokens tokens = memory_tokens(setting.memory);
      const MemoryInput in = tokens.input();
      const RetrievalDefinition definition(in, setting.options);
      for (const Index row : {Index{0}, Index{15}, Index{16}, Index{37}, Index{59}}) {
        const auto expected = definition.weights(0, row);
        for (Index col = 0; col < 60; ++col)
          QVERIFY(near(field->at(row, col), expected[static_cast<std::size_t>(col)], 1e-5));
      }
      COMPARE_TEXT(read_differs(*field, {{3, 50}, {2, 60}}), "");
    }
  }

  void a_cell_explains_itself() {
    const auto field = *make_field(
        method_of("memorizing_weights"),
        curve_values("memorizing_weights",
                     small_memory({{"q_length", Index{60}}, {"memory_len", Index{16}}, {"match_cosine", 0.0}})));
    COMPARE_TEXT(field->report(40, 50).why, "the key comes after the query: causal attention does not see it");
    COMPARE_TEXT(field->report(40, 35).why,
                 "the key is in the query's own segment, which local attention sees from token 32 on");
    COMPARE_TEXT(field->report(40, 3).why, "the key has left the memory, which begins at token 16 here");
    Index retrieved = 16, other = 16;
    while (field->at(40, retrieved) == 0) ++retrieved;
    while (field->at(40, other) > 0) ++other;
    QVERIFY(field->report(40, retrieved).why.find("the query retrieves the key from the memory: rank ") == 0);
    COMPARE_TEXT(field->report(40, other).why,
                 "the key is in the memory, but not among the 4 that the query retrieves");
  }

  /// Segments of two: the best scores of the last query among the four keys before its segment are
  /// 3 and 2.
  void own_tensors() {
    const QTemporaryDir folder;
    const auto file = [&](const char* name, std::vector<float> numbers) {
      const auto bytes = npy_array("<f4", {6, 1}, bytes_of_values(numbers));
      return writtenFile(folder, name, QByteArray::fromStdString(bytes)).toStdString();
    };
    const ParameterValues::Map tensors{{"data", std::string("tensors")},
                                       {"q_tensor", file("q.npy", {0, 0, 0, 0, 0, 1})},
                                       {"k_tensor", file("k.npy", {1, 3, 2, 0, 9, 9})},
                                       {"v_tensor", file("v.npy", {1, 2, 3, 4, 5, 6})},
                                       {"q_length", Index{6}},
                                       {"segment_len", Index{2}},
                                       {"memory_len", Index{4}},
                                       {"top_k", Index{2}},
                                       {"normalize", std::string("none")}};
    const auto values = curve_values("memorizing_query", tensors);
    QCOMPARE(make_curves(method_of("memorizing_query"), values)->curves[0].y, (std::vector<double>{3, 2}));
    COMPARE_TEXT(method_of("memorizing_query").remark(values, {}), "");
    auto named = values;
    named.set("words", std::string("a b"));
    COMPARE_TEXT(method_of("memorizing_query").remark(named, {}), "Query 5 retrieves 1 “b” (score 3), 2 (score 2).");
    const auto set = *curves_of("memorizing_recall", tensors);
    QCOMPARE(set.curves.size(), std::size_t{2});  // nothing is planted
    auto longer = tensors;
    longer.insert_or_assign("q_length", Index{7});
    COMPARE_ERROR(curves_of("memorizing_recall", longer),
                  "q_length is 7 but must be at most 6, the tokens of k_tensor");
  }

  /// One pair, turned by 1 radian per token: the score of queries and keys (1, 0) is the cosine of their distance.
  void own_tensors_are_rotated() {
    const QTemporaryDir folder;
    const auto bytes =
        npy_array("<f4", {6, 2}, bytes_of_values(std::vector<float>{1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0}));
    const auto file = writtenFile(folder, "x.npy", QByteArray::fromStdString(bytes)).toStdString();
    const auto values = curve_values("memorizing_query", {{"data", std::string("tensors")},
                                                          {"q_tensor", file},
                                                          {"k_tensor", file},
                                                          {"v_tensor", file},
                                                          {"q_length", Index{6}},
                                                          {"segment_len", Index{2}},
                                                          {"memory_len", Index{4}},
                                                          {"top_k", Index{4}},
                                                          {"rope_type", std::string("default")},
                                                          {"normalize", std::string("none")}});
    const std::vector<double> y = make_curves(method_of("memorizing_query"), values)->curves[0].y;
    QCOMPARE(y.size(), std::size_t{4});
    for (const auto& [rank, distance] : {std::pair(0U, 5), {1U, 2}, {2U, 4}, {3U, 3}})
      QVERIFY2(std::abs(y[rank] - std::cos(distance)) < 1e-6, std::to_string(y[rank]).c_str());
    COMPARE_TEXT(method_of("memorizing_query").remark(values, {}),
                 "q and k are rotated by RoPE: default, rope_theta 10000.");
    const MemorySetting setting = memory_setting(values).value();
    const MemoryTokens tokens = memory_tokens(setting);
    QVERIFY(tokens.keys != tokens.stored_keys() && tokens.stored_keys() == setting.tokens->keys);
    QVERIFY(tokens.stored_queries() == setting.tokens->queries);
  }

  void progress_parts_and_stops() {
    COMPARE_TEXT(wrong_parts(reported_sets("memorizing_recall", small_memory()), 7), "");
    for (const char* id : {"memorizing_recall", "memorizing_query"}) QVERIFY(stops(id, small_memory()));
    double last = 0;
    QVERIFY(make_curves(method_of("memorizing_recall"), curve_values("memorizing_recall", small_memory()),
                        {[&](double fraction) { last = fraction; }, {}}));
    QCOMPARE(last, 1.0);
    std::stop_source source;
    source.request_stop();
    const auto field = *make_field(method_of("memorizing_weights"), curve_values("memorizing_weights", small_memory()));
    QCOMPARE(field->prepare({.progress = {}, .stop = source.get_token()}).error().code, Errc::cancelled);
  }

  void bad_input() {
    COMPARE_ERROR(curves_of("memorizing_recall", small_memory({{"top_k", Index{200}}})),
                  "top_k is 200 but must be 1 to 160, the keys in the memory");
    COMPARE_ERROR(curves_of("memorizing_recall", small_memory({{"segment_len", Index{161}}})),
                  "segment_len is 161 but must be 1 to 160, the number of tokens");
    COMPARE_ERROR(curves_of("memorizing_recall", small_memory({{"segment_len", Index{0}}})),
                  "segment_len is 0 but must be an integer from 1 to 131072");
    COMPARE_ERROR(curves_of("memorizing_recall", small_memory({{"segment_len", Index{160}}})),
                  "segment_len is 160 but must be below q_length = 160: the first segment has no memory");
    COMPARE_ERROR(curves_of("memorizing_query", small_memory({{"query", Index{160}}})),
                  "query is 160 but must be below 160, the number of tokens");
    COMPARE_ERROR(
        curves_of("memorizing_recall",
                  {{"q_length", Index{131072}}, {"d_k", Index{512}}, {"d_v", Index{4096}}, {"top_k", Index{1}}}),
        "q_length 131072, d_k 512 and d_v 4096 need 2.5 GiB but must be at most 256 MiB");
    COMPARE_ERROR(
        make_field(method_of("memorizing_weights"), curve_values("memorizing_weights", {{"q_length", Index{16385}}})),
        "q_length is 16385 but must be at most 16384 for weights: every query is computed before the first cell "
        "is shown");
    COMPARE_ERROR(curves_of("memorizing_recall", small_memory({{"data", std::string("tensors")}})),
                  "k_tensor is empty but must name a tensor while data is tensors: FILE or FILE:NAME[layer,head]");
  }
};

VQSCOPE_TEST(MemorizingTest)
#include "memorizing_test.moc"
