// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/layer/layer_reading.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The number of each layer's RoPE, or its positions.
std::string assigned(const std::vector<std::string>& ropes, const std::vector<std::string>& layers) {
  std::vector<RopeUse> uses;
  for (const auto& name : ropes) uses.push_back({.layers = name});
  LayerSchedule schedule;
  for (const auto& name : layers) {
    schedule.layers.push_back({.rope = name == "mamba" ? -1 : 0, .positions = name == "mamba" ? "none" : ""});
    schedule.layers.back().name = name;
  }
  assign_ropes(uses, schedule);
  std::string text;
  for (const auto& layer : schedule.layers)
    text += (text.empty() ? "" : " ") + (layer.rope >= 0 ? std::to_string(layer.rope) : layer.positions);
  return text;
}

}  // namespace

class LayerRopesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_name() {
    COMPARE_TEXT(assigned({""}, {"full_attention", "mamba", "sliding_attention"}), "0 none 0");
    COMPARE_TEXT(assigned({"full_attention", "sliding_attention"}, {"sliding_attention", "full_attention"}), "1 0");
    COMPARE_TEXT(assigned({"main", "compress"}, {"sliding_attention", "compressed_sparse_attention"}), "0 1");
    COMPARE_TEXT(
        assigned({"compressed_attention", "sliding_attention"}, {"heavily_compressed_attention", "sliding_attention"}),
        "0 1");
  }

  /// Gemma 4: 64 of 256 pairs rotate, each half a head apart.
  void layouts() {
    RopeUse use;
    use.scaling.head_dim = 512;
    use.scaling.rotary_dim = 128;
    use.apart = 256;
    LayerSchedule schedule;
    assign_ropes({use}, schedule);
    QCOMPARE(schedule.ropes[0].pair_layout, PairLayout::head_split);
    use.apart = 64;
    QCOMPARE(use.pair_layout(), PairLayout::half_split);
    use.interleaved = true;
    QCOMPARE(use.pair_layout(), PairLayout::interleaved);
  }

  void under_another_name() {
    COMPARE_TEXT(assigned({"hybrid", "hybrid_sliding"}, {"sliding_attention", "full_attention"}), "1 0");
  }

  void rope_with_an_unknown_layer_name_applies_to_all() {
    COMPARE_TEXT(assigned({"my_layers"}, {"full_attention"}), "0");
  }

  void rope_scheme_without_ropes_is_kept() { COMPARE_TEXT(assigned({}, {"full_attention", "mamba"}), "rope none"); }
};

VQSCOPE_TEST(LayerRopesTest)
#include "layer_ropes_test.moc"
