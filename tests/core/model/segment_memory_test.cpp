// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/model/generate/decoder.h"
#include "core/model/pass/transformer_pass.h"
#include "tests/core/model/central_differences.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace vqscope;
using namespace vqscope::test;

namespace {

TransformerConfig segmented(AttentionKind kind, Index segment) {
  return {.vocab = 11,
          .d_model = 8,
          .n_heads = 2,
          .n_kv_heads = 1,
          .head_dim = 4,
          .d_ff = 4,
          .attn = kind,
          .segment = segment,
          .top_k = 3};
}

/// Weights that distinguish tokens, gates and Transformer-XL's u and v among them.
template <class Real>
Parameters<Real> varied_weights(const TransformerConfig& config) {
  auto weights = zeros_of<Real>(parameter_layout(config).value());
  SeededRandom random(3);
  for (Real& value : weights.values) value = static_cast<Real>(0.3 + 0.4 * random.normal());
  return weights;
}

struct SegmentTokens {
  explicit SegmentTokens(Index length, Index rows_ = 1) : rows(rows_) {
    SeededRandom random(9);
    for (Index i = 0; i <= rows * length; ++i) all.push_back(static_cast<std::int32_t>(random.bits() % 11));
  }
  Batch batch() const {
    const std::span<const std::int32_t> some(all);
    const auto length = static_cast<Index>(all.size() - 1) / rows;
    return {rows, length, some.subspan(0, all.size() - 1), some.subspan(1)};
  }

  Index rows;
  std::vector<std::int32_t> all;
};

template <class Real>
std::vector<Real> logits_of(const TransformerConfig& config, const SegmentTokens& tokens,
                            Keep keep = Keep::everything) {
  const auto weights = varied_weights<Real>(config);
  const Batch batch = tokens.batch();
  const auto pass = TransformerPass<Real>::create(config, weights.layout, batch.rows, batch.length, keep).value();
  if (!pass->run(weights, batch, nullptr, 1)) return {};
  std::vector<Real> all;
  for (Index row = 0; row < batch.rows; ++row) {
    const auto of_row = pass->logits(row);
    all.insert(all.end(), of_row.begin(), of_row.end());
  }
  return all;
}

template <class Real>
double largest_gap(const std::vector<Real>& a, const std::vector<Real>& b) {
  if (a.empty() || a.size() != b.size()) return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::fmax(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return largest;
}

/// One sequence of random queries, keys and values, four heads of which two share keys.
struct Sample {
  explicit Sample(Index length, Index segment)
      : attention{.length = length,
                  .heads = 4,
                  .kv_heads = 2,
                  .head_dim = 3,
                  .scale = 0.7,
                  .block = 4,
                  .segment = segment,
                  .value_dim = 5},
        q(random_doubles(length * 12, 1)),
        k(random_doubles(length * 6, 2)),
        v(random_doubles(length * 10, 3)) {}

  RetrievalOperands<double> in() const { return {q.data(), k.data(), v.data()}; }
  const double* key(Index head, Index j) const { return k.data() + j * 6 + head / 2 * 3; }
  double score(Index head, Index query, Index j) const {
    const double* of_query = q.data() + query * 12 + head * 3;
    return attention.scale * std::inner_product(of_query, of_query + 3, key(head, j), 0.0);
  }
  double value(Index head, Index j, Index n) const { return v[static_cast<std::size_t>(j * 10 + head / 2 * 5 + n)]; }

  AttentionShape attention;
  Doubles q, k, v;
};

double feature(double x) { return x > 0 ? x + 1 : std::exp(x); }

}  // namespace

class SegmentMemoryTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Segment 3 and memory 4: the first token of segment 2 sees 2 to 6; with a common length each
  /// sees four keys.
  void keys_of_transformer_xl() {
    TransformerConfig config = segmented(AttentionKind::xl, 3);
    config.memory = 4;
    std::vector<Range> keys;
    const auto seen = [&](Index query) {
      attended_keys(config, nullptr, query, keys);
      return keys.front();
    };
    QCOMPARE(seen(2), (Range{0, 3}));
    QCOMPARE(seen(3), (Range{0, 4}));
    QCOMPARE(seen(6), (Range{2, 7}));
    QCOMPARE(seen(8), (Range{2, 9}));
    config.same_length = true;
    QCOMPARE(seen(2), (Range{0, 3}));
    QCOMPARE(seen(6), (Range{3, 7}));
    QCOMPARE(seen(8), (Range{5, 9}));
    config.memory = 0;
    config.same_length = false;
    QCOMPARE(seen(8), (Range{6, 9}));
  }

