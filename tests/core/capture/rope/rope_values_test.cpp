// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/rope/rope_values.h"

#include "core/capture/rope/frequency_family.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/rope/rope_scaling.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

/// Answers as the values of a page, which must turn as they say.
class RopeValuesTest : public test::TestCase {
  Q_OBJECT

 private:
  static WhichRope answer(const FrequencyFamily& family, const char* type, Index rotary_dim, Index head_dim) {
    WhichRope rope;
    rope.rope_type = type;
    rope.pair_layout = PairLayout::interleaved;
    rope.rotary_dim = rotary_dim;
    rope.head_dim = head_dim;
    rope.positions = {{0, 1, 2}};
    rope.inv_freq = family.frequencies(rotary_dim / 2, rotary_dim, head_dim);
    return rope;
  }
  static void turns_alike(const WhichRope& rope) {
    const auto values = rope_values(rope);
    QVERIFY2(values.has_value(), values ? "" : values.error().message.c_str());
    ParameterValues::Map set = values->map();
    auto specs = rope_curve_parameters(64);
    specs.push_back(pair_layout_parameter());
    const auto shown = rope_frequencies(rope_scaling_from(default_values(specs, set))).inv_freq;
    QCOMPARE(shown.size(), rope.inv_freq.size());
    for (std::size_t pair = 0; pair < shown.size(); ++pair)
      QVERIFY(std::abs(static_cast<double>(shown[pair]) / rope.inv_freq[pair] - 1) < 1e-9);
  }

 private slots:
  void each_type_turns_as_it_was_told() {
    WhichRope rope = answer({.rule = FrequencyRule::plain, .theta = 5e5}, "default", 16, 32);
    rope.rope_theta = 5e5;
    turns_alike(rope);
    QCOMPARE(rope_values(rope)->choice("pair_layout"), std::string("interleaved"));
    QCOMPARE(rope_values(rope)->integer("rotary_dim"), Index{16});
    QVERIFY2(!rope_values(rope)->find("factor"), "default has none");

    rope = answer({.rule = FrequencyRule::llama3, .theta = 5e5, .factor = 8, .original = 8192}, "llama3", 32, 32);
    rope.rope_theta = 5e5, rope.factor = 8, rope.original_max_position_embeddings = 8192;
    turns_alike(rope);

    rope = answer({.rule = FrequencyRule::proportional, .theta = 1e6}, "proportional", 16, 64);
    rope.rope_theta = 1e6;
    turns_alike(rope);
  }

  void frequencies_without_a_formula_become_lists() {
    WhichRope rope = answer({}, "unknown", 8, 8);
    rope.inv_freq = {1, 0.07, 0.02, 0.0001};
    rope.attention_factor = 1.2;
    turns_alike(rope);
    QCOMPARE(rope_values(rope)->real("attention_factor"), 1.2);
    rope.inv_freq[2] = 0;
    COMPARE_TEXT(rope_values(rope).error().message, "pair 2 turns by 0 radians a position, which no type of RoPE has");
    rope.rope_type.reset();
    COMPARE_TEXT(rope_values(rope).error().message,
                 "llama3 and yarn fit these tensors alike; a longer capture tells them apart");
  }
};

VQSCOPE_TEST(RopeValuesTest)
#include "rope_values_test.moc"
