// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/attention/linear_vq_attention.h"

#include "core/base/random.h"
#include "core/model/pass/transformer_pass.h"
#include "core/model/train/initial_weights.h"
#include "tests/core/model/central_differences.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A sequence of quantised keys, to attend to in both ways.
struct VqSample {
  VqSample(Index length, Index heads, Index width, Index block, Index n_code, bool with_bias, std::uint64_t seed,
           Index value_dim = 0)
      : shape{{.length = length,
               .heads = heads,
               .kv_heads = heads,
               .head_dim = width,
               .block = block,
               .value_dim = value_dim},
              n_code},
        numbers(static_cast<std::size_t>(length * heads * width)),
        value_numbers(static_cast<std::size_t>(length * shape.keys.value_width())) {
    shape.keys.columns = shape.columns();
    SeededRandom random(seed);
    for (Index i = 0; i < heads * length; ++i)
      codes.push_back(static_cast<std::int32_t>(random.bits() % static_cast<std::uint64_t>(n_code)));
    for (Index t = 0; t < length; ++t)
      for (Index head = 0; head < heads; ++head) {
        const Index code = head * n_code + codes[static_cast<std::size_t>(head * length + t)];
        const double* codeword = codebook.data() + code * width;
        std::copy_n(codeword, width, quantised.data() + (t * heads + head) * width);
      }
    for (Index head = 0; head < heads; ++head)
      for (Index distance = 0; distance <= std::min(block, length - 1) && with_bias; ++distance)
        bias[static_cast<std::size_t>(head * length + distance)] = random.normal();
  }

  struct Result {
    Doubles context, dq, dk, dv, dbias;
  };

  Result by_codes(const AttentionReach& reach) {
    Result r = zeros();
    Doubles weights(static_cast<std::size_t>(shape.keys.heads * shape.keys.length * shape.columns()), 777);
    Doubles scratch(static_cast<std::size_t>(shape.keys.block * shape.columns()), 777);
    const LinearVqOperands<double> in{.q = q.data(),
                                      .quantised = quantised.data(),
                                      .v = v.data(),
                                      .codebook = codebook.data(),
                                      .codes = codes.data(),
                                      .bias = bias.data()};
    linear_vq_attention(shape, in, AttentionWeights<double>{weights.data(), true}, r.context.data(), scratch.data());
    linear_vq_backward(shape, in, weights.data(), dcontext.data(), reach, scratch.data(), gradient_of(r));
    return r;
  }

  Result by_keys(const AttentionReach& reach) {
    Result r = zeros();
    AttentionShape dense = shape.keys;
    dense.columns = dense.length;
    Batch batch;
    batch.rows = 1;
    batch.length = dense.length;
    const KeyRanges all(TransformerConfig{}, batch);
    Doubles weights(static_cast<std::size_t>(dense.heads * dense.length * dense.length));
    Doubles scratch(static_cast<std::size_t>(dense.block * dense.length));
    const AttentionOperands<double> in{.q = q.data(), .k = quantised.data(), .v = v.data(), .bias = bias.data()};
    attention(dense, in, all, 0, AttentionWeights<double>{weights.data(), true}, r.context.data(), scratch.data());
    attention_backward(dense, in, all, 0, weights.data(), dcontext.data(), reach, scratch.data(), gradient_of(r));
    return r;
  }

  Result zeros() const {
    return {Doubles(value_numbers), Doubles(numbers), Doubles(numbers), Doubles(value_numbers), Doubles(bias.size())};
  }
  AttentionGradient<double> gradient_of(Result& r) const {
    return {r.dq.data(), r.dk.data(), r.dv.data(), r.dbias.data()};
  }

  LinearVqShape shape;
  std::size_t numbers;
  std::size_t value_numbers;
  Doubles codebook = random_doubles(shape.keys.heads * shape.n_code * shape.keys.head_dim, 1);
  Doubles q = random_doubles(static_cast<Index>(numbers), 2), v = random_doubles(static_cast<Index>(value_numbers), 3);
  Doubles dcontext = random_doubles(static_cast<Index>(value_numbers), 4);
  Doubles quantised = Doubles(numbers), bias = Doubles(static_cast<std::size_t>(shape.keys.heads * shape.keys.length));
  std::vector<std::int32_t> codes;
};

double greatest_difference(const Doubles& a, const Doubles& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// Keys within a block have a learnt bias: only gradients of those are compared with the dense
/// form.
void forget_far_bias(const LinearVqShape& shape, Doubles& dbias) {
  for (Index i = 0; i < shape.keys.heads * shape.keys.length; ++i)
    if (i % shape.keys.length > shape.keys.block) dbias[static_cast<std::size_t>(i)] = 0;
}

TransformerConfig vq_config(VqGradient mode) {
  return {.vocab = 11,
          .d_model = 12,
          .n_layers = 2,
          .n_heads = 2,
          .n_kv_heads = 2,
          .head_dim = 5,
          .d_ff = 7,
          .pos = PositionKind::vq,
          .attn = AttentionKind::vq,
          .n_code = 5,
          .block_len = 3,
          .grad_mode = mode,
          .backprop_blocks = 4};
}

}  // namespace

class LinearVqTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Random sizes; blocks that do not divide the length, codes without keys, and lengths within the
  /// first two blocks.
  void linear_form_agrees_with_quantised_keys() {
    SeededRandom random(17);
    const auto at_most = [&](Index most) {
      return static_cast<Index>(random.bits() % static_cast<std::uint64_t>(most)) + 1;
    };
    const std::vector<AttentionReach> reaches{{}, {.keys = 1}, {.keys = 1, .window = 1}, {.keys = 1, .window = 3}};
    for (int trial = 0; trial < 60; ++trial) {
      VqSample sample(at_most(40), at_most(3), at_most(5), at_most(6), at_most(9), trial % 2 == 0, random.bits(),
                      at_most(5) - 1);
      for (const AttentionReach& reach : reaches) {
        auto a = sample.by_codes(reach), b = sample.by_keys(reach);
        for (auto* result : {&a, &b}) forget_far_bias(sample.shape, result->dbias);
        QVERIFY(greatest_difference(a.context, b.context) < 1e-12);
        QVERIFY(greatest_difference(a.dq, b.dq) < 1e-12);
        QVERIFY(greatest_difference(a.dk, b.dk) < 1e-12);
        QVERIFY(greatest_difference(a.dv, b.dv) < 1e-12);
        QVERIFY(greatest_difference(a.dbias, b.dbias) < 1e-12);
      }
    }
  }

  /// The third block of one token each: two near keys, and one old key by its code.
  void a_code_counts_its_keys() {
    VqSample sample(4, 1, 1, 1, 1, false, 3);
    sample.codebook = {0.0};
    sample.quantised.assign(4, 0.0);
    sample.v = {1, 2, 3, 6};
    QVERIFY(greatest_difference(sample.by_codes({}).context, {1, 1.5, 2, 3}) < 1e-15);  // all alike: the mean
  }

  void a_model_has_the_same_losses_and_gradients() {
    for (const VqGradient mode : {VqGradient::dense_ste, VqGradient::through_cache, VqGradient::truncated}) {
      const TransformerConfig config = vq_config(mode);
      const auto layout = parameter_layout(config).value();
      const auto weights = initial_weights<double>(config, layout, 5);
      std::vector<std::int32_t> tokens;
      SeededRandom random(8);
      for (int i = 0; i < 3 * 41; ++i) tokens.push_back(static_cast<std::int32_t>(random.bits() % 11));
      const Batch batch{3, 41, tokens, tokens};
      const auto run = [&](Keep keep) {
        auto gradient = zeros_of<double>(layout);
        const auto pass = TransformerPass<double>::create(config, layout, 3, 41, keep).value();
        const double loss = pass->run(weights, batch, &gradient, 2).value().loss;
        gradient.values.push_back(loss);
        return gradient.values;
      };
      QVERIFY(attends_by_codes(config, 41, Keep::gradients) && !attends_by_codes(config, 41, Keep::everything));
      QVERIFY(greatest_difference(run(Keep::gradients), run(Keep::everything)) < 1e-11);
    }
  }

  void memory_is_linear_in_the_length() {
    TransformerConfig windowed = vq_config(VqGradient::truncated), uncached = windowed;
    windowed.attn = AttentionKind::window;
    windowed.pos = PositionKind::rope;
    windowed.head_dim = 6;
    windowed.window = 20;
    uncached.cache = false;
    for (const TransformerConfig& config : {vq_config(VqGradient::truncated), windowed, uncached}) {
      const auto layout = parameter_layout(config).value();
      const auto bytes = [&](Index length) {
        return static_cast<double>(TransformerPass<float>::bytes(config, *layout, 1, length, Keep::gradients));
      };
      QVERIFY(bytes(65536) < 4.01 * bytes(16384));
    }
  }

  void documents_are_refused() {
    const TransformerConfig config = vq_config(VqGradient::through_cache);
    const auto layout = parameter_layout(config).value();
    const std::vector<std::int32_t> tokens(40, 1), documents(40, 0);
    Batch batch{1, 40, tokens, tokens};
    batch.doc_ids = documents;
    const auto pass = TransformerPass<float>::create(config, layout, 1, 40, Keep::logits).value();
    const auto losses = pass->run(initial_weights<float>(config, layout, 1), batch, nullptr, 1);
    QCOMPARE(losses.error().message,
             std::string("the batch has documents or padding but must have neither for VQ attention in linear time"));
  }
};

VQSCOPE_TEST(LinearVqTest)
#include "linear_vq_test.moc"