  /// Where the memory covers every token, segments give what one sequence gives.
  void segments_are_the_whole_where_the_memory_covers_it_data() {
    QTest::addColumn<Index>("segment");
    for (const Index segment : {1, 3, 7, 64, 70, 200}) QTest::addRow("%d", int(segment)) << segment;
  }
  void segments_are_the_whole_where_the_memory_covers_it() {
    QFETCH(Index, segment);
    const SegmentTokens tokens(150, 2);
    for (const PositionKind pos : {PositionKind::xl, PositionKind::rope, PositionKind::relative_bias}) {
      TransformerConfig whole = segmented(AttentionKind::full, 0), parts = segmented(AttentionKind::xl, segment);
      whole.pos = parts.pos = pos;
      whole.relative_bias = parts.relative_bias = "alibi";
      parts.memory = 150;
      QVERIFY(largest_gap(logits_of<double>(parts, tokens), logits_of<double>(whole, tokens)) < 1e-11);
      QVERIFY(largest_gap(logits_of<float>(parts, tokens), logits_of<float>(whole, tokens)) < 1e-4);
      parts.memory = 20;
      QVERIFY(largest_gap(logits_of<double>(parts, tokens), logits_of<double>(whole, tokens)) > 1e-3 || segment >= 150);
    }
  }

  /// Without a memory nothing is constant, and gradients are the slopes of the loss.
  void gradients_within_segments() {
    TransformerConfig config = segmented(AttentionKind::xl, 3);
    config.pos = PositionKind::xl;
    config.clamp_len = 2;
    check_gradients(config);
  }

  /// They pass through the memory of all segments, by both rules.
  void gradients_of_infini_attention() {
    for (const AttentionKind kind : {AttentionKind::infini_linear, AttentionKind::infini_delta})
      for (const Index segment : {1, 3, 8}) {
        check_gradients(segmented(kind, segment));
        TransformerConfig alibi = segmented(kind, segment);
        alibi.pos = PositionKind::relative_bias;
        alibi.relative_bias = "alibi";
        check_gradients(alibi);
      }
  }

  /// Stored keys are constants: of one layer, everything but keys, values and what lies before them
  /// has the loss's slope.
  void gradients_of_retrieval() {
    TransformerConfig config = segmented(AttentionKind::memorizing, 3);
    config.n_layers = 1;
    config.memory = 5;
    const auto weights = varied_weights<double>(config);
    const SegmentTokens tokens(11);
    auto gradient = zeros_of<double>(weights.layout);
    const auto pass = TransformerPass<double>::create(config, weights.layout, 1, 11, Keep::everything).value();
    QVERIFY(pass->run(weights, tokens.batch(), &gradient, 1));
    for (const char* name : {"q_proj.weight", "gate", "o_proj.weight", "up_proj.weight"}) {
      const auto tensor =
          std::ranges::find_if(weights.layout->tensors, [&](const auto& one) { return one.name.ends_with(name); });
      for (Index i = tensor->offset; i < tensor->offset + std::min<Index>(tensor->count, 9); ++i) {
        auto moved = weights;
        const auto loss = [&](double by) {
          moved.values[static_cast<std::size_t>(i)] = weights.values[static_cast<std::size_t>(i)] + by;
          return pass->run(moved, tokens.batch(), nullptr, 1).value().loss;
        };
        const double slope = (loss(1e-5) - loss(-1e-5)) / 2e-5;
        QVERIFY2(std::abs(slope - gradient.values[static_cast<std::size_t>(i)]) < 1e-8, name);
      }
    }
  }

  void retrieval_agrees_with_the_definition() {
    for (const Index memory : {0, 4, 100})
      for (const Index top_k : {1, 3, 50}) {
        const Sample sample(23, 5);
        const RetrievalShape shape{sample.attention, memory, top_k};
        std::vector<std::int32_t> keys(static_cast<std::size_t>(4 * 23 * top_k));
        Doubles weights(keys.size()), context(23 * 20), scratch(4 * 23);
        retrieve(shape, sample.in(), {keys.data(), weights.data()}, context.data(), scratch.data());
        for (Index head = 0; head < 4; ++head)
          for (Index query = 0; query < 23; ++query) {
            std::vector<Index> order;
            const Index end = query / 5 * 5;
            for (Index j = memory > 0 ? std::max<Index>(0, end - memory) : 0; j < end; ++j) order.push_back(j);
            std::ranges::stable_sort(order, std::greater(), [&](Index j) { return sample.score(head, query, j); });
            order.resize(std::min(order.size(), static_cast<std::size_t>(top_k)));
            double sum = 0;
            for (const Index j : order) sum += std::exp(sample.score(head, query, j));
            Doubles wanted(5);
            for (std::size_t i = 0; i < order.size(); ++i) {
              const auto at = static_cast<std::size_t>(shape.place(head, query)) + i;
              QCOMPARE(Index{keys[at]}, order[i]);
              const double p = std::exp(sample.score(head, query, order[i])) / sum;
              QVERIFY(std::abs(weights[at] - p) < 1e-12);
              for (Index n = 0; n < 5; ++n) wanted[static_cast<std::size_t>(n)] += p * sample.value(head, order[i], n);
            }
            for (Index n = 0; n < 5; ++n)
              QVERIFY(std::abs(context[static_cast<std::size_t>(query * 20 + head * 5 + n)] -
                               wanted[static_cast<std::size_t>(n)]) < 1e-12);
          }
      }
  }

