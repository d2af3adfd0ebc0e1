// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/forms/decoder.h"

#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr SampleShape sample_shape{.length = 90, .heads = 2};

/// Where decoding is not attention over all tokens at once, or nothing.
std::string decoder_differs(const AttentionSample& sample, const AttentionOptions& options) {
  const AttentionInput input = sample.input();
  auto decoder = VqDecoder::make(input.codebook, sample_shape.heads, sample_shape.d_v, input.bias, options);
  if (!decoder) return decoder.error().message;
  std::vector<float> got(sample.q.size() / 8 * 12);
  for (Index i = 0; i < sample_shape.length; ++i) {
    std::vector<float> queries;
    for (Index head = 0; head < sample_shape.heads; ++head)
      queries.insert(queries.end(), input.q.row(head, i), input.q.row(head, i) + sample_shape.d_k);
    std::vector<float> out(static_cast<std::size_t>(sample_shape.heads * sample_shape.d_v));
    decoder->step(queries.data(), input.k.row(0, i), input.v.row(0, i), out.data());
    for (Index head = 0; head < sample_shape.heads; ++head)
      std::copy_n(out.begin() + head * sample_shape.d_v, sample_shape.d_v,
                  got.begin() + (head * sample_shape.length + i) * sample_shape.d_v);
  }
  return farther(got, attention(input, options)->values, 2e-6, sample.v);
}

}  // namespace

class DecoderTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void decoding_token_by_token_equals_the_whole() {
    for (const bool agg_cache : {true, false})
      for (const Index block_len : {1, 7, 16, 90, 200})
        for (const Index window : {-1, 0, 5, 16, 40}) {
          AttentionSample sample(sample_shape);
          if (window >= 0) sample.bias = random_bias(window, 2);
          COMPARE_TEXT(decoder_differs(sample, {.block_len = block_len, .agg_cache = agg_cache}), "");
          if (window >= 0) sample.bias = random_relative_bias(window, sample_shape.d_k);
          COMPARE_TEXT(decoder_differs(sample, {.block_len = block_len, .agg_cache = agg_cache}), "");
        }
  }

  void memory_is_bounded() {
    AttentionSample sample(sample_shape);
    sample.bias = random_bias(16, 2);
    const AttentionInput input = sample.input();
    auto decoder = VqDecoder::make(input.codebook, 2, 12, input.bias, {.block_len = 16}).value();
    std::vector<float> out(24);
    for (Index i = 0; i < sample_shape.length; ++i) {
      decoder.step(input.q.row(0, i), input.k.row(0, i), input.v.row(0, i), out.data());
      QVERIFY(decoder.kept() <= 32);
    }
    QCOMPARE(decoder.length(), sample_shape.length);
  }

  void bad_shapes_are_refused() {
    const AttentionSample sample(sample_shape);
    const auto refused = VqDecoder::make(sample.input().codebook, 2, 12, {}, {.block_len = 0});
    COMPARE_ERROR(refused, "block_len is 0 but must be 1 or more");
    COMPARE_ERROR(VqDecoder::make({{}, 1, 0, 8}, 2, 12, {}, {}), "n_code is 0 but must be at least 1");
  }
};

VQSCOPE_TEST(DecoderTest)
#include "decoder_test.moc"
