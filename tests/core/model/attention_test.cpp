// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention/attention.h"

#include "core/model/attention/vq_keys.h"
#include "tests/core/model/central_differences.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A sequence of 11 tokens with two documents, padding, four heads and two kv heads; and everything
/// that attention needs.
struct AttentionSample {
  AttentionSample() {
    config.window = 7;
    batch.rows = 1;
    batch.length = shape.length;
    batch.doc_ids = documents;
    batch.pad_mask = valid;
  }

  AttentionOperands<double> input() const {
    AttentionOperands<double> in{.q = q.data(), .k = k.data(), .v = v.data(), .bias = bias.data()};
    in.far_q = far_q.data();
    in.far_k = far_k.data();
    if (distances) in.distance_q = distance_q.data();
    if (distances) in.distance_k = distance_k.data();
    if (!positions.empty()) in.bias_positions = positions.data();
    return in;
  }

  /// Σ context · dcontext; weights are kept, or not.
  double value(bool kept = true) {
    const KeyRanges ranges(config, batch);
    attention(shape, input(), ranges, 0, AttentionWeights<double>{weights.data(), kept}, context.data(),
              scratch.data());
    return dot(context, dcontext);
  }

  /// One context number by the definition, over all pairs.
  double by_definition(Index head, Index query, Index dimension) const {
    const auto row = [&](const Doubles& x, Index token, Index width, Index of) {
      return x.data() + token * width + of * shape.head_dim;
    };
    double sum = 0, total = 0;
    for (Index j = 0; j <= query; ++j) {
      if (!visible(query, j)) continue;
      const bool is_far = shape.far_from > 0 && query - j >= shape.far_from;
      const double* a = row(is_far ? far_q : q, query, 12, head);
      const double* b = row(is_far ? far_k : k, j, 6, head / 2);
      const Index bias_row =
          positions.empty() ? head : head * shape.length + positions[static_cast<std::size_t>(query)];
      double score = bias[static_cast<std::size_t>(bias_row * shape.length + query - j)];
      for (Index i = 0; i < shape.head_dim && distances; ++i)
        score += shape.scale * row(distance_q, query, 12, head)[i] * row(distance_k, query - j, 12, head)[i];
      for (Index i = 0; i < shape.head_dim; ++i) score += shape.scale * a[i] * b[i];
      sum += std::exp(score);
      total += std::exp(score) * row(v, j, 6, head / 2)[dimension];
    }
    return sum == 0 ? 0 : total / sum;
  }

  bool visible(Index query, Index key) const {
    const auto i = static_cast<std::size_t>(query), j = static_cast<std::size_t>(key);
    const bool near = config.attn == AttentionKind::full || query - key < config.window;
    return near && documents[i] == documents[j] && valid[i] && valid[j];
  }

  TransformerConfig config;
  std::vector<std::int32_t> documents{0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0};
  std::vector<std::int32_t> valid{0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1};
  Batch batch;
  AttentionShape shape{.length = 11, .heads = 4, .kv_heads = 2, .head_dim = 3, .scale = 0.6, .block = 4, .columns = 11};
  Doubles q = random_doubles(132, 1), k = random_doubles(66, 2), v = random_doubles(66, 3),
          bias = random_doubles(4 * 121, 4), distance_q = random_doubles(132, 8), distance_k = random_doubles(132, 9);
  bool distances = false;               ///< scores have products with distances
  std::vector<std::int32_t> positions;  ///< of the bias
  Doubles far_q = random_doubles(132, 5), far_k = random_doubles(66, 6), dcontext = random_doubles(132, 7);
  Doubles weights = Doubles(4 * 121, 777), context = Doubles(132), scratch = Doubles(44);
};

}  // namespace

class AttentionLayerTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void distances_and_positions_agree_with_the_definition() {
    for (const Index block : {1, 4, 11}) {
      AttentionSample sample;
      sample.distances = true;
      sample.positions = {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 10};
      sample.shape.block = block;
      sample.scratch.resize(static_cast<std::size_t>(block * 11));
      sample.value();
      for (Index head = 0; head < 4; ++head)
        for (Index query = 0; query < 11; ++query)
          for (Index i = 0; i < 3; ++i)
            QVERIFY(std::abs(sample.context[static_cast<std::size_t>(query * 12 + head * 3 + i)] -
                             sample.by_definition(head, query, i)) < 1e-12);
    }
  }

  void gradients_of_distances_and_positions() {
    AttentionSample s;
    s.config.attn = AttentionKind::window;
    s.distances = true;
    s.positions = {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 10};
    const auto value = [&] { return s.value(); };
    value();
    Doubles dq(132), dk(66), dv(66), dbias(4 * 121), ddistance_q(132), ddistance_k(132), parted(44);
    const KeyRanges ranges(s.config, s.batch);
    attention_backward(s.shape, s.input(), ranges, 0, s.weights.data(), s.dcontext.data(), {}, s.scratch.data(),
                       AttentionGradient<double>{.q = dq.data(),
                                                 .k = dk.data(),
                                                 .v = dv.data(),
                                                 .bias = dbias.data(),
                                                 .distance_q = ddistance_q.data(),
                                                 .distance_k = ddistance_k.data(),
                                                 .parted = parted.data()});
    VERIFY_GRADIENT(dq, s.q, value);
    VERIFY_GRADIENT(dk, s.k, value);
    VERIFY_GRADIENT(dbias, s.bias, value);
    VERIFY_GRADIENT(ddistance_q, s.distance_q, value);
    VERIFY_GRADIENT(ddistance_k, s.distance_k, value);
  }

  void agrees_with_the_definition() {
    for (const AttentionKind kind : {AttentionKind::full, AttentionKind::window})
      for (const Index far_from : {0, 3})
        for (const Index block : {1, 4, 11})
          for (const bool kept : {true, false}) {
            AttentionSample sample;
            sample.config.attn = kind;
            sample.shape.far_from = far_from;
            sample.shape.block = block;
            if (kind == AttentionKind::window) sample.shape.columns = std::min<Index>(11, 7 + block - 1);
            sample.scratch.resize(static_cast<std::size_t>(block * 11));
            sample.value(kept);
            for (Index head = 0; head < 4; ++head)
              for (Index query = 0; query < 11; ++query)
                for (Index i = 0; i < 3; ++i)
                  QVERIFY(std::abs(sample.context[static_cast<std::size_t>(query * 12 + head * 3 + i)] -
                                   sample.by_definition(head, query, i)) < 1e-12);
          }
  }

  void gradients() {
    AttentionSample s;
    Doubles dq(132), dk(66), dv(66), dbias(4 * 121);
    const auto value = [&] { return s.value(); };
    value();
    const KeyRanges ranges(s.config, s.batch);
    attention_backward(s.shape, s.input(), ranges, 0, s.weights.data(), s.dcontext.data(), {}, s.scratch.data(),
                       AttentionGradient<double>{dq.data(), dk.data(), dv.data(), dbias.data()});
    VERIFY_GRADIENT(dq, s.q, value);
    VERIFY_GRADIENT(dk, s.k, value);
    VERIFY_GRADIENT(dv, s.v, value);
    VERIFY_GRADIENT(dbias, s.bias, value);
  }

  /// With a reach of one block, keys two blocks back get what queries of theirs and the next block
  /// give alone.
  void gradients_end_at_blocks() {
    AttentionSample s;
    s.documents.assign(11, 0);
    s.valid.assign(11, 1);
    s.value();
    const KeyRanges ranges(s.config, s.batch);
    const auto keys_of = [&](const AttentionReach& reach, const Doubles& dcontext) {
      Doubles dq(132), dk(66), dv(66);
      attention_backward(s.shape, s.input(), ranges, 0, s.weights.data(), dcontext.data(), reach, s.scratch.data(),
                         AttentionGradient<double>{dq.data(), dk.data(), dv.data(), nullptr});
      dk.insert(dk.end(), dv.begin(), dv.end());
      return dk;
    };
    Doubles of_last_block = s.dcontext, of_others = s.dcontext;
    std::fill(of_last_block.begin(), of_last_block.begin() + 8 * 12, 0.0);
    std::fill(of_others.begin() + 8 * 12, of_others.end(), 0.0);
    const Doubles reached = keys_of({1, 0}, s.dcontext);
    const Doubles others = keys_of({}, of_others);
    for (std::size_t i = 0; i < 4 * 6; ++i) QVERIFY(std::abs(reached[i] - others[i]) < 1e-12);  // keys of block 0
    const Doubles last = keys_of({.window = 1}, of_last_block);
    const auto nothing_before_last = [](const double* d) {
      return std::all_of(d, d + 8 * 6, [](double x) { return x == 0; });
    };
    QVERIFY(nothing_before_last(last.data()) && nothing_before_last(last.data() + 66));
    QVERIFY(last[9 * 6] != 0 && last[66 + 9 * 6] != 0);
    const Doubles two_windows = keys_of({.window = 2}, s.dcontext);  // blocks 0 and 1, and block 2
    for (const std::size_t begin : {0U, 66U})
      for (std::size_t i = 0; i < 8 * 6; ++i) QVERIFY(std::abs(two_windows[begin + i] - others[begin + i]) < 1e-12);
  }

  void keys_become_codewords() {
    const VqShape shape{.length = 3, .heads = 2, .head_dim = 1, .n_code = 2};
    const Doubles k{0.4, 5, 0.5, 9, 7, 6}, codebook{0, 1, 5, 7};  // 0.5 and 6 lie between two: the first
    std::vector<std::int32_t> codes(6);
    Doubles quantised(6);
    const double commit = quantise_keys(shape, k.data(), codebook.data(), codes.data(), quantised.data());
    QCOMPARE(codes, (std::vector<std::int32_t>{0, 0, 1, 0, 1, 0}));
    QCOMPARE(quantised, (Doubles{0, 5, 0, 7, 1, 5}));
    QCOMPARE(commit, 0.16 + 0 + 0.25 + 4 + 36 + 1);
    Doubles counts(4), sums(4);
    add_code_statistics(shape, k.data(), codes.data(), counts.data(), sums.data());
    QCOMPARE(counts, (Doubles{2, 1, 2, 1}));
    QCOMPARE(sums, (Doubles{0.9, 7, 11, 9}));
    Doubles means(4);
    counts[1] = 0.001;  // below the least count
    codebook_of(shape, sums.data(), counts.data(), means.data());
    QCOMPARE(means, (Doubles{0.45, 700, 5.5, 9}));
  }

  void commitment_pulls_keys() {
    const VqShape shape{.length = 5, .heads = 2, .head_dim = 3, .n_code = 4};
    Doubles k = random_doubles(30, 1), dk(30), quantised(30);
    const Doubles codebook = random_doubles(24, 2);
    std::vector<std::int32_t> codes(10);
    const auto value = [&] {
      return 0.3 * quantise_keys(shape, k.data(), codebook.data(), codes.data(), quantised.data());
    };
    value();
    commit_backward(shape, k.data(), quantised.data(), 0.3, dk.data());
    VERIFY_GRADIENT(dk, k, value);
  }
};

VQSCOPE_TEST(AttentionLayerTest)
#include "attention_test.moc"