  void equal_scores_are_retrieved_from_the_first_on() {
    Sample sample(9, 4);
    std::ranges::fill(sample.k, 1.0);
    const RetrievalShape shape{sample.attention, 0, 3};
    std::vector<std::int32_t> keys(4 * 9 * 3);
    Doubles weights(keys.size()), context(9 * 20), scratch(4 * 9);
    retrieve(shape, sample.in(), {keys.data(), weights.data()}, context.data(), scratch.data());
    QCOMPARE(std::vector<std::int32_t>(keys.begin() + shape.place(1, 8), keys.begin() + shape.place(1, 8) + 3),
             (std::vector<std::int32_t>{0, 1, 2}));
  }

  /// The read-out of a segment's queries by the linear rule is Σ (σ(q) · σ(k)) v / Σ σ(q) · σ(k)
  /// over all keys before it.
  void linear_memory_agrees_with_the_definition() {
    const Sample sample(14, 4);
    const CompressiveShape shape{sample.attention, false};
    Doubles states(static_cast<std::size_t>(shape.all_states())), context(14 * 20);
    recall_compressed(shape, sample.in(), states.data(), context.data());
    for (Index head = 0; head < 4; ++head)
      for (Index query = 0; query < 14; ++query)
        for (Index n = 0; n < 5; ++n) {
          double above = 0, below = 1e-6;
          for (Index j = 0; j < query / 4 * 4; ++j) {
            double product = 0;
            for (Index i = 0; i < 3; ++i)
              product += feature(sample.q[static_cast<std::size_t>(query * 12 + head * 3 + i)]) *
                         feature(sample.key(head, j)[i]);
            above += product * sample.value(head, j, n);
            below += product;
          }
          QVERIFY(std::abs(context[static_cast<std::size_t>(query * 20 + head * 5 + n)] - above / below) < 1e-12);
        }
  }

  /// One pair by hand: σ(k) = (2, 1) and v = 6; then the same key with v = 4: the linear rule adds,
  /// the delta rule replaces, for what was there under the key is taken first.
  void delta_rule_replaces_where_the_linear_rule_adds() {
    const AttentionShape attention{.length = 2, .head_dim = 2, .segment = 1, .value_dim = 1};
    const Doubles q(4), k{1, 0, 1, 0}, v{6, 4};
    for (const bool delta : {false, true}) {
      const CompressiveShape shape{attention, delta};
      Doubles states(static_cast<std::size_t>(shape.all_states())), context(2);
      recall_compressed(shape, {q.data(), k.data(), v.data()}, states.data(), context.data());
      const double* first = states.data() + shape.place(0, 1);
      QCOMPARE(Doubles(first, first + 4), (Doubles{12, 6, 2, 1}));
      const double* second = states.data() + shape.place(0, 2);
      const double change = delta ? 4 - 30 / (5 + 1e-6) : 4;
      QVERIFY(std::abs(second[0] - (12 + 2 * change)) < 1e-12);
      QVERIFY(std::abs(second[1] - (6 + change)) < 1e-12);
      QCOMPARE(second[2], 4.0);
    }
  }

