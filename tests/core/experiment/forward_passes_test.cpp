// SPDX-License-Identifier: GPL-3.0-or-later
// Attention over the user's tensors (core/attention: float32, any length, nothing kept) and in
// models that are trained (core/model: float32 or float64, what the gradients need is kept) are two
// implementations of the same formulas. Each checks the other here, over the same random inputs.
#include "core/attention/memory/infini_attention.h"
#include "core/attention/memory/retrieval_attention.h"
#include "core/model/attention/compressive_memory.h"
#include "core/model/attention/linear_vq_attention.h"
#include "core/model/attention/vq_keys.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Numbers = std::vector<double>;

/// [heads, rows, width] as a model has it, [rows, heads · width].
Numbers by_token(std::span<const float> tensor, Index heads, Index rows, Index width) {
  Numbers out(tensor.size());
  for (Index head = 0; head < heads; ++head)
    for (Index row = 0; row < rows; ++row)
      for (Index n = 0; n < width; ++n)
        out[static_cast<std::size_t>((row * heads + head) * width + n)] =
            static_cast<double>(tensor[static_cast<std::size_t>((head * rows + row) * width + n)]);
  return out;
}

/// The greatest difference, of numbers above 1 relative to them.
double greatest_gap(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return INFINITY;
  double gap = 0;
  for (std::size_t i = 0; i < a.size(); ++i) gap = std::max(gap, std::abs(a[i] - b[i]) / std::max(1.0, std::abs(b[i])));
  return gap;
}

/// Products of eighths are exact in float32, so that scores and distances tie in both or in
/// neither.
void make_eighths(std::vector<float>& numbers) {
  for (float& number : numbers) number = std::round(number * 8) / 8;
}

/// One sequence with the same numbers for both.
struct OneSequence {
  OneSequence(const SampleShape& shape_, std::uint64_t seed) : shape(shape_), sample(shape_, seed) {
    for (auto* numbers : {&sample.q, &sample.k, &sample.codebook}) make_eighths(*numbers);
    q = by_token(sample.q, shape.heads, shape.length, shape.d_k);
    k = by_token(sample.k, shape.kv_heads, shape.length, shape.d_k);
    v = by_token(sample.v, shape.kv_heads, shape.length, shape.d_v);
  }

  AttentionShape model_shape(Index block, Index segment = 0) const {
    return {.length = shape.length,
            .heads = shape.heads,
            .kv_heads = shape.kv_heads,
            .head_dim = shape.d_k,
            .block = block,
            .segment = segment,
            .columns = shape.length,
            .value_dim = shape.d_v};
  }
  RetrievalOperands<double> operands() const { return {q.data(), k.data(), v.data()}; }
  MemoryInput memory_input() const {
    const AttentionInput all = sample.input();
    return {all.q, all.k, all.v};
  }
  Numbers as_model(std::span<const float> output) const {
    return by_token(output, shape.heads, shape.length, shape.d_v);
  }
  Numbers context() const { return Numbers(static_cast<std::size_t>(shape.length * shape.heads * shape.d_v), 777); }

  SampleShape shape;
  AttentionSample sample;
  Numbers q, k, v;
};

OneSequence random_sequence(Random& random, bool own_keys) {
  const Index kv_heads = pick(random, 1, 2);
  return {{.length = pick(random, 2, 150),
           .heads = kv_heads * (own_keys ? 1 : pick(random, 1, 3)),
           .kv_heads = kv_heads,
           .codebooks = kv_heads,
           .n_code = pick(random, 1, 20),
           .d_k = pick(random, 1, 12),
           .d_v = pick(random, 1, 12)},
          random()};
}

}  // namespace

class ForwardPassesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Softmax attention: with a bias by distance, and with Transformer-XL's product of queries and
  /// distances.
  void full_attention_and_transformer_xl() {
    Random random(41);
    for (int round = 0; round < 30; ++round) {
      OneSequence one = random_sequence(random, false);
      const auto [length, heads, d_k] = std::tuple(one.shape.length, one.shape.heads, one.shape.d_k);
      SeededRandom numbers(random());
      LocalBias& bias = one.sample.bias;
      bias.window = length - 1;
      bias.values = normal_numbers(numbers, heads * length);
      if (round % 2 == 1) bias.relative = normal_numbers(numbers, heads * length * d_k, 0.5);
      if (round % 2 == 1) bias.offset = normal_numbers(numbers, heads * d_k, 0.5);
      const auto fast = attention(one.sample.input(), {.form = AttentionForm::exact}).value();

      const Numbers values(bias.values.begin(), bias.values.end());
      const bool relative = !bias.relative.empty();
      const Numbers distance_k = relative ? by_token(bias.relative, heads, length, d_k) : Numbers();
      Numbers distance_q = one.q;
      for (std::size_t i = 0; i < distance_q.size() && !bias.offset.empty(); ++i)
        distance_q[i] += static_cast<double>(bias.offset[i % bias.offset.size()]);
      const AttentionOperands<double> in{.q = one.q.data(),
                                         .k = one.k.data(),
                                         .v = one.v.data(),
                                         .bias = values.data(),
                                         .distance_q = relative ? distance_q.data() : nullptr,
                                         .distance_k = relative ? distance_k.data() : nullptr};
      const AttentionShape shape = one.model_shape(pick(random, 1, 70));
      Batch batch;
      batch.rows = 1;
      batch.length = length;
      Numbers weights(static_cast<std::size_t>(shape.block * length)), scratch(weights.size());
      Numbers context = one.context();
      attention(shape, in, KeyRanges(TransformerConfig{}, batch), 0, {weights.data(), false}, context.data(),
                scratch.data());
      QVERIFY2(greatest_gap(one.as_model(fast.values), context) < 1e-4, qPrintable(QString::number(round)));
    }
  }

  /// Shortcodes, and attention to quantised keys in linear time, with a bias of one block.
  void vq_attention() {
    Random random(42);
    for (int round = 0; round < 30; ++round) {
      OneSequence one = random_sequence(random, true);
      const auto [length, heads, n_code] = std::tuple(one.shape.length, one.shape.heads, one.shape.n_code);
      const Index block = pick(random, 1, 40);
      SeededRandom numbers(random());
      one.sample.bias.window = block;
      one.sample.bias.values = normal_numbers(numbers, heads * (block + 1));
      const auto fast = attention(one.sample.input(), {.form = AttentionForm::vq_linear, .block_len = block}).value();

      const Numbers codebook(one.sample.codebook.begin(), one.sample.codebook.end());
      std::vector<std::int32_t> codes(static_cast<std::size_t>(heads * length));
      Numbers quantised(one.k.size());
      quantise_keys<double>({length, heads, one.shape.d_k, n_code}, one.k.data(), codebook.data(), codes.data(),
                            quantised.data());
      QVERIFY(codes == fast.shortcodes);
      LinearVqShape shape{one.model_shape(block), n_code};
      shape.keys.columns = shape.columns();
      Numbers bias(static_cast<std::size_t>(heads * length));
      for (Index head = 0; head < heads; ++head)
        for (Index distance = 0; distance <= std::min(block, length - 1); ++distance)
          bias[static_cast<std::size_t>(head * length + distance)] =
              static_cast<double>(one.sample.bias.values[static_cast<std::size_t>(head * (block + 1) + distance)]);
      const LinearVqOperands<double> in{.q = one.q.data(),
                                        .quantised = quantised.data(),
                                        .v = one.v.data(),
                                        .codebook = codebook.data(),
                                        .codes = codes.data(),
                                        .bias = bias.data()};
      Numbers weights(static_cast<std::size_t>(block * shape.columns())), scratch(weights.size());
      Numbers context = one.context();
      linear_vq_attention(shape, in, AttentionWeights<double>{weights.data(), false}, context.data(), scratch.data());
      QVERIFY2(greatest_gap(one.as_model(fast.values), context) < 1e-4, qPrintable(QString::number(round)));
    }
  }

  /// Retrieval of Memorizing Transformers: with a gate of 30, local attention has no weight.
  void memorizing() {
    Random random(43);
    for (int round = 0; round < 30; ++round) {
      const OneSequence one = random_sequence(random, false);
      const auto [length, heads] = std::pair(one.shape.length, one.shape.heads);
      const Index segment = pick(random, 1, length), memory = pick(random, 1, length);
      const RetrievalOptions options{.segment_len = segment,
                                     .memory_len = memory,
                                     .top_k = pick(random, 1, std::min<Index>(memory, 9)),
                                     .gate = {30}};
      const auto fast = retrieval_attention(one.memory_input(), options, {0, length}).value();

      const RetrievalShape shape{one.model_shape(pick(random, 1, 70), segment), memory, options.top_k};
      std::vector<std::int32_t> keys(static_cast<std::size_t>(heads * length * options.top_k));
      Numbers weights(keys.size()), context = one.context();
      Numbers scratch(static_cast<std::size_t>(shape.attention.block * length));
      retrieve<double>(shape, one.operands(), {keys.data(), weights.data()}, context.data(), scratch.data());
      // The first segment has no memory: attention is local there, and the model retrieves nothing.
      const std::size_t first = static_cast<std::size_t>(segment * heads * one.shape.d_v);
      const Numbers values = one.as_model(fast.values);
      QVERIFY2(greatest_gap(std::span(values).subspan(first), std::span(context).subspan(first)) < 1e-4,
               qPrintable(QString::number(round)));
      for (Index head = 0; head < heads; ++head)
        for (Index query = segment; query < length; ++query)
          for (Index i = 0; i < shape.retrieved(query); ++i) {
            const auto at = static_cast<std::size_t>(shape.place(head, query) + i);
            QCOMPARE(fast.retrieved[at].position, static_cast<Index>(keys[at]));
          }
    }
  }

  /// Output of Infini-attention by both rules, and its memory after the last segment.
  void infini_attention_memories() {
    Random random(44);
    for (int round = 0; round < 30; ++round) {
      const OneSequence one = random_sequence(random, false);
      const Index segment = pick(random, 1, one.shape.length);
      const bool delta = round % 2 == 1;
      const InfiniOptions options{
          .segment_len = segment, .rule = delta ? InfiniRule::delta : InfiniRule::linear, .gate = {40}};
      const auto fast = infini_attention(one.memory_input(), options).value();

      const CompressiveShape shape{one.model_shape(64, segment), delta};
      Numbers states(static_cast<std::size_t>(shape.all_states())), context = one.context();
      recall_compressed<double>(shape, one.operands(), states.data(), context.data());
      QVERIFY2(greatest_gap(one.as_model(fast.values), context) < 1e-4, qPrintable(QString::number(round)));
      for (Index head = 0; head < one.shape.kv_heads; ++head) {
        const InfiniMemory& memory = fast.memories[static_cast<std::size_t>(head)];
        const std::span last(states.data() + shape.place(head, shape.segments()), memory.matrix().size());
        QVERIFY(greatest_gap(memory.matrix(), last) < 1e-9);
      }
    }
  }
};

VQSCOPE_TEST(ForwardPassesTest)
#include "forward_passes_test.moc"
