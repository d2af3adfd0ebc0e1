// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rope/rope_reading.h"

#include "core/base/text.h"
#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <optional>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "interleaved" or the distance within a pair, then the sections.
std::string layout_of(const char* family, const std::string& config, const ConfigHead& head = {.head_dim = 128},
                      const std::string& rope = {}) {
  GivenConfig given(config);
  std::optional<GivenConfig> scaling;
  if (!rope.empty()) scaling.emplace(rope, "rope_scaling");
  RopeUse use;
  read_layout(given.object, scaling ? &scaling->object : nullptr, find_model_family(family), head, use);
  std::string text = use.interleaved ? "interleaved" : std::to_string(use.apart) + " apart";
  for (const double each : use.mrope_section) text += " " + plain_text(each);
  return use.mrope_interleaved ? text + " in turns" : text;
}

RopeUse use_of(double theta, Index head_dim, Index rotary_dim) {
  RopeUse use;
  use.rope_theta = use.scaling.rope_theta = theta;
  use.scaling.head_dim = head_dim;
  use.scaling.rotary_dim = rotary_dim;
  use.scaling.factor = 1;
  return use;
}

}  // namespace

class ConfigRopeFamilyTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void layouts_of_families() {
    COMPARE_TEXT(layout_of("llama", "{}"), "64 apart");
    COMPARE_TEXT(layout_of("gptj", "{}"), "interleaved");
    COMPARE_TEXT(layout_of("gpt_neox", "{}", {.head_dim = 128, .rotary_dim = 32}), "16 apart");
    COMPARE_TEXT(layout_of("new", "{}"), "64 apart");
    COMPARE_TEXT(layout_of("new", "{}", {.head_dim = 64, .latent = true}), "interleaved");
  }

  void a_key_wins_over_the_family() {
    COMPARE_TEXT(layout_of("llama", "{'rope_interleave': true}"), "interleaved");
    COMPARE_TEXT(layout_of("gptj", "{'rotary_emb_interleaved': false}"), "64 apart");
    COMPARE_TEXT(layout_of("deepseek_v3", "{'rope_interleave': false}", {.head_dim = 64, .latent = true}), "32 apart");
  }

  /// A family of latent attention that writes qk_rope_head_dim 0 is one without it, and rotates as
  /// Llama.
  void a_family_without_its_own_attention() {
    COMPARE_TEXT(layout_of("deepseek_v3", "{'qk_rope_head_dim': 0}"), "64 apart");
    COMPARE_TEXT(layout_of("deepseek_v3", "{'qk_rope_head_dim': 64}", {.head_dim = 64, .latent = true}), "interleaved");
  }

  /// Qwen2-VL: 16, 24 and 24 pairs in a run; Qwen3-VL: the axes take turns.
  void sections_by_axis() {
    COMPARE_TEXT(layout_of("qwen2_vl_text", "{}", {.head_dim = 128}, "{'mrope_section': [16, 24, 24]}"),
                 "64 apart 16 24 24");
    COMPARE_TEXT(layout_of("qwen3_vl_text", "{}", {.head_dim = 128},
                           "{'mrope_section': [24, 20, 20], 'mrope_interleaved': true}"),
                 "64 apart 24 20 20 in turns");
    COMPARE_TEXT(layout_of("llama", "{}", {.head_dim = 128}, "{'mrope_section': 'x'}"), "64 apart");
  }

  /// Gemma 4: of 256 dimensions the first 64 turn, with exponents over all 256: pair i has
  /// theta^(-2i/256), which is (theta^(64/256))^(-2i/64).
  void proportional() {
    GivenConfig rope("{}", "rope_parameters");
    RopeUse use = use_of(1e6, 256, 64);
    take_proportional(rope.object, use);
    COMPARE_TEXT(use.scaling.rope_type, "default");
    QCOMPARE(use.apart, Index{128});
    const auto inv_freq = rope_frequencies(use.scaling).inv_freq;
    QCOMPARE(inv_freq.size(), std::size_t{32});
    for (std::size_t i = 0; i < inv_freq.size(); ++i) {
      const double wanted = std::pow(1e6, -2.0 * static_cast<double>(i) / 256);
      QVERIFY(std::abs(static_cast<double>(inv_freq[i]) / wanted - 1) < 1e-12);
    }
    QCOMPARE(use.rope_theta, 1e6);
  }

  void proportional_with_a_factor_is_linear() {
    GivenConfig rope("{'factor': 8.0}", "rope_parameters");
    RopeUse use = use_of(1e6, 256, 64);
    take_proportional(rope.object, use);
    COMPARE_TEXT(use.scaling.rope_type, "linear");
    QCOMPARE(use.scaling.factor, 8.0);
    GivenConfig one("{'factor': 1.0}", "rope_parameters");
    use = use_of(1e6, 256, 0);
    take_proportional(one.object, use);
    COMPARE_TEXT(use.scaling.rope_type, "default");
    QCOMPARE(use.scaling.rope_theta, 1e6);
  }

  /// HunYuan 7B: theta 10,000, alpha 1000, 128 dimensions: 10,000 · 1000^(128/126) = 11,158,839.9.
  void alpha_is_one_larger_theta() {
    GivenConfig rope("{'alpha': 1000.0}", "rope_scaling");
    RopeUse use = use_of(10000, 128, 0);
    use.scaling.rope_type = "dynamic";
    read_alpha(rope.object, find_model_family("hunyuan"), use);
    QCOMPARE(use.alpha, 1000.0);
    COMPARE_TEXT(use.scaling.rope_type, "default");
    QVERIFY(std::abs(use.scaling.rope_theta - 11158839.9) < 0.1);
    QCOMPARE(use.rope_theta, 10000.0);
  }

  void alpha_of_other_families_is_left_alone() {
    GivenConfig rope("{'alpha': 1000.0}", "rope_scaling");
    RopeUse use = use_of(10000, 128, 0);
    read_alpha(rope.object, find_model_family("llama"), use);
    QCOMPARE(use.alpha, 0.0);
    QCOMPARE(use.scaling.rope_theta, 10000.0);
    QVERIFY(!rope.was_read("alpha"));
  }

  void alpha_needs_more_than_one_pair() {
    GivenConfig rope("{'alpha': 1000.0}", "rope_scaling");
    RopeUse use = use_of(10000, 2, 0);
    read_alpha(rope.object, find_model_family("hunyuan"), use);
    QCOMPARE(use.alpha, 0.0);
    GivenConfig small("{'alpha': 0.5}", "rope_scaling");
    read_alpha(small.object, find_model_family("hunyuan"), use);
    COMPARE_TEXT(small.findings(), "error: rope_scaling.alpha is 0.5 but must be a number from 1 to 1000000000");
  }

  /// Phi-3.5-MoE: long_mscale where more is served than was trained.
  void mscales_of_phi() {
    const auto factor = [](const char* family, Index served) {
      GivenConfig rope("{'short_mscale': 1.1, 'long_mscale': 1.25}", "rope_scaling");
      RopeUse use = use_of(10000, 128, 0);
      use.scaling.original_max_position_embeddings = 4096;
      use.max_position_embeddings = served;
      read_mscales(rope.object, find_model_family(family), use);
      return use.scaling.attention_factor;
    };
    QCOMPARE(factor("phimoe", 131072), 1.25);
    QCOMPARE(factor("phimoe", 4096), 1.1);
    QCOMPARE(factor("phi3", 131072), 0.0);
  }
};

VQSCOPE_TEST(ConfigRopeFamilyTest)
#include "config_rope_family_test.moc"
