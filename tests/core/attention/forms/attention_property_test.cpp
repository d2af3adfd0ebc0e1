// SPDX-License-Identifier: GPL-3.0-or-later
// Every form against its definition in double, over random shapes, head types, biases and reductions.
#include "core/attention/forms/attention.h"
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

constexpr std::array forms{AttentionForm::exact, AttentionForm::vq_quadratic, AttentionForm::vq_linear};

struct Drawn {
  SampleShape shape;
  AttentionOptions options;
  Index window = -1;  ///< of a bias; -1: none
  bool relative = false;
  Index invalid = 0;  ///< keys

  std::string text() const {
    return "T " + to_text(shape.length) + ", heads " + to_text(shape.heads) + "/" + to_text(shape.kv_heads) + "/" +
           to_text(shape.codebooks) + ", n_code " + to_text(shape.n_code) + ", d " + to_text(shape.d_k) + "/" +
           to_text(shape.d_v) + ", form " + to_text(static_cast<Index>(options.form)) + ", block " +
           to_text(options.block_len) + ", reduction " + to_text(static_cast<Index>(options.reduction)) + ", threads " +
           to_text(Index{options.threads}) + ", causal " + to_text(Index{options.causal}) + ", agg_cache " +
           to_text(Index{options.agg_cache}) + ", window " + to_text(window) + ", invalid " + to_text(invalid);
  }
};

Drawn draw(Random& random) {
  Drawn drawn;
  SampleShape& shape = drawn.shape;
  shape.kv_heads = pick(random, 1, 3);
  shape.heads = shape.kv_heads * pick(random, 1, 3);
  shape.codebooks = pick(random, 0, 1) ? shape.kv_heads : 1;
  shape.length = pick(random, 1, 48);
  shape.n_code = pick(random, 1, 20);
  shape.d_k = pick(random, 1, 20);
  shape.d_v = pick(random, 1, 20);
  shape.gated = pick(random, 0, 2) == 0;
  AttentionOptions& options = drawn.options;
  options.form = forms[static_cast<std::size_t>(pick(random, 0, 2))];
  options.causal = pick(random, 0, 4) != 0;
  options.block_len = pick(random, 1, pick(random, 0, 1) ? 10 : 90);
  options.reduction = static_cast<CacheReduction>(pick(random, 0, 3));
  options.agg_cache = !options.causal || pick(random, 0, 3) != 0;
  options.threads = static_cast<int>(pick(random, 1, 3));
  if (options.causal && pick(random, 0, 1)) drawn.window = pick(random, 0, 80);
  drawn.relative = pick(random, 0, 2) == 0;
  drawn.invalid = pick(random, 0, 2) == 0 ? pick(random, 0, shape.length) : 0;
  return drawn;
}

AttentionSample sample_of(const Drawn& drawn, Random& random) {
  AttentionSample sample(drawn.shape, random());
  if (drawn.window >= 0) sample.bias = random_bias(drawn.window, pick(random, 0, 1) ? drawn.shape.heads : 1, random());
  if (drawn.window >= 0 && drawn.relative) {
    const auto relative = random_relative_bias(drawn.window, drawn.shape.d_k, random());
    sample.bias.relative = relative.relative;
    sample.bias.offset = relative.offset;
  }
  if (drawn.invalid == 0) return sample;
  sample.valid.assign(static_cast<std::size_t>(drawn.shape.length), 1);
  for (Index i = 0; i < drawn.invalid; ++i) {
    const Index key = pick(random, 0, drawn.shape.length - 1);
    sample.valid[static_cast<std::size_t>(key)] = 0;
    std::fill_n(sample.v.begin() + key * drawn.shape.d_v, drawn.shape.d_v, std::numeric_limits<float>::infinity());
  }
  return sample;
}

}  // namespace

class AttentionPropertyTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void every_form_agrees_with_its_definition() {
    Random random(20);
    for (int round = 0; round < 250; ++round) {
      const Drawn drawn = draw(random);
      AttentionSample sample = sample_of(drawn, random);
      if (SeededRandom logits(random()); round % 3 == 0)
        sample.bias.sinks = normal_numbers(logits, round % 2 == 0 ? drawn.shape.heads : 1);
      const auto input = sample.input();
      const auto got = attention(input, drawn.options);
      QVERIFY2(got, (drawn.text() + ": " + (got ? "" : got.error().message)).c_str());
      const std::string differs =
          farther(got->values, AttentionDefinition(input, drawn.options).output(), 4e-6, sample.v);
      QVERIFY2(differs.empty(), (drawn.text() + ": " + differs).c_str());
    }
  }

  /// Softmax does not see a number that is added to all scores, nor the output the order of the
  /// codewords.
  void invariances() {
    Random random(21);
    for (int round = 0; round < 60; ++round) {
      Drawn drawn = draw(random);
      drawn.options.causal = true;
      drawn.window = pick(random, 0, 20);
      drawn.relative = false;
      AttentionSample sample = sample_of(drawn, random);
      const auto before = attention(sample.input(), drawn.options).value().values;
      for (auto* part : {&sample.bias.values, &sample.bias.beyond})
        for (float& value : *part) value += 3;
      COMPARE_TEXT(farther(attention(sample.input(), drawn.options).value().values, before, 1e-5, sample.v), "");
      const auto width = drawn.shape.n_code * drawn.shape.d_k;
      for (Index head = 0; head < drawn.shape.codebooks; ++head)
        for (Index s = 0; s < drawn.shape.n_code / 2; ++s)
          std::swap_ranges(sample.codebook.begin() + head * width + s * drawn.shape.d_k,
                           sample.codebook.begin() + head * width + (s + 1) * drawn.shape.d_k,
                           sample.codebook.begin() + (head + 1) * width - (s + 1) * drawn.shape.d_k);
      COMPARE_TEXT(farther(attention(sample.input(), drawn.options).value().values, before, 1e-5, sample.v), "");
    }
  }

  /// Later tokens are not seen: a longer sequence begins with the same output.
  void prefix_output_does_not_depend_on_later_tokens() {
    Random random(22);
    for (int round = 0; round < 40; ++round) {
      const Index length = pick(random, 2, 60);
      const AttentionSample sample({.length = length, .n_code = 7, .d_k = 5, .d_v = 3}, random());
      const Index kept = pick(random, 1, length - 1);
      AttentionInput prefix = sample.input();
      for (TensorView* tensor : {&prefix.q, &prefix.k, &prefix.v}) {
        tensor->values = tensor->values.first(static_cast<std::size_t>(kept * tensor->cols));
        tensor->rows = kept;
      }
      for (const auto form : forms) {
        const AttentionOptions options{.form = form, .block_len = pick(random, 1, 20)};
        auto whole = attention(sample.input(), options).value().values;
        whole.resize(static_cast<std::size_t>(kept * 3));
        COMPARE_TEXT(farther(attention(prefix, options).value().values, whole, 2e-6, sample.v), "");
      }
    }
  }
};

VQSCOPE_TEST(AttentionPropertyTest)
#include "attention_property_test.moc"
