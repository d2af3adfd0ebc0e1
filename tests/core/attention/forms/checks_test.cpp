// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/attention_forms.h"

#include "core/attention/forms/attention.h"
#include "core/attention/forms/form_parts.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>

using namespace vqscope;
using namespace vqscope::test;

class AttentionChecksTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void shapes() {
    const AttentionSample sample({.length = 10, .heads = 3, .kv_heads = 3, .d_k = 4, .d_v = 2, .gated = true});
    const auto with = [&](auto change) {
      AttentionInput input = sample.input();
      change(input);
      return check_attention(input, {});
    };
    QVERIFY(with([](AttentionInput&) {}).has_value());
    COMPARE_ERROR(with([](AttentionInput& in) { in.q.rows = 0; }), "q is [3, 0, 4] but must not be empty");
    COMPARE_ERROR(with([](AttentionInput& in) { in.k.cols = 2; }),
                  "q is [3, 10, 4], k is [3, 10, 2]: both must have the same d_k, their last dimension");
    COMPARE_ERROR(with([](AttentionInput& in) { in.k.rows = 9; }),
                  "q is [3, 10, 4], k is [3, 9, 4]: both must have the same number of tokens");
    COMPARE_ERROR(with([](AttentionInput& in) { in.v.rows = 9; }),
                  "k is [3, 10, 4], v is [3, 9, 2]: every key needs one value");
    COMPARE_ERROR(with([](AttentionInput& in) { in.k.heads = in.v.heads = 2; }),
                  "q is [3, 10, 4], k is [2, 10, 4]: the heads of q must be a multiple of those of k");
    COMPARE_ERROR(with([](AttentionInput& in) { in.gate.cols = 1; }),
                  "gate is [3, 10, 1], v is [3, 10, 2]: gate must be [3, 10, 2], the output's shape");
    COMPARE_ERROR(with([](AttentionInput& in) { in.codebook = {}; }), "n_code is 0 but must be at least 1");
    COMPARE_ERROR(with([](AttentionInput& in) { in.codebook.cols = 2; }),
                  "codebook is [12, 2], k is [3, 10, 4]: both must have the same d_k, their last dimension");
    COMPARE_ERROR(with([](AttentionInput& in) { in.codebook.heads = 2; }),
                  "codebook is [2, 12, 4], k is [3, 10, 4]: must be one codebook for all heads of k, or one per head");
    const std::vector<std::uint8_t> valid(9, 1);
    COMPARE_ERROR(with([&](AttentionInput& in) { in.key_valid = valid; }),
                  "key_valid has 9 entries but must have 10, one for each key");
  }

  void head_types() {
    const AttentionSample sample({.heads = 2, .kv_heads = 2});
    const auto with = [](const AttentionSample& given, HeadType type) {
      return check_attention(given.input(), {.head_type = type});
    };
    COMPARE_ERROR(with(sample, HeadType::shga), "q has 2 heads but must have 1 for head type shga");
    COMPARE_ERROR(with(AttentionSample({}), HeadType::shga),
                  "gate is missing: head type shga multiplies the output by it");
    COMPARE_ERROR(with(sample, HeadType::mqa), "k has 2 heads but must have 1 for head type mqa");
    COMPARE_ERROR(with(AttentionSample({.heads = 2}), HeadType::mha),
                  "k has 1 heads and q has 2, but head type mha needs the same number");
  }

  void biases() {
    AttentionSample sample({});
    sample.bias = {.window = 3, .values = {1, 2}};
    COMPARE_ERROR(check_attention(sample.input(), {}),
                  "bias values has 2 numbers but must have 4 for all heads, or for each of 1");
    sample.bias = {.window = -1, .beyond = {1}};
    COMPARE_ERROR(check_attention(sample.input(), {}), "the bias's window is -1 but must be 0 to 2147483648");
    sample.bias = {.window = 0, .values = {1}};
    COMPARE_ERROR(check_attention(sample.input(), {.causal = false}), "a bias by distance requires the causal mask");
    sample.bias.values[0] = std::numeric_limits<float>::quiet_NaN();
    COMPARE_ERROR(attention(sample.input(), {}), "bias values has nan at 0 but must be finite, or -inf to hide");
    sample.bias = {.window = 0, .offset = {1, 2, 3, 4, 5, 6, 7, std::numeric_limits<float>::infinity()}};
    COMPARE_ERROR(attention(sample.input(), {}), "bias offset has inf at 7 but must be finite");
  }

  void numbers_that_are_not_finite() {
    AttentionSample sample({.heads = 2, .kv_heads = 2});
    sample.k[8 * 96 + 8 * 5 + 3] = -std::numeric_limits<float>::infinity();
    COMPARE_ERROR(attention(sample.input(), {}), "k has -inf at head 1, row 5, column 3 but must be finite");
    sample.valid.assign(96, 1);
    sample.valid[5] = 0;
    QVERIFY(attention(sample.input(), {}).has_value());
    sample.q[8] = std::numeric_limits<float>::quiet_NaN();
    COMPARE_ERROR(attention(sample.input(), {}), "q has nan at head 0, row 1, column 0 but must be finite");
    AttentionSample one({});
    one.codebook[9] = std::numeric_limits<float>::quiet_NaN();
    COMPARE_ERROR(attention(one.input(), {}), "codebook has nan at row 1, column 1 but must be finite");
    QVERIFY(attention(one.input(), {.form = AttentionForm::exact}).has_value());
  }

  void options_and_memory() {
    const AttentionSample sample({});
    COMPARE_ERROR(attention(sample.input(), {.block_len = 0}), "block_len is 0 but must be 1 or more");
    const auto refused = attention(sample.input(), {.memory_limit = 1000});
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, Errc::too_large);
    QVERIFY(QString::fromStdString(refused.error().message).startsWith("attention over 96 tokens needs "));
    QVERIFY(attention(sample.input(), {.memory_limit = 1e9}).has_value());
    QVERIFY(attention(sample.input(), {.block_len = std::numeric_limits<Index>::max()}).has_value());
  }

  /// Memory of the linear form besides its output and shortcodes.
  void memory_does_not_grow_with_the_length() {
    const auto work = [](Index length, CacheReduction reduction) {
      AttentionInput input;
      input.q = input.k = {{}, 1, length, 128};
      input.v = {{}, 1, length, 256};
      input.codebook = {{}, 1, 512, 128};
      const auto tokens = static_cast<double>(length);
      return attention_memory(input, {.reduction = reduction, .threads = 2}) - tokens * (4 * 256 + 4);
    };
    for (const auto reduction : {CacheReduction::serial_scan, CacheReduction::input_scan})
      QCOMPARE(work(1 << 20, reduction), work(1 << 14, reduction));
    QVERIFY(work(1 << 20, CacheReduction::matmul) > 1e9);
  }
};

VQSCOPE_TEST(AttentionChecksTest)
#include "checks_test.moc"
