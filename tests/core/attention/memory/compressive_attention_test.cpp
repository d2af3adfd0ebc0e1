// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/memory/compressive_attention.h"

#include "core/attention/memory/routing_attention.h"
#include "core/attention/memory/softmax_definition.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Two tokens a segment; keys 0, 4, 1, 3, 0, 2 and values 10 to 60. Query 4 is 1.
struct SixTokens {
  std::vector<float> q{1, 1, 1, 1, 1, 1}, k{0, 4, 1, 3, 0, 2}, v{10, 20, 30, 40, 50, 60};
  MemoryInput input() const { return {{q, 1, 6, 1}, {k, 1, 6, 1}, {v, 1, 6, 1}}; }
};

bool is_near(const std::vector<double>& output, double number) {
  return output.size() == 1 && std::abs(output.front() - number) < 1e-5;
}

/// Attention to the keys from `begin` to `end` - 1.
std::vector<double> attended(const SixTokens& tokens, Index begin, Index end) {
  SoftmaxDefinition softmax(tokens.q.data(), 1, 1);
  for (Index key = begin; key < end; ++key) softmax.add(tokens.k.data() + key, tokens.v.data() + key);
  return softmax.output();
}

}  // namespace

/// Attention to several keys as one, and to those of one cluster.
class CompressiveAttentionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// 40 tokens have left a memory of 8 in segments of 8: groups of 4, of which the newest 3 are kept.
  void views_by_hand() {
    const CompressiveOptions options{.segment_len = 8, .memory_len = 8, .compressed_len = 3, .rate = 4};
    const CompressiveView seen = compressive_view(options, 50);  // in the segment that begins at 48
    QCOMPARE(seen.groups, (Range{7, 10}));
    QCOMPARE(seen.tokens, (Range{40, 51}));
    QCOMPARE(compressive_view(options, 15).groups, (Range{0, 0}));
  }

  /// Query 4 sees itself, the memory of tokens 2 and 3, and tokens 0 and 1 as one.
  void output_by_hand() {
    const SixTokens tokens;
    CompressiveOptions options{.segment_len = 2, .memory_len = 2, .compressed_len = 1, .rate = 2};
    const double seen = 30 * std::exp(1) + 40 * std::exp(3) + 50, sum = std::exp(1) + std::exp(3) + 1;
    const double mean = std::exp(2), most = std::exp(4);  // keys 0 and 4
    QVERIFY(is_near(define_compressive_output(tokens.input(), options, 0, 4), (15 * mean + seen) / (mean + sum)));
    options.compression = Compression::maximum;
    QVERIFY(is_near(define_compressive_output(tokens.input(), options, 0, 4), (20 * most + seen) / (most + sum)));
  }

  /// One token a group and room for all: nothing is lost.
  void groups_of_one_are_the_keys() {
    const SixTokens tokens;
    const CompressiveOptions options{.segment_len = 2, .memory_len = 0, .compressed_len = 6, .rate = 1};
    for (Index query = 0; query < 6; ++query)
      QCOMPARE(define_compressive_output(tokens.input(), options, 0, query), attended(tokens, 0, query + 1));
  }

  /// Query 4 belongs to centroid 0.5, as keys 0 and 2 do; to centroid 3 belong keys 1 and 3.
  void routed_by_hand() {
    const SixTokens tokens;
    const std::vector<float> centroids{3, 0.5};
    const auto output = define_routed_output(tokens.input(), {centroids.data(), 2, 1, 1}, 2, 0, 4);
    QVERIFY(is_near(output, (10 + 30 * std::exp(1)) / (1 + std::exp(1))));
    QCOMPARE(define_routed_output(tokens.input(), {centroids.data(), 2, 1, 1}, 2, 0, 1), std::vector<double>{0});
  }

  void one_cluster_has_every_key() {
    const SixTokens tokens;
    const float centroid = 7;
    for (const Index query : {2, 3, 4, 5})
      QCOMPARE(define_routed_output(tokens.input(), {&centroid, 1, 1, 1}, 2, 0, query),
               attended(tokens, 0, query / 2 * 2));
  }
};

VQSCOPE_TEST(CompressiveAttentionTest)
#include "compressive_attention_test.moc"
