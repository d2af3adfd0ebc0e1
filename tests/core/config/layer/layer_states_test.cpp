// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/layer/layer_reading.h"

#include "tests/core/config/given_config.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Index state_of(const char* name, const std::string& config) {
  GivenConfig given(config);
  std::vector<ModelLayer> layers{{.attention = LayerAttention::state, .name = name}};
  read_states(given.object, layers);
  return layers[0].state_numbers;
}

}  // namespace

class LayerStatesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// 32 value heads of 128 × 128, and 3 inputs of 2 · 16 · 128 + 32 · 128 channels.
  void gated_delta_rule() {
    QCOMPARE(state_of("linear_attention",
                      "{'linear_num_value_heads': 32, 'linear_num_key_heads': 16, 'linear_value_head_dim': 128,"
                      " 'linear_key_head_dim': 128, 'linear_conv_kernel_dim': 4}"),
             Index{32 * 128 * 128 + 3 * 8192});
  }

  /// 96 heads of 128 × 128, and 3 inputs of three convolutions of 96 · 128 channels.
  void kimi_delta_attention() {
    const Index kimi = 96 * 128 * (128 + 9);
    QCOMPARE(state_of("linear_attention",
                      "{'linear_attn_config': {'head_dim': 128, 'num_heads': 96, 'short_conv_kernel_size': 4}}"),
             kimi);
    QCOMPARE(
        state_of("linear_attention", "{'linear_head_dim': 128, 'linear_num_heads': 96, 'linear_conv_kernel_dim': 4}"),
        kimi);
  }

  /// Mamba 1: 16 numbers and 3 inputs for each of 2 · 4096 channels. Mamba 2: 128 heads of 64 ×
  /// 128, and 3 inputs of 8192 + 2 · 128 channels.
  void mamba() {
    QCOMPARE(state_of("mamba", "{'hidden_size': 4096, 'mamba_expand': 2, 'mamba_d_state': 16, 'mamba_d_conv': 4}"),
             Index{8192 * (16 + 3)});
    QCOMPARE(state_of("mamba",
                      "{'mamba_n_heads': 128, 'mamba_d_head': 64, 'mamba_d_state': 128, 'mamba_n_groups': 1,"
                      " 'mamba_d_conv': 4}"),
             Index{128 * 64 * 128 + 3 * (8192 + 256)});
    QCOMPARE(state_of("mamba",
                      "{'mamba_num_heads': 128, 'mamba_head_dim': 64, 'ssm_state_size': 128, 'n_groups': 8,"
                      " 'conv_kernel': 4}"),
             Index{128 * 64 * 128 + 3 * (8192 + 2048)});
  }

  void convolutions_and_recurrences() {
    QCOMPARE(state_of("conv", "{'hidden_size': 2048, 'conv_L_cache': 3}"), Index{4096});
    QCOMPARE(state_of("recurrent", "{'lru_width': 2560, 'conv1d_width': 4}"), Index{10240});
  }

  void sizes_that_are_not_given_are_not_known() {
    QCOMPARE(state_of("linear_attention", "{}"), Index{0});
    QCOMPARE(state_of("mamba", "{'mamba_expand': 2}"), Index{0});
    QCOMPARE(state_of("linear_attention", "{'linear_num_value_heads': -1}"), Index{0});
  }
};

VQSCOPE_TEST(LayerStatesTest)
#include "layer_states_test.moc"
