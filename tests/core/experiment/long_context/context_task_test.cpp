// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/long_context/context_curves.h"
#include "core/experiment/long_context/context_score.h"
#include "core/experiment/verdict/experiment_verdicts.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

MemorySetting some_setting(std::uint64_t seed = 5) {
  return {.q_length = 2048,
          .d_k = 32,
          .d_v = 8,
          .segment_len = 128,
          .match_cosine = 0.9,
          .clusters = 8,
          .spread = 0.3,
          .seed = seed};
}

const TaskSizes some_sizes{.fact_distance = 512, .copy_distance = 20};

TaskTokens task_of(ContextTask task, std::uint64_t seed = 5) { return {task, some_setting(seed), some_sizes, {}}; }

double similarity(const MemoryTokens& tokens, Index query, Index key) {
  const float *q = tokens.queries.data() + query * tokens.d_k, *k = tokens.keys.data() + key * tokens.d_k;
  double qq = 0, kk = 0, qk = 0;
  for (Index c = 0; c < tokens.d_k; ++c) {
    qq += double(q[c]) * double(q[c]);
    kk += double(k[c]) * double(k[c]);
    qk += double(q[c]) * double(k[c]);
  }
  return qk / std::sqrt(qq * kk);
}

/// The token before `end` whose key is most similar to the query.
Index most_similar(const MemoryTokens& tokens, Index query, Index end) {
  Index best = 0;
  for (Index key = 1; key < end; ++key)
    if (similarity(tokens, query, key) > similarity(tokens, query, best)) best = key;
  return best;
}

std::vector<double> value_of(const MemoryTokens& tokens, Index token) {
  return {tokens.values.begin() + token * tokens.d_v, tokens.values.begin() + (token + 1) * tokens.d_v};
}

ParameterValues::Map quick(ParameterValues::Map set) {
  for (const auto& [name, value] : ParameterValues::Map{{"q_length", Index{4096}},
                                                        {"window", Index{256}},
                                                        {"segment_len", Index{256}},
                                                        {"xl_memory_len", Index{128}},
                                                        {"compressed_len", Index{128}},
                                                        {"memory_len", Index{2048}},
                                                        {"fact_distance", Index{2048}}})
    set.try_emplace(name, value);
  return set;
}

}  // namespace

class ContextTaskTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void the_answer_of_a_fact_is_the_value_of_the_key_it_resembles() {
    const TaskTokens task = task_of(ContextTask::far_fact);
    for (const Index token : {300, 1000, 2047}) {
      const Index begin = token / 128 * 128, fact = most_similar(task.tokens(), token, token + 1);
      QVERIFY(fact < begin && fact >= begin - 512);
      QCOMPARE(task.answer(token), value_of(task.tokens(), fact));
      QVERIFY(std::abs(similarity(task.tokens(), token, fact) - 0.9) < 0.1);
    }
    QCOMPARE(task.unavoidable(1000), 0.0);
  }

  void a_copy_is_a_value_at_a_distance() {
    const TaskTokens task = task_of(ContextTask::local_copy);
    QCOMPARE(task.copied_distance(), Index{20});
    QVERIFY(!task.asks(19) && task.asks(20));
    QCOMPARE(task.answer(500), value_of(task.tokens(), 480));
  }

  /// Half of the tokens that rest has have no answer, and the sink is nearer to these than any other key.
  void rest_asks_for_nothing_or_a_near_key() {
    const TaskTokens task = task_of(ContextTask::rest);
    QCOMPARE(value_of(task.tokens(), 0), std::vector<double>(8, 0));
    int nothing = 0;
    for (Index token = 1000; token < 1100; ++token) {
      const Index key = most_similar(task.tokens(), token, token);
      const bool asked = task.answer(token) != std::vector<double>(8, 0);
      nothing += !asked;
      if (asked) QVERIFY(task.answer(token) != value_of(task.tokens(), 0));
      if (!asked) QCOMPARE(key, Index{0});
    }
    QVERIFY(nothing > 30 && nothing < 70);
  }

  /// The mean of n values around μ of deviation 1, each with noise of variance 16: the best reader
  /// shrinks it, and its error is the bound that the task states.
  void no_reader_of_a_topic_beats_the_optimum() {
    const MemorySetting setting = some_setting();
    const ContextSizes sizes{.d_k = 32, .d_v = 8, .segment_len = 128};
    double measured = 0, bound = 0;
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const TaskTokens task = task_of(ContextTask::topic_mean, seed);
      ContextOutputs outputs(task.tokens(), sizes, {std::vector<float>(64 * 32), std::vector<float>(64 * 32)},
                             {.systems = {ContextSystem::full}});
      outputs.go_on_to(setting.q_length, {});
      const ContextScoring scoring(task, outputs, 1, {}, {});
      measured += scoring.score(ContextSystem::full).error;
      bound += scoring.optimum();
    }
    QVERIFY2(measured > 0.6 * bound && measured < 2 * bound, qPrintable(QString("%1 %2").arg(measured).arg(bound)));
  }

  void the_same_seed_gives_the_same_tokens() {
    QCOMPARE(task_of(ContextTask::far_fact).tokens().keys, task_of(ContextTask::far_fact).tokens().keys);
    QVERIFY(task_of(ContextTask::far_fact).tokens().keys != task_of(ContextTask::far_fact, 6).tokens().keys);
  }

  /// What each system is for: the reasons for which it was made.
  void every_system_shows_what_it_is_for() {
    const CurveSet set = *curves_of("long_context_costs", quick({}));
    COMPARE_TEXT(incomplete(set), "");
    QCOMPARE(set.x_names, (std::vector<std::string>{"fact", "copy", "topic", "rest"}));
    const auto error = [&](const char* system, std::size_t task) {
      return std::ranges::find(set.curves, system, &Curve::name)->y[task];
    };
    QVERIFY(error("full", 0) < 0.01 && error("memorizing", 0) < 0.01 && error("window", 0) > 0.8);
    QVERIFY(error("clustered", 0) < 0.6 && error("vq", 0) > 0.8);
    QVERIFY(error("transformer_xl", 1) < 0.001 && error("window", 1) < 0.001 && error("vq", 1) < 0.001);
    QVERIFY(error("memorizing", 1) > 0.1 && error("infini_linear", 1) > 0.1);
    QVERIFY(error("vq", 2) < error("optimum", 2) + 0.1 && error("window", 2) > 2 * error("vq", 2));
    QVERIFY(error("compressive", 2) < error("transformer_xl", 2));
    QVERIFY(error("infini_delta", 2) < 0.8 * error("transformer_xl", 2));
    QVERIFY(error("sinks", 3) < 0.05 && error("window", 3) > 0.2);
  }

  void verdicts() {
    const auto verdict = experiment_verdict("long_context_costs");
    CurveSet tasks{.x = {0, 1},
                   .curves = {{"full", {0, 0}}, {"window", {0.9, 0.05}}, {"vq", {1, 0.2}}, {"optimum", {0, 0}}},
                   .x_names = {"fact", "copy"}};
    tasks.facts = {{"full_bytes", 1048576}, {"window_bytes", 2048}, {"vq_bytes", 1024}};
    COMPARE_TEXT(verdict(tasks),
                 "systems with the least memory within 0.1 of the best possible error: full for fact (1 MiB) and "
                 "window for copy (2 KiB)");
    const CurveSet plane{.x_name = "bytes",
                         .x = {1024, 2048, 4096},
                         .curves = {{"vq", {0.5, 0.4, no_value}}, {"window", {no_value, 0.7, 0.2}}},
                         .names_at_points = true};
    COMPARE_TEXT(verdict(plane),
                 "no system has less error for less memory than vq (0.4 with 2 KiB) and window (0.2 with 4 KiB)");
  }

  /// Every system has a point for each size of its memory, and a value only there.
  void errors_against_a_cost() {
    const CurveSet set =
        *curves_of("long_context_costs", quick({{"quantity", std::string("error_by_bytes")},
                                                {"task", std::string("topic_mean")},
                                                {"systems", std::vector<std::string>{"full", "vq", "window"}}}));
    QVERIFY(set.names_at_points);
    QVERIFY(std::ranges::is_sorted(set.x));
    const std::map<std::string, int> points{{"full", 1}, {"vq", 5}, {"window", 5}};
    for (const Curve& curve : set.curves) {
      QCOMPARE(curve.y.size(), set.x.size());
      QCOMPARE(int(std::ranges::count_if(curve.y, [](double y) { return std::isfinite(y); })), points.at(curve.name));
    }
    QCOMPARE(set.levels.size(), std::size_t{1});
  }

  /// Tasks have gates and scales of their own; a scale that is set is used.
  void what_is_fitted_is_told() {
    const auto fitted = *curves_of("long_context_costs", quick({{"task", std::string("far_fact")}}));
    const auto fact = [](const CurveSet& set, const std::string& name) {
      return std::ranges::find(set.facts, name, &std::pair<std::string, double>::first)->second;
    };
    QVERIFY(fact(fitted, "memorizing_gate") > 0.9);
    const auto set = *curves_of("long_context_costs", quick({{"task", std::string("far_fact")}, {"sharpness", 1.5}}));
    QCOMPARE(fact(set, "full_sharpness"), 1.5);
  }
};

VQSCOPE_TEST(ContextTaskTest)
#include "context_task_test.moc"