  /// The order of the tokens of a segment does not matter to either rule, which write a segment at
  /// once; of the segments it matters to the delta rule alone.
  void order_of_writes() {
    Sample sample(8, 4), within = sample, between = sample;
    const auto swap = [](Sample& some, Index a, Index b) {
      for (Index i = 0; i < 6; ++i)
        std::swap(some.k[static_cast<std::size_t>(a * 6 + i)], some.k[static_cast<std::size_t>(b * 6 + i)]);
      for (Index i = 0; i < 10; ++i)
        std::swap(some.v[static_cast<std::size_t>(a * 10 + i)], some.v[static_cast<std::size_t>(b * 10 + i)]);
    };
    swap(within, 1, 2);
    for (Index i = 0; i < 4; ++i) swap(between, i, i + 4);
    for (const bool delta : {false, true}) {
      const CompressiveShape shape{sample.attention, delta};
      const auto after = [&](const Sample& some) {
        Doubles states(static_cast<std::size_t>(shape.all_states())), context(8 * 20);
        recall_compressed(shape, some.in(), states.data(), context.data());
        return Doubles(states.begin() + shape.place(1, 2), states.begin() + shape.place(1, 2) + shape.state_size());
      };
      QVERIFY(largest_gap(after(within), after(sample)) < 1e-12);
      QCOMPARE(largest_gap(after(between), after(sample)) < 1e-12, !delta);
    }
  }

  /// Token by token, with what each kind keeps, as over the whole sequence; a pass that keeps
  /// nothing has the same.
  void read_one_by_one() {
    const SegmentTokens tokens(20);
    for (const AttentionKind kind :
         {AttentionKind::xl, AttentionKind::memorizing, AttentionKind::infini_linear, AttentionKind::infini_delta})
      for (const Index segment : {1, 6, 40}) {
        TransformerConfig config = segmented(kind, segment);
        if (kind == AttentionKind::xl) {
          config.pos = PositionKind::xl;
          config.memory = 7;
          config.clamp_len = 5;
        }
        if (kind == AttentionKind::memorizing) config.memory_layers = {0, 1};
        const auto weights = varied_weights<double>(config);
        const auto logits = logits_of<double>(config, tokens);
        QVERIFY(largest_gap(logits_of<double>(config, tokens, Keep::logits), logits) < 1e-12);
        const auto decoder = Decoder<double>::create(config, weights, 20).value();
        for (std::size_t t = 0; t < 20; ++t) {
          const auto own = decoder->read(tokens.all[t]);
          for (std::size_t i = 0; i < own.size(); ++i) QVERIFY(std::abs(own[i] - logits[t * own.size() + i]) < 1e-10);
        }
      }
  }

  void refused() {
    const auto error = [](AttentionKind kind, Index segment, auto change) {
      TransformerConfig config = segmented(kind, segment);
      change(config);
      return config.check();
    };
    COMPARE_ERROR(error(AttentionKind::xl, 0, [](auto&) {}), "segment is 0 but must be at least 1 token");
    COMPARE_ERROR(error(AttentionKind::xl, 4, [](auto& c) { c.same_length = true; }),
                  "same_length is true, attn must be \"xl\" with a memory of at least 1 token");
    COMPARE_ERROR(error(AttentionKind::full, 0, [](auto& c) { c.clamp_len = 3; }),
                  "clamp_len is given, pos must be \"xl\": distances of no other position are clamped");
    COMPARE_ERROR(error(AttentionKind::memorizing, 4, [](auto& c) { c.memory = 2; }),
                  "top_k is 3 but must be at most memory, 2");
    COMPARE_ERROR(error(AttentionKind::memorizing, 4, [](auto& c) { c.memory_layers = {2}; }),
                  "memory_layers has 2 but must have layers from 0 to 1");
    COMPARE_ERROR(error(AttentionKind::memorizing, 4,
                        [](auto& c) {
                          c.memory_layers = {1, 0};
                        }),
                  "memory_layers has 0 after 1 but must be ascending");
    const TransformerConfig config = segmented(AttentionKind::infini_delta, 4);
    const auto weights = varied_weights<double>(config);
    const SegmentTokens tokens(8);
    Batch padded = tokens.batch();
    const std::vector<std::int32_t> mask(8, 1);
    padded.pad_mask = mask;
    const auto pass = TransformerPass<double>::create(config, weights.layout, 1, 8, Keep::logits).value();
    COMPARE_ERROR(
        pass->run(weights, padded, nullptr, 1),
        "the batch has documents or padding but must have neither for attention that recalls earlier segments");
  }

 private:
  void check_gradients(const TransformerConfig& config) {
    auto weights = varied_weights<double>(config);
    auto gradient = zeros_of<double>(weights.layout);
    const SegmentTokens tokens(10, 2);
    const auto pass = TransformerPass<double>::create(config, weights.layout, 2, 10, Keep::everything).value();
    QVERIFY(pass->run(weights, tokens.batch(), &gradient, 1));
    VERIFY_GRADIENT(gradient.values, weights.values,
                    ([&] { return pass->run(weights, tokens.batch(), nullptr, 1).value().loss; }));
  }
};

VQSCOPE_TEST(SegmentMemoryTest)
#include "segment_memory_test.moc"
