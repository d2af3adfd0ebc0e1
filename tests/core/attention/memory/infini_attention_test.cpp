// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/infini_attention.h"

#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <numeric>

using namespace vqscope;
using namespace vqscope::test;

namespace {

MemoryInput infini_input(const AttentionSample& sample) {
  const AttentionInput all = sample.input();
  return {all.q, all.k, all.v};
}

/// Rows in another order.
std::vector<float> reordered(const std::vector<float>& rows, Index width, const std::vector<Index>& order) {
  std::vector<float> all;
  for (const Index i : order) all.insert(all.end(), rows.begin() + i * width, rows.begin() + (i + 1) * width);
  return all;
}

/// The memory after `keys` were written in segments.
InfiniMemory stored(const std::vector<float>& keys, const std::vector<float>& values, Index d_k, Index d_v,
                    Index segment_len, InfiniRule rule) {
  InfiniMemory memory(d_k, d_v);
  const Index count = static_cast<Index>(keys.size()) / d_k;
  for (Index i = 0; i < count; i += segment_len) {
    const Index some = std::min(segment_len, count - i);
    memory.write({keys.data() + i * d_k, some, d_k, d_k}, {values.data() + i * d_v, some, d_v, d_v}, rule);
  }
  return memory;
}

double apart(const InfiniMemory& a, const InfiniMemory& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.matrix().size(); ++i) most = std::max(most, std::abs(a.matrix()[i] - b.matrix()[i]));
  return most;
}

}  // namespace

class InfiniAttentionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Keys (0, 1) and (1, 0) have the features (1, 2) and (2, 1); values 3 and 5.
  void two_segments_by_hand() {
    const std::vector<float> keys{0, 1, 1, 0}, values{3, 5}, query{0, 0};
    const auto linear = stored(keys, values, 2, 1, 1, InfiniRule::linear);
    QCOMPARE(linear.matrix(), (std::vector<double>{3 + 10, 6 + 5}));
    QCOMPARE(linear.normaliser(), (std::vector<double>{3, 3}));
    double read = 0;
    linear.read(query.data(), &read);  // features (1, 1)
    QVERIFY(std::abs(read - 24 / 6.0) < 1e-5);
    // The second key reads (2·3 + 1·6) / (2·1 + 1·2) = 3 before it is stored: 5 - 3 is what it
    // adds.
    const auto delta = stored(keys, values, 2, 1, 1, InfiniRule::delta);
    QVERIFY(std::abs(delta.matrix()[0] - 7) < 1e-5 && std::abs(delta.matrix()[1] - 8) < 1e-5);
    QCOMPARE(delta.normaliser(), (std::vector<double>{3, 3}));
    QCOMPARE(delta.stored(), Index{2});
    // In one segment there is no memory to subtract: the rules are one.
    QCOMPARE(stored(keys, values, 2, 1, 2, InfiniRule::delta).matrix(), linear.matrix());
    QCOMPARE(stored(keys, values, 2, 1, 2, InfiniRule::delta_by_token).matrix(), delta.matrix());
  }

  /// Within a segment, the published rules add sums: only a rule that goes token by token depends
  /// on the order. Between segments the delta rule does.
  void order_of_the_tokens() {
    SeededRandom random(5);
    const auto keys = normal_numbers(random, 12 * 4), values = normal_numbers(random, 12 * 3);
    std::vector<Index> within(12), across(12);
    std::iota(within.begin(), within.end(), 0);
    across = within;
    std::reverse(within.begin(), within.begin() + 6);
    std::reverse(across.begin(), across.end());
    const auto change = [&](const std::vector<Index>& order, InfiniRule rule) {
      return apart(stored(keys, values, 4, 3, 6, rule),
                   stored(reordered(keys, 4, order), reordered(values, 3, order), 4, 3, 6, rule));
    };
    QVERIFY(change(within, InfiniRule::linear) < 1e-12);
    QVERIFY(change(within, InfiniRule::delta) < 1e-12);
    QVERIFY(change(within, InfiniRule::delta_by_token) > 0.1);
    QVERIFY(change(across, InfiniRule::linear) < 1e-12);
    QVERIFY(change(across, InfiniRule::delta) > 0.1);
    QVERIFY(change(across, InfiniRule::delta_by_token) > 0.1);
    // The linear rule does not know segments, either.
    QVERIFY(apart(stored(keys, values, 4, 3, 6, InfiniRule::linear),
                  stored(keys, values, 4, 3, 5, InfiniRule::linear)) < 1e-12);
    QVERIFY(apart(stored(keys, values, 4, 3, 6, InfiniRule::delta), stored(keys, values, 4, 3, 5, InfiniRule::delta)) >
            0.1);
  }

  /// A pair that is stored a second time changes nothing under the delta rule where nothing else
  /// was stored.
  void delta_rule_does_not_store_twice() {
    const std::vector<float> keys{0.5F, -1, 0.5F, -1}, values{2, -3, 2, -3};
    const auto once = stored({0.5F, -1}, {2, -3}, 2, 2, 1, InfiniRule::delta);
    QVERIFY(apart(once, stored(keys, values, 2, 2, 1, InfiniRule::delta)) < 1e-5);
    QVERIFY(apart(once, stored(keys, values, 2, 2, 1, InfiniRule::linear)) > 0.5);
  }

  void segments_equal_the_direct_sum() {
    Random random(2);
    for (int round = 0; round < 20; ++round) {
      const Index kv_heads = pick(random, 1, 2), length = pick(random, 3, 150);
      const AttentionSample sample(
          {.length = length, .heads = kv_heads * pick(random, 1, 2), .kv_heads = kv_heads, .d_k = pick(random, 2, 9)},
          static_cast<std::uint64_t>(round));
      const MemoryInput in = infini_input(sample);
      const InfiniOptions options{.segment_len = pick(random, 1, length),
                                  .polarity = round % 2 == 0 ? InfiniGate::paper : InfiniGate::lucidrains,
                                  .gate = std::vector<double>(static_cast<std::size_t>(in.q.heads), 0.7),
                                  .score_scale = 0.5,
                                  .threads = static_cast<int>(pick(random, 1, 3))};
      const auto got = *infini_attention(in, options);
      std::vector<double> expected;
      for (Index head = 0; head < in.q.heads; ++head)
        for (Index i = 0; i < length; ++i)
          for (const double value : define_infini_output(in, options, head, i)) expected.push_back(value);
      COMPARE_TEXT(farther(got.values, expected, 2e-5, sample.v), "");
    }
  }

  /// The paper's gate halves the first segment at β = 0; lucidrains' leaves it alone, and is the
  /// other way round.
  void gates_and_the_first_segment() {
    const AttentionSample sample({.length = 40});
    const MemoryInput in = infini_input(sample);
    const auto paper = *infini_attention(in, {.segment_len = 8, .gate = {2}});
    const auto other = *infini_attention(in, {.segment_len = 8, .polarity = InfiniGate::lucidrains, .gate = {-2}});
    const auto causal = *attention(sample.input(), {.form = AttentionForm::exact});
    const double g = 1 / (1 + std::exp(-2.0));
    for (Index i = 0; i < 8; ++i) {
      const auto at = static_cast<std::size_t>(i * 12);
      QVERIFY(std::abs(static_cast<double>(other.values[at] - causal.values[at])) < 1e-5);
      QVERIFY(std::abs(static_cast<double>(paper.values[at]) - (1 - g) * static_cast<double>(causal.values[at])) <
              1e-5);
      QCOMPARE(paper.memory[static_cast<std::size_t>(i)], 0.0F);
    }
    for (std::size_t at = 8 * 12; at < paper.values.size(); ++at)
      QVERIFY(std::abs(paper.values[at] - other.values[at]) < 1e-5F);
    QVERIFY(paper.memory[8] > 0);
    QCOMPARE(paper.memories[0].stored(), Index{40});
  }

  void threads_do_not_change_a_digit() {
    const AttentionSample sample({.length = 130, .heads = 4, .kv_heads = 2});
    for (const auto rule : {InfiniRule::linear, InfiniRule::delta, InfiniRule::delta_by_token}) {
      const auto one = *infini_attention(infini_input(sample), {.segment_len = 50, .rule = rule});
      const auto three = *infini_attention(infini_input(sample), {.segment_len = 50, .rule = rule, .threads = 3});
      QVERIFY(one.values == three.values);
      QVERIFY(one.memories[1].matrix() == three.memories[1].matrix());
    }
  }

  void bad_input() {
    const AttentionSample sample({.length = 10});
    const MemoryInput in = infini_input(sample);
    COMPARE_ERROR(infini_attention(in, {.segment_len = 0}),
                  "segment_len is 0 but must be 1 to 10, the number of tokens");
    COMPARE_ERROR(infini_attention(in, {.segment_len = 11}),
                  "segment_len is 11 but must be 1 to 10, the number of tokens");
    COMPARE_ERROR(infini_attention(in, {.segment_len = 5, .gate = {}}),
                  "gate has 0 numbers but must have 1 for all heads, or one for each of 1");
    COMPARE_ERROR(infini_attention(in, {.segment_len = 5, .memory_limit = 500}),
                  "attention with a memory over 10 tokens needs 3.83 KiB of memory, the limit is 500 bytes");
    MemoryInput wide = in;
    wide.k.cols = 4;
    COMPARE_ERROR(infini_attention(wide, {.segment_len = 5}),
                  "q is [10, 8], k is [10, 4]: both must have the same d_k");
    std::stop_source source;
    source.request_stop();
    QCOMPARE(infini_attention(in, {.segment_len = 5}, {{}, source.get_token()}).error().code, Errc::cancelled);
  }
};

VQSCOPE_TEST(InfiniAttentionTest)
#include "infini_attention_test.moc"
