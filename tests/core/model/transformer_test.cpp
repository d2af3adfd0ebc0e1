// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pass/transformer_pass.h"
#include "core/model/train/initial_weights.h"
#include "tests/core/model/central_differences.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

TransformerConfig five_tokens() {
  return {.vocab = 5, .d_model = 6, .n_heads = 2, .n_kv_heads = 1, .head_dim = 4, .d_ff = 3};
}

/// Tokens 0, 1, 2, ... modulo 5, each labelled with the next but one.
struct Sequences {
  explicit Sequences(Index rows_, Index length_) : rows(rows_), length(length_) {
    for (Index i = 0; i < rows * length; ++i) {
      tokens.push_back(static_cast<std::int32_t>(i % 5));
      labels.push_back(static_cast<std::int32_t>((i + 2) % 5));
    }
  }
  Batch batch() const { return {rows, length, tokens, labels}; }

  Index rows;
  Index length;
  std::vector<std::int32_t> tokens, labels;
};

double spread_of(std::span<const double> values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0) /
                   static_cast<double>(values.size()));
}

}  // namespace

class TransformerTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Codes of every layer, head by head, in one pass of many rows.
  void codes_and_commitment_by_layer() {
    TransformerConfig config = five_tokens();
    config.n_kv_heads = config.n_heads;
    config.n_layers = 3;
    config.pos = PositionKind::vq;
    config.attn = AttentionKind::vq;
    config.n_code = 7;
    config.block_len = 4;
    const auto layout = parameter_layout(config).value();
    const auto weights = initial_weights<double>(config, layout, 2);
    const Sequences some(5, 6);
    const auto pass = TransformerPass<double>::create(config, layout, 5, 6, Keep::everything).value();
    const auto losses = pass->run(weights, some.batch(), nullptr, 2).value();
    QCOMPARE(losses.commit_layers.size(), std::size_t{3});
    QCOMPARE(std::accumulate(losses.commit_layers.begin(), losses.commit_layers.end(), 0.0), losses.commit_loss);
    QVERIFY(std::ranges::all_of(losses.commit_layers, [](double commit) { return commit > 0; }));
    const auto used = pass->used_codes();
    for (Index layer = 0; layer < 3; ++layer) {
      double fraction = 0;
      for (std::size_t head = 0; head < 2; ++head) {
        std::set<std::int32_t> seen;
        for (Index row = 0; row < 5; ++row)
          for (const auto code : pass->codes(layer, row).subspan(head * 6, 6)) seen.insert(code);
        fraction += static_cast<double>(seen.size()) / 7 / 2;
      }
      QVERIFY(std::abs(used[static_cast<std::size_t>(layer)] - fraction) < 1e-15);
    }
    QVERIFY(
        TransformerPass<double>::create(five_tokens(), parameter_layout(five_tokens()).value(), 1, 4, Keep::everything)
            .value()
            ->used_codes()
            .empty());
  }

  /// Every parameter of a whole model, for what no golden file has.
  void gradients() {
    TransformerConfig rope_t5 = five_tokens(), rope_kerple = five_tokens(), fire = five_tokens(), xl = five_tokens();
    rope_t5.bias = PositionKind::t5_bias;
    rope_t5.t5_buckets = 6;
    rope_t5.t5_max_distance = 12;
    rope_kerple.pos = PositionKind::xpos;
    rope_kerple.bias = PositionKind::relative_bias;
    rope_kerple.relative_bias = "kerple_log";
    fire.pos = PositionKind::fire;
    fire.fire_threshold = 2.5;
    xl.pos = PositionKind::xl;
    xl.attn = AttentionKind::mask;
    xl.mask = "kv_idx == 0 or (q_idx - kv_idx) % 3 == 1 or q_idx > 5";
    TransformerConfig gelu = five_tokens(), kerple = five_tokens(), learned = five_tokens(), masked = five_tokens();
    masked.attn = AttentionKind::mask;
    masked.mask = "kv_idx == 0 or (q_idx - kv_idx) % 3 == 1 or q_idx > 5";  // query 1 sees one key, query 6 all
    gelu.mlp = MlpKind::gelu;
    gelu.rope_scaling = "linear";
    gelu.rope_factor = 2;
    kerple.pos = PositionKind::relative_bias;
    kerple.relative_bias = "kerple_power";
    kerple.n_heads = 1;
    kerple.attn = AttentionKind::window;
    kerple.window = 3;
    learned.pos = PositionKind::learned;
    learned.max_pos = 9;
    learned.embed_scale = 0.5;
    learned.tie_word_embeddings = true;
    const Sequences sequences(3, 7);
    for (const TransformerConfig& config : {gelu, kerple, learned, masked, rope_t5, rope_kerple, fire, xl}) {
      const auto layout = parameter_layout(config).value();
      auto parameters = initial_weights<double>(config, layout, 4);
      auto gradient = zeros_of<double>(layout);
      const auto pass = TransformerPass<double>::create(config, layout, 3, 7, Keep::everything).value();
      QVERIFY(pass->run(parameters, sequences.batch(), &gradient, 1));
      VERIFY_GRADIENT(gradient.values, parameters.values,
                      ([&] { return pass->run(parameters, sequences.batch(), nullptr, 1).value().loss; }));
    }
  }

  /// Gradients of FIRE, of bias and rotation, and of Transformer-XL are the same bits with any
  /// number of threads.
  void threads_change_no_bit() {
    TransformerConfig fire = five_tokens(), rope = five_tokens(), xl = five_tokens();
    fire.pos = PositionKind::fire;
    fire.fire_threshold = 9;
    rope.bias = PositionKind::t5_bias;
    xl.pos = PositionKind::xl;
    const Sequences sequences(9, 70);
    for (const TransformerConfig& config : {fire, rope, xl}) {
      const auto layout = parameter_layout(config).value();
      const auto parameters = initial_weights<float>(config, layout, 4);
      auto alone = zeros_of<float>(layout), together = alone;
      const auto pass = TransformerPass<float>::create(config, layout, 9, 70, Keep::everything).value();
      const double loss = pass->run(parameters, sequences.batch(), &alone, 1)->loss;
      QCOMPARE(pass->run(parameters, sequences.batch(), &together, 3)->loss, loss);
      QCOMPARE(together.values, alone.values);
    }
  }

  /// A window equals the mask of its text.
  void window_equals_its_mask() {
    TransformerConfig window = five_tokens(), mask = five_tokens();
    window.attn = AttentionKind::window;
    window.window = 3;
    mask.attn = AttentionKind::mask;
    mask.mask = "q_idx - kv_idx < 3";
    const auto layout = parameter_layout(window).value();
    const auto parameters = initial_weights<float>(window, layout, 4);
    const Sequences sequences(2, 40);
    std::vector<std::vector<float>> logits;
    for (const TransformerConfig& config : {window, mask}) {
      const auto pass = TransformerPass<float>::create(config, layout, 2, 40, Keep::everything).value();
      QVERIFY(pass->run(parameters, sequences.batch(), nullptr, 1));
      logits.emplace_back(pass->logits(1).begin(), pass->logits(1).end());
    }
    QCOMPARE(logits[1], logits[0]);
    mask.mask = "1 // (q_idx - 20) > 0";
    const auto refused = TransformerPass<float>::create(mask, layout, 1, 40, Keep::logits);
    QVERIFY(!refused && refused.error().message.starts_with("mask"));
  }

  /// Without gradients the layers share their memory, and long sequences go through in blocks.
  void logits_alone_are_the_same() {
    const TransformerConfig config = five_tokens();
    const auto layout = parameter_layout(config).value();
    const auto parameters = initial_weights<float>(config, layout, 4);
    const Sequences sequences(9, 150);
    const auto kept = TransformerPass<float>::create(config, layout, 9, 150, Keep::everything).value();
    const auto alone = TransformerPass<float>::create(config, layout, 9, 150, Keep::logits).value();
    const double loss = kept->run(parameters, sequences.batch(), nullptr, 2)->loss;
    QCOMPARE(alone->run(parameters, sequences.batch(), nullptr, 1)->loss, loss);
    for (Index row = 0; row < 9; ++row) QVERIFY(std::ranges::equal(kept->logits(row), alone->logits(row)));
  }

  /// One run does not affect the next.
  void passes_are_used_again() {
    const TransformerConfig config = five_tokens();
    const auto layout = parameter_layout(config).value();
    const auto parameters = initial_weights<float>(config, layout, 4);
    auto first = zeros_of<float>(layout), again = first;
    const Sequences sequences(2, 6);
    Batch packed = sequences.batch();
    const std::vector<std::int32_t> documents{0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1};
    packed.doc_ids = documents;
    const auto pass = TransformerPass<float>::create(config, layout, 2, 6, Keep::everything).value();
    QVERIFY(pass->run(parameters, sequences.batch(), &first, 1));
    QVERIFY(pass->run(parameters, packed, &again, 1));
    QVERIFY(first.values != again.values);
    QVERIFY(pass->run(parameters, sequences.batch(), &again, 1));
    QCOMPARE(again.values, first.values);
  }

  void initial_weights_of_the_recipe() {
    const TransformerConfig config{
        .vocab = 300, .n_layers = 8, .pos = PositionKind::relative_bias, .relative_bias = "kerple_log"};
    const auto layout = parameter_layout(config).value();
    const auto weights = initial_weights<double>(config, layout, 1);
    const auto spread = [&](const char* name) { return spread_of(weights.tensor(*layout->find(name))); };
    QCOMPARE(spread("model.layers.1.input_layernorm.weight"), 1.0);
    QVERIFY(std::abs(spread("model.embed_tokens.weight") / 0.5 - 1) < 0.05);
    QVERIFY(std::abs(spread("lm_head.weight") / 0.02 - 1) < 0.05);
    QVERIFY(std::abs(spread("model.layers.1.self_attn.q_proj.weight") * 8 - 1) < 0.05);
    QVERIFY(std::abs(spread("model.layers.1.mlp.down_proj.weight") * std::sqrt(128.0) * 4 - 1) < 0.05);
    QVERIFY(weights.values != initial_weights<double>(config, layout, 2).values);
    QCOMPARE(weights.values, initial_weights<double>(config, layout, 1).values);
  }

  void kerple_stays_positive() {
    const TransformerConfig config{.pos = PositionKind::relative_bias, .relative_bias = "kerple_log"};
    auto weights = zeros_of<float>(parameter_layout(config).value());
    *weights.at(weights.layout->layers[1].learnt_bias + 7) = 0.5F;
    clamp_learnt_bias(config, weights);
    QCOMPARE(*weights.at(weights.layout->layers[0].learnt_bias), 0.01F);
    QCOMPARE(*weights.at(weights.layout->layers[1].learnt_bias + 7), 0.5F);
    QCOMPARE(*weights.at(weights.layout->head), 0.0F);
  }
};

VQSCOPE_TEST(TransformerTest)
#include "transformer_test.moc"
