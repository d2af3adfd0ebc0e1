// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/retrieval_attention.h"

#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <numeric>

using namespace vqscope;
using namespace vqscope::test;

namespace {

MemoryInput input_of(const AttentionSample& sample) {
  const AttentionInput all = sample.input();
  return {all.q, all.k, all.v};
}

/// Two tokens a segment; keys 1, 2, 3, 0 and values 10, 20, 30, 40.
struct FourTokens {
  std::vector<float> q{1, 1, 1, 1}, k{1, 2, 3, 0}, v{10, 20, 30, 40};
  MemoryInput input() const { return {{q, 1, 4, 1}, {k, 1, 4, 1}, {v, 1, 4, 1}}; }
};

}  // namespace

class RetrievalAttentionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Query 3 sees keys 2 and 3, with scores 3 and 0, and retrieves key 1, with score 2.
  void by_hand() {
    const FourTokens tokens;
    const double g = 1 / (1 + std::exp(-1.0)), e3 = std::exp(3.0), e2 = std::exp(2.0);
    RetrievalOptions options{.segment_len = 2, .memory_len = 2, .top_k = 1, .gate = {1}};
    const auto gated = *retrieval_attention(tokens.input(), options, {0, 4});
    const double local = (30 * e3 + 40) / (e3 + 1);
    QVERIFY(std::abs(static_cast<double>(gated.values[3]) - (g * 20 + (1 - g) * local)) < 1e-4);
    QCOMPARE(gated.retrieved[3], (RetrievedKey{1, 2}));
    QVERIFY(std::abs(static_cast<double>(gated.memory_fraction[3]) - g) < 1e-6);
    // The first segment has no memory, and no gate: local attention alone.
    QCOMPARE(gated.values[0], 10.0F);
    QCOMPARE(gated.memory_fraction[1], 0.0F);
    QCOMPARE(gated.retrieved[1].position, Index{-1});
    options.mixing = MemoryMixing::joint;
    const auto joint = *retrieval_attention(tokens.input(), options, {0, 4});
    QVERIFY(std::abs(static_cast<double>(joint.values[3]) - (30 * e3 + 40 + 20 * e2) / (e3 + 1 + e2)) < 1e-4);
    QVERIFY(std::abs(static_cast<double>(joint.memory_fraction[3]) - e2 / (e3 + 1 + e2)) < 1e-6);
  }

  void fast_form_equals_the_definition() {
    Random random(11);
    for (int round = 0; round < 24; ++round) {
      const Index kv_heads = pick(random, 1, 2), length = pick(random, 5, 260);
      const AttentionSample sample(
          {.length = length, .heads = kv_heads * pick(random, 1, 2), .kv_heads = kv_heads, .d_k = pick(random, 2, 20)},
          static_cast<std::uint64_t>(round));
      const MemoryInput in = input_of(sample);
      const Index memory_len = pick(random, 1, length), begin = pick(random, 0, length - 1);
      const RetrievalOptions options{
          .segment_len = pick(random, 1, length),
          .memory_len = memory_len,
          .top_k = pick(random, 1, std::min<Index>(memory_len, 40)),
          .mixing = round % 2 == 0 ? MemoryMixing::gate : MemoryMixing::joint,
          .gate = std::vector<double>(static_cast<std::size_t>(in.q.heads), -0.5),
          .search = round % 3 == 0 ? RetrievalSearch::bucket_maximum : RetrievalSearch::exact,
          .threads = static_cast<int>(pick(random, 1, 3))};
      const Range queries{begin, pick(random, begin + 1, length)};
      const auto got = *retrieval_attention(in, options, queries);
      const RetrievalDefinition definition(in, options);
      std::vector<double> expected, shares;
      for (Index head = 0; head < in.q.heads; ++head)
        for (Index i = queries.begin; i < queries.end; ++i) {
          for (const double value : definition.output(head, i)) expected.push_back(value);
          const auto weights = definition.weights(head, i);
          const Index end = memory_range(i, options).end;
          shares.push_back(std::accumulate(weights.begin(), weights.begin() + end, 0.0));
        }
      COMPARE_TEXT(farther(got.values, expected, 2e-5, sample.v), "");
      COMPARE_TEXT(farther(got.memory_fraction, shares, 1e-5, {1}), "");
    }
  }

  /// Everything that a memory of the whole past retrieves, in one softmax, is causal attention.
  void all_keys_in_one_softmax_are_causal_attention() {
    const AttentionSample sample({.length = 90, .heads = 2, .kv_heads = 1});
    const auto causal = *attention(sample.input(), {.form = AttentionForm::exact});
    const auto got = *retrieval_attention(
        input_of(sample), {.segment_len = 16, .memory_len = 90, .top_k = 90, .mixing = MemoryMixing::joint}, {0, 90});
    COMPARE_TEXT(farther(got.values, causal.values, 2e-5, sample.v), "");
  }

  void threads_do_not_change_a_digit() {
    const AttentionSample sample({.length = 700, .heads = 2, .kv_heads = 2});
    RetrievalOptions options{.segment_len = 100, .memory_len = 600, .top_k = 9};
    const auto one = *retrieval_attention(input_of(sample), options, {0, 700});
    options.threads = 3;
    const auto three = *retrieval_attention(input_of(sample), options, {0, 700});
    QVERIFY(one.values == three.values && one.retrieved == three.retrieved && one.weights == three.weights);
  }

  void bad_input() {
    const FourTokens tokens;
    const auto refused = [&](RetrievalOptions options, Range queries = {0, 4}) {
      return retrieval_attention(tokens.input(), options, queries);
    };
    COMPARE_ERROR(refused({.segment_len = 2, .memory_len = 2, .top_k = 3}),
                  "top_k is 3 but must be 1 to 2, the keys in the memory");
    COMPARE_ERROR(refused({.segment_len = 0, .top_k = 1}), "segment_len is 0 but must be 1 to 4, the number of tokens");
    COMPARE_ERROR(refused({.segment_len = 5, .top_k = 1}), "segment_len is 5 but must be 1 to 4, the number of tokens");
    COMPARE_ERROR(refused({.segment_len = 2, .memory_len = 0}), "memory_len is 0 but must be 1 or more");
    COMPARE_ERROR(refused({.segment_len = 2, .top_k = 1, .gate = {1, 2}}),
                  "gate has 2 numbers but must have 1 for all heads, or one for each of 1");
    COMPARE_ERROR(refused({.segment_len = 2, .top_k = 1}, {2, 5}), "queries 2 to 5 are requested, q has 4");
    COMPARE_ERROR(refused({.segment_len = 2, .top_k = 1, .memory_limit = 1000}),
                  "attention with a memory over 4 tokens needs 129 KiB of memory, the limit is 1000 bytes");
    MemoryInput in = tokens.input();
    in.v.rows = 3;
    COMPARE_ERROR(retrieval_attention(in, {.segment_len = 2, .top_k = 1}, {0, 4}),
                  "k is [4, 1], v is [3, 1]: every key needs one value");
    FourTokens broken;
    broken.k[2] = std::numeric_limits<float>::quiet_NaN();
    COMPARE_ERROR(retrieval_attention(broken.input(), {.segment_len = 2, .top_k = 1}, {0, 4}),
                  "k has nan at head 0, row 2, column 0 but must be finite");
    broken.k[2] = broken.q[0] = 1e20F;
    COMPARE_ERROR(retrieval_attention(broken.input(), {.segment_len = 2, .top_k = 1}, {0, 4}),
                  "q and k give scores up to about 1e+40, which is too large for float32");
  }

  void stop_ends_it() {
    const FourTokens tokens;
    std::stop_source source;
    source.request_stop();
    QCOMPARE(retrieval_attention(tokens.input(), {.segment_len = 2, .top_k = 1}, {0, 4}, {{}, source.get_token()})
                 .error()
                 .code,
             Errc::cancelled);
  }
};

VQSCOPE_TEST(RetrievalAttentionTest)
#include "retrieval_attention_test.moc"
