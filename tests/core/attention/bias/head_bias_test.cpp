// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/bias/local_bias.h"

#include "tests/core/attention/forms/attention_definition.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Floats = std::vector<float>;

/// The bias added to zero scores of keys of a query.
Floats added(const HeadBias& bias, Index query, Range keys, const float* relative = nullptr) {
  Floats scores(static_cast<std::size_t>(keys.size()));
  bias.add(query, keys, relative, best_kernels(), scores.data());
  return scores;
}

}  // namespace

class HeadBiasTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Window 2: distance 0 has 10, 1 has 11, 2 has 12, all beyond 99.
  void distances_by_hand() {
    const HeadBias bias({.window = 2, .values = {10, 11, 12}, .beyond = {99}}, 0, 4);
    QVERIFY(!bias.none());
    QCOMPARE(bias.beyond(), 99.0F);
    QCOMPARE(added(bias, 4, {0, 5}), (Floats{99, 99, 12, 11, 10}));
    QCOMPARE(added(bias, 4, {3, 5}), (Floats{11, 10}));
    QCOMPARE(added(bias, 4, {0, 2}), (Floats{99, 99}));
    QCOMPARE(added(bias, 0, {0, 1}), Floats{10});
    QVERIFY(added(bias, 4, {4, 4}).empty());
  }

  void a_window_longer_than_the_sequence() {
    const HeadBias bias({.window = 9, .values = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, .beyond = {99}}, 0, 4);
    QCOMPARE(added(bias, 3, {0, 4}), (Floats{3, 2, 1, 0}));
  }

  void biases_are_per_head_or_shared() {
    const LocalBias each{.window = 1, .values = {1, 2, 10, 20}, .beyond = {5, 50}};
    QCOMPARE(added(HeadBias(each, 0, 4), 2, {0, 3}), (Floats{5, 2, 1}));
    QCOMPARE(added(HeadBias(each, 1, 4), 2, {0, 3}), (Floats{50, 20, 10}));
    const LocalBias one{.window = 1, .values = {1, 2}, .beyond = {5}};
    QCOMPARE(added(HeadBias(one, 3, 4), 2, {0, 3}), (Floats{5, 2, 1}));
  }

  void empty_bias_adds_zero() {
    const HeadBias none({}, 0, 4);
    QVERIFY(none.none());
    QCOMPARE(added(none, 2, {0, 3}), (Floats{0, 0, 0}));
    const Floats queries(8, 1.0F);
    Scratch scratch;
    QVERIFY(!none.relative_scores({queries.data(), 2, 4, 4}, scratch, best_kernels()));
  }

  void minus_infinity_hides_keys_beyond_the_window() {
    const float infinity = std::numeric_limits<float>::infinity();
    const HeadBias bias({.window = 0, .values = {0}, .beyond = {-infinity}}, 0, 4);
    QCOMPARE(added(bias, 2, {0, 3}), (Floats{-infinity, -infinity, 0}));
  }

  /// Transformer-XL: (q + offset) · r[distance]; with d_k = 2, q = (1, 2), offset (1, 0), r[0] = (1, 1), r[1] = (3,
  /// -1).
  void relative_vectors_by_hand() {
    const HeadBias bias({.window = 1, .relative = {1, 1, 3, -1}, .offset = {1, 0}}, 0, 2);
    QCOMPARE(bias.row_size(), Index{2});
    const Floats query{1, 2};
    Scratch scratch;
    const float* relative = bias.relative_scores({query.data(), 1, 2, 2}, scratch, best_kernels());
    QCOMPARE((Floats{relative[0], relative[1]}), (Floats{4, 4}));  // distances 1: 2·3 - 2, and 0: 2 + 2
    QCOMPARE(added(bias, 3, {0, 4}, relative), (Floats{0, 0, 4, 4}));
  }

  /// Both kinds at once, for any head and any segment of keys.
  void the_definition() {
    Random random(1);
    for (int round = 0; round < 200; ++round) {
      const Index heads = pick(random, 1, 3), length = pick(random, 1, 40), d_k = pick(random, 1, 9);
      AttentionSample sample({.length = length, .heads = heads, .d_k = d_k, .d_v = 1}, random());
      const Index window = pick(random, 0, 45);
      sample.bias = random_bias(window, pick(random, 0, 1) ? heads : 1, random());
      if (pick(random, 0, 1)) sample.bias.relative = random_relative_bias(window, d_k, random()).relative;
      if (!sample.bias.relative.empty() && pick(random, 0, 1))
        sample.bias.offset = random_relative_bias(window, d_k, random()).offset;
      const AttentionInput with = sample.input();
      AttentionInput without = with;
      without.bias = {};
      const AttentionOptions options{.form = AttentionForm::exact};
      const AttentionDefinition biased(with, options), plain(without, options);
      const Index head = pick(random, 0, heads - 1), query = pick(random, 0, length - 1);
      const HeadBias bias(sample.bias, head, d_k);
      Scratch scratch;
      const float* relative = bias.relative_scores(with.q.matrix(head, {query, query + 1}), scratch, best_kernels());
      const Index begin = pick(random, 0, query);
      const auto got = added(bias, query, {begin, query + 1}, relative);
      std::vector<double> wanted;
      for (Index key = begin; key <= query; ++key)
        wanted.push_back(biased.score(head, query, key) - plain.score(head, query, key));
      COMPARE_TEXT(farther(got, wanted, 1e-5, Floats{5}), "");
    }
  }
};

VQSCOPE_TEST(HeadBiasTest)
#include "head_bias_test.moc"
