// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/attention.h"

#include "core/attention/bias/mask_window.h"
#include "core/mask/language/plain_mask.h"
#include "tests/core/attention/forms/attention_definition.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr std::array all_reductions{CacheReduction::serial_scan, CacheReduction::matmul,
                                    CacheReduction::associative_scan, CacheReduction::input_scan};
constexpr std::array all_forms{AttentionForm::exact, AttentionForm::vq_quadratic, AttentionForm::vq_linear};

/// Where attention() is not its definition, or nothing.
std::string differs(const AttentionSample& sample, const AttentionOptions& options, double allowed = 2e-6) {
  const AttentionInput input = sample.input();
  const auto got = attention(input, options);
  if (!got) return got.error().message;
  return farther(got->values, AttentionDefinition(input, options).output(), allowed, sample.v);
}

#define COMPARE_NONE(text) COMPARE_TEXT(text, "")

}  // namespace

class AttentionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Two codewords, four tokens; ln 3 apart in score, so that weights are 3 : 1.
  void by_hand() {
    const std::vector<float> codebook{0, std::log(3.0F)};
    const std::vector<float> q{1, 1, 1, 0};
    const std::vector<float> k{0.1F, 1.0F, -0.2F, 1.3F};  // codes 0 1 0 1
    const std::vector<float> v{8, 16, 24, 4};
    AttentionInput input{.q = {q, 1, 4, 1}, .k = {k, 1, 4, 1}, .v = {v, 1, 4, 1}, .codebook = {codebook, 1, 2, 1}};
    const std::vector<float> wanted{8, (8 + 3 * 16) / 4.0F, (8 + 3 * 16 + 24) / 5.0F, (8 + 16 + 24 + 4) / 4.0F};
    for (const Index block_len : {1, 2, 3, 4, 100}) {
      const auto got = attention(input, {.block_len = block_len}).value();
      QCOMPARE(got.shortcodes, (std::vector<std::int32_t>{0, 1, 0, 1}));
      QCOMPARE(got.padded, block_len == 3 ? Index{2} : block_len == 100 ? Index{96} : Index{0});
      COMPARE_NONE(farther(got.values, wanted, 1e-6, v));
    }
    const auto encoder = attention(input, {.causal = false}).value();
    COMPARE_NONE(farther(encoder.values, std::vector<float>{11.5F, 11.5F, 11.5F, 13}, 1e-6, v));
  }

  void every_form_agrees_with_its_definition() {
    for (const AttentionForm form : all_forms)
      for (const bool causal : {true, false})
        for (const Index length : {1, 5, 64, 133}) {
          const AttentionSample sample({.length = length, .heads = 2, .kv_heads = 2, .codebooks = 2});
          COMPARE_NONE(differs(sample, {.form = form, .causal = causal, .block_len = 16}));
        }
  }

  void every_reduction_head_type_and_block_length() {
    const AttentionSample shga({.gated = true});
    const AttentionSample mqa({.heads = 3});
    const AttentionSample mha({.heads = 3, .kv_heads = 3, .codebooks = 3});
    for (const CacheReduction reduction : all_reductions)
      for (const Index block_len : {1, 7, 32, 48, 96, 200})
        for (const auto& [type, sample] :
             {std::pair{HeadType::shga, &shga}, {HeadType::mqa, &mqa}, {HeadType::mha, &mha}})
          COMPARE_NONE(
              differs(*sample, {.head_type = type, .block_len = block_len, .reduction = reduction, .threads = 2}));
  }

  /// The two forms against each other where their definition would take too long: 8192 tokens, 16
  /// to 128 blocks.
  void linear_form_equals_quadratic_form_for_long_sequences() {
    const SampleShape shga{.length = 8192, .n_code = 40, .d_k = 16, .d_v = 24, .gated = true};
    const SampleShape mqa{.length = 8192, .heads = 2, .n_code = 40, .d_k = 16, .d_v = 16};
    SampleShape mha = mqa;
    mha.kv_heads = mha.codebooks = 2;
    for (const auto& [type, shape] : {std::pair{HeadType::shga, shga}, {HeadType::mqa, mqa}, {HeadType::mha, mha}}) {
      const AttentionSample sample(shape);
      AttentionOptions options{.form = AttentionForm::vq_quadratic, .head_type = type, .threads = 2};
      const auto quadratic = attention(sample.input(), options).value();
      options.form = AttentionForm::vq_linear;
      for (const Index block_len : {64, 128, 512})
        for (const CacheReduction reduction : all_reductions) {
          options.block_len = block_len;
          options.reduction = reduction;
          const auto linear = attention(sample.input(), options).value();
          QCOMPARE(linear.shortcodes, quadratic.shortcodes);
          COMPARE_NONE(farther(linear.values, quadratic.values, 2e-6, sample.v));
        }
    }
  }

  /// Blocks of many strips of queries; some codes that no key has, and one that all keys have.
  void the_keys_of_a_block_move_into_its_cache() {
    for (const Index n_code : {1, 12, 400}) {
      AttentionSample sample({.length = 300, .heads = 2, .n_code = n_code});
      sample.bias.sinks = {0.5F};
      for (const bool some_invalid : {false, true}) {
        if (some_invalid) sample.valid.assign(300, 1);
        for (Index j = 0; j < 300 && some_invalid; ++j)
          if (j < 70 || j % 5 == 0) sample.valid[static_cast<std::size_t>(j)] = 0;
        for (const Index block_len : {65, 128, 200, 1000})
          for (const auto reduction : {CacheReduction::serial_scan, CacheReduction::input_scan})
            COMPARE_NONE(differs(sample, {.block_len = block_len, .reduction = reduction}));
      }
    }
  }

  void biases_within_and_beyond_blocks() {
    for (const AttentionForm form : all_forms)
      for (const Index window : {0, 3, 16, 17, 40, 120})
        for (const Index block_len : {8, 16, 50}) {
          AttentionSample sample({.heads = 2});
          sample.bias = random_bias(window, 2);
          COMPARE_NONE(differs(sample, {.form = form, .block_len = block_len}));
          sample.bias = random_relative_bias(window, 8);
          COMPARE_NONE(differs(sample, {.form = form, .block_len = block_len}));
        }
  }

  void a_bias_of_minus_infinity_hides() {
    for (const AttentionForm form : all_forms) {
      AttentionSample sample({});
      sample.bias = {.window = 20, .values = std::vector<float>(21), .beyond = {-infinity}};
      sample.bias.values[3] = -infinity;
      COMPARE_NONE(differs(sample, {.form = form, .block_len = 16}));
    }
  }

  void without_the_cache_only_near_blocks_are_seen() {
    for (const AttentionForm form : {AttentionForm::vq_quadratic, AttentionForm::vq_linear})
      for (const Index window : {-1, 5, 40}) {
        AttentionSample sample({.length = 100});
        if (window >= 0) sample.bias = random_bias(window, 1);
        COMPARE_NONE(differs(sample, {.form = form, .block_len = 16, .agg_cache = false}));
      }
  }

  /// A query without visible keys gives zeros; an unseen key does not affect the output.
  void a_mask_hides() {
    const AttentionSample sample({.length = 700, .heads = 2, .kv_heads = 1});
    for (const char* text : {"q_idx - kv_idx < 40", "(q_idx + kv_idx) % 3 == 0", "kv_idx > q_idx", "kv_idx >= 600"}) {
      const auto mask = plain_mask(text, 700).value();
      AttentionInput input = sample.input();
      input.mask = mask.get();
      for (const bool causal : {true, false})
        for (const AttentionForm form : {AttentionForm::exact, AttentionForm::vq_quadratic}) {
          const AttentionOptions options{.form = form, .causal = causal, .threads = 2};
          const auto got = attention(input, options).value().values;
          const AttentionDefinition definition(input, options);
          for (const Index query : {0, 5, 599, 600, 699}) {
            const auto wanted = definition.output(1, query);
            const auto begin = got.begin() + (700 + query) * 12;
            COMPARE_TEXT(farther(std::vector<float>(begin, begin + 12), wanted, 2e-6, sample.v), "");
          }
        }
      COMPARE_ERROR(attention(input, {}),
                    "the linear form takes no mask: give it as a bias by distance, or choose the quadratic form");
    }
    const auto mask = plain_mask("True", 5).value();
    AttentionInput input = sample.input();
    input.mask = mask.get();
    COMPARE_ERROR(attention(input, {.form = AttentionForm::exact}),
                  "mask is [5, 5] but must be [700, 700], queries by keys");
  }

  void invalid_keys_do_not_leak() {
    for (const AttentionForm form : all_forms)
      for (const bool causal : {true, false}) {
        AttentionSample sample({.length = 70, .heads = 2, .kv_heads = 2});
        sample.valid.assign(70, 1);
        for (const Index j : {0, 1, 20, 21, 22, 40, 69}) {
          sample.valid[static_cast<std::size_t>(j)] = 0;
          for (const Index row : {j, 70 + j}) {
            std::fill_n(sample.k.begin() + row * 8, 8, not_a_number);
            std::fill_n(sample.v.begin() + row * 12, 12, row == j ? not_a_number : infinity);
          }
        }
        COMPARE_NONE(differs(sample, {.form = form, .causal = causal, .block_len = 16}));
        const auto got = attention(sample.input(), {.form = form, .causal = causal, .block_len = 16}).value();
        if (causal) QVERIFY(std::all_of(got.values.begin(), got.values.begin() + 24, [](float x) { return x == 0; }));
        if (form != AttentionForm::exact) QCOMPARE(got.shortcodes[20], -1);
      }
  }

  void skipped_blocks_above_the_diagonal_do_not_change_the_output() {
    AttentionSample sample({.length = 700});
    sample.bias = random_bias(30, 1);
    const AttentionOptions options{.form = AttentionForm::exact};
    const auto skipped = attention(sample.input(), options).value();
    const auto all = attention(sample.input(), {.form = AttentionForm::exact, .skip_hidden = false}).value();
    COMPARE_NONE(farther(all.values, skipped.values, 1e-6, sample.v));
    COMPARE_NONE(differs(sample, options));
  }

  void output_does_not_depend_on_threads() {
    const AttentionSample without_bias({.length = 300, .heads = 4, .kv_heads = 2, .d_v = 70});
    AttentionSample with_bias = without_bias;
    with_bias.bias = random_bias(20, 4);
    for (const auto& [sample, block_len] :
         {std::pair<const AttentionSample*, Index>{&with_bias, 16}, {&without_bias, 16}, {&without_bias, 100}})
      for (const AttentionForm form : all_forms)
        for (const CacheReduction reduction : all_reductions) {
          AttentionOptions options{.form = form, .block_len = block_len, .reduction = reduction};
          const std::vector<float> one = attention(sample->input(), options).value().values;
          for (const int threads : {2, 3, 7}) {
            options.threads = threads;
            QCOMPARE(attention(sample->input(), options).value().values, one);
          }
        }
  }

  void every_build_of_the_kernels_agrees() {
    const AttentionSample sample({.length = 150, .heads = 2, .n_code = 37, .d_k = 19, .d_v = 21});
    const auto best = attention(sample.input(), {.block_len = 32}).value();
    COMPARE_TEXT(best.kernels, best_kernels().name);
    for (const AttentionKernels* kernels : usable_kernels())
      for (const AttentionForm form : all_forms) {
        const AttentionOptions options{.form = form, .block_len = 32, .kernels = kernels};
        COMPARE_NONE(differs(sample, options));
        const auto got = attention(sample.input(), options).value();
        if (form != AttentionForm::exact) QCOMPARE(got.shortcodes, best.shortcodes);
      }
  }

  /// exp of scores as large as these would leave float32 at once, and so would a maximum over codes
  /// that no key has.
  void large_scores_stay_finite() {
    AttentionSample sample({});
    for (float& x : sample.q) x *= 300;
    std::fill_n(sample.codebook.begin(), 8, 1e6F);
    for (const AttentionForm form : all_forms) COMPARE_NONE(differs(sample, {.form = form, .block_len = 16}, 1e-3));
  }

  void cancelled_work_returns_cancelled() {
    const AttentionSample sample({});
    std::stop_source stop;
    stop.request_stop();
    for (const AttentionForm form : all_forms) {
      const auto got = attention(sample.input(), {.form = form}, {.stop = stop.get_token()});
      QVERIFY(!got);
      QCOMPARE(got.error().code, Errc::cancelled);
    }
  }

  void progress_ends_at_one() {
    const AttentionSample sample({.heads = 2});
    for (const AttentionForm form : all_forms)
      for (const bool causal : {true, false}) {
        std::vector<double> fractions;
        Work work;
        work.progress = [&](double fraction) { fractions.push_back(fraction); };
        QVERIFY(attention(sample.input(), {.form = form, .causal = causal, .block_len = 16}, work).has_value());
        QVERIFY(!fractions.empty() && std::ranges::is_sorted(fractions));
        QCOMPARE(fractions.back(), 1.0);
      }
  }
};

VQSCOPE_TEST(AttentionTest)
#include "attention_test.moc"
