// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/model_values.h"

#include "tests/core/config/config_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "head_dim=128 rope_type=default": all values, by name.
std::string values_of(std::string json) {
  std::ranges::replace(json, '\'', '"');
  const ParameterValues values = model_values(report_of(json));
  std::string text;
  for (const auto& [name, value] : values.map()) text += (text.empty() ? "" : " ") + name + "=" + format_value(value);
  return text;
}

}  // namespace

class ModelValuesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rope() {
    COMPARE_TEXT(values_of("{'model_type': 'llama', 'hidden_size': 4096, 'num_attention_heads': 32,"
                           " 'max_position_embeddings': 8192, 'num_key_value_heads': 8, 'rope_theta': 500000}"),
                 "head_dim=128 num_heads=32 num_key_value_heads=8 original_max_position_embeddings=8192 "
                 "pair_layout=half_split rope_theta=5e+05 rope_type=default rotary_dim=0");
  }

  void only_values_the_rope_type_reads() {
    COMPARE_TEXT(values_of("{'model_type': 'llama', 'hidden_size': 4096, 'num_attention_heads': 32,"
                           " 'max_position_embeddings': 131072, 'rope_theta': 500000, 'rope_scaling': {'rope_type':"
                           " 'llama3', 'factor': 8.0, 'low_freq_factor': 1.0, 'high_freq_factor': 4.0,"
                           " 'original_max_position_embeddings': 8192}}"),
                 "factor=8 head_dim=128 high_freq_factor=4 low_freq_factor=1 num_heads=32 num_key_value_heads=32 "
                 "original_max_position_embeddings=8192 pair_layout=half_split rope_theta=5e+05 rope_type=llama3 "
                 "rotary_dim=0");
  }

  /// Gemma 3: theta and factor of the full layers, window of the others. Cohere 2 has RoPE in its
  /// windows alone.
  void of_full_layers() {
    COMPARE_TEXT(values_of("{'model_type': 'gemma3_text', 'rope_scaling': {'rope_type': 'linear', 'factor': 8.0},"
                           " 'sliding_window': 1024}"),
                 "factor=8 head_dim=256 num_heads=8 num_key_value_heads=4 original_max_position_embeddings=131072 "
                 "pair_layout=half_split rope_theta=1e+06 rope_type=linear rotary_dim=0 sliding_window=1024");
    COMPARE_TEXT(values_of("{'model_type': 'cohere2', 'rope_theta': 50000, 'num_key_value_heads': 8}"),
                 "head_dim=128 num_heads=64 num_key_value_heads=8 original_max_position_embeddings=8192 "
                 "pair_layout=interleaved rope_theta=50000 rope_type=default rotary_dim=0 sliding_window=4096");
  }

  void three_axes() {
    const std::string text = values_of(
        "{'model_type': 'qwen2_vl', 'hidden_size': 3584, 'num_attention_heads': 28, 'rope_theta': 1000000.0,"
        " 'max_position_embeddings': 32768, 'rope_scaling': {'type': 'mrope', 'mrope_section': [16, 24, 24]}}");
    QVERIFY2(text.find("mrope_interleaved=false mrope_section=16,24,24") != std::string::npos, text.c_str());
  }

  void other_encodings() {
    COMPARE_TEXT(values_of("{'model_type': 't5', 'relative_attention_num_buckets': 32, 'num_heads': 12, 'd_kv': 64,"
                           " 'd_model': 768}"),
                 "bidirectional=true max_distance=128 num_buckets=32 num_heads=12");
    COMPARE_TEXT(values_of("{'model_type': 'bloom', 'n_head': 16, 'hidden_size': 1024}"),
                 "bidirectional=false num_heads=16");
    COMPARE_TEXT(values_of("{'model_type': 'gpt2', 'n_positions': 1024, 'n_head': 12, 'n_embd': 768, 'n_layer': 12}"),
                 "head_dim=64 max_position_embeddings=1024 num_heads=12 num_key_value_heads=12");
    COMPARE_TEXT(values_of("{'model_type': 'mamba', 'hidden_size': 2560}"), "");
  }
};

VQSCOPE_TEST(ModelValuesTest)
#include "model_values_test.moc"
