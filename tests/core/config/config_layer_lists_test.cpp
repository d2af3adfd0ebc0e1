// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/config_parts.h"

#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The names, "_attention" left out.
std::string listed(const std::string& config, Index count) {
  GivenConfig given(config);
  std::string text;
  for (std::string name : listed_layers(given.object, count)) {
    if (name.ends_with("_attention")) name.resize(name.size() - 10);
    text += (text.empty() ? "" : " ") + name;
  }
  return text;
}

}  // namespace

class ConfigLayerListsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void ways_in_use_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("layers");
    const auto add = [](const char* model, const char* config, int count, const char* layers) {
      QTest::newRow(model) << config << count << layers;
    };
    add("gpt-oss", "{'layer_types': ['sliding_attention', 'full_attention']}", 2, "sliding full");
    add("jamba of Hugging Face 5", "{'layers_block_type': ['mamba', 'attention', 'hybrid']}", 3, "mamba full full");
    add("gpt-neo, spread out", "{'attention_layers': ['global', 'local']}", 2, "full sliding");
    add("gpt-neo", "{'attention_types': [[['global', 'local'], 2], [['local'], 1]]}", 5,
        "full sliding full sliding sliding");
    add("recurrentgemma", "{'block_types': ['recurrent', 'recurrent', 'attention']}", 4,
        "recurrent recurrent full recurrent");
    add("recurrentgemma of before", "{'_block_types': ['recurrent', 'attention']}", 3, "recurrent full recurrent");
    add("nemotron-h", "{'hybrid_override_pattern': 'M-M*E'}", 5, "mamba mlp mamba full moe");
    add("mimo-v2", "{'hybrid_layer_pattern': [0, 1, 1]}", 3, "full sliding sliding");
    add("minimax-text", "{'attn_type_list': [0, 0, 1]}", 3, "linear linear full");
    add("minimax-m1", "{'layer_type_list': [1, 0]}", 2, "full linear");
    add("bamba", "{'attn_layer_indices': [1, 3]}", 4, "mamba full mamba full");
    add("lfm2", "{'full_attn_idxs': [2]}", 3, "conv conv full");
    add("jamba", "{'attn_layer_period': 3, 'attn_layer_offset': 1}", 5, "mamba full mamba mamba full");
    // Kimi Linear counts its layers from 1.
    add("kimi-linear", "{'linear_attn_config': {'full_attn_layers': [2, 4], 'kda_layers': [1, 3]}}", 4,
        "linear full linear full");
    add("smallthinker", "{'sliding_window_layout': [0, 1, 1]}", 3, "full sliding sliding");
    add("jet-nemotron", "{'layer_types': ['jet', 'attn', 'swa']}", 3, "linear full sliding");
    add("another name", "{'layer_types': ['sliding', 'sliding_window', 'local_attention', 'full', '*', 'conv']}", 6,
        "sliding sliding sliding full full conv");
  }
  void ways_in_use() {
    QFETCH(QString, config);
    QFETCH(int, count);
    QFETCH(QString, layers);
    COMPARE_TEXT(listed(config.toStdString(), count), layers.toStdString());
  }

  void empty_layer_lists() {
    COMPARE_TEXT(listed("{}", 4), "");
    COMPARE_TEXT(listed("{'layer_types': null}", 4), "");
    COMPARE_TEXT(listed("{'layer_types': []}", 4), "");
    COMPARE_TEXT(listed("{'block_types': []}", 4), "");
    COMPARE_TEXT(listed("{'attn_layer_period': 3}", 4), "");
  }

  /// A list is of the layers where it has as many items; where their number is not known, any is.
  void a_list_must_have_an_item_for_each_layer() {
    const std::string two = "{'layer_types': ['full_attention', 'full_attention']}";
    COMPARE_TEXT(listed(two, 2), "full full");
    COMPARE_TEXT(listed(two, 3), "");
    COMPARE_TEXT(listed(two, 0), "full full");
    COMPARE_TEXT(listed("{'hybrid_override_pattern': 'M*'}", 3), "");
    COMPARE_TEXT(listed("{'attn_layer_indices': [1]}", 0), "");
  }

  void lists_of_other_types_are_ignored() {
    COMPARE_TEXT(listed("{'layer_types': ['full_attention', 7]}", 2), "");
    COMPARE_TEXT(listed("{'layer_types': 'full_attention'}", 1), "");
    COMPARE_TEXT(listed("{'attn_type_list': [0, 'x']}", 2), "");
    COMPARE_TEXT(listed("{'attention_types': [['global', 'local'], 2]}", 2), "");
    COMPARE_TEXT(listed("{'hybrid_override_pattern': 3}", 3), "");
  }

  void the_first_way_that_fits_is_taken() {
    COMPARE_TEXT(listed("{'hybrid_override_pattern': 'M*', 'layer_types': ['conv', 'conv']}", 2), "conv conv");
    COMPARE_TEXT(listed("{'hybrid_override_pattern': 'M*', 'layer_types': ['conv']}", 2), "mamba full");
  }

  /// Numbers of layers that are not there change nothing.
  void numbers_beyond_the_layers() {
    COMPARE_TEXT(listed("{'attn_layer_indices': [0, 2, 9]}", 3), "full mamba full");
    COMPARE_TEXT(listed("{'linear_attn_config': {'full_attn_layers': [0, 1]}}", 2), "full linear");
  }

  void bad_numbers_are_errors() {
    GivenConfig given("{'attn_layer_indices': [-1], 'attn_layer_period': 0}");
    QVERIFY(listed_layers(given.object, 4).empty());
    COMPARE_TEXT(given.findings(),
                 "error: item 0 of attn_layer_indices is -1 but must be a number from 0 to 4096\n"
                 "error: attn_layer_period is 0 but must be an integer from 1 to 4096");
  }

  /// GPT-Neo's groups: a hostile one cannot request more layers than any model has.
  void groups_are_bounded() {
    GivenConfig given("{'attention_types': [[['global'], 1000000000000]]}");
    QCOMPARE(listed_layers(given.object, 0).size(), std::size_t{4096});
    COMPARE_TEXT(listed("{'attention_types': [[['global'], -3]]}", 0), "");
  }

  void only_the_list_in_use_is_read() {
    GivenConfig given("{'layer_types': ['conv'], 'layers_block_type': ['mamba']}");
    QCOMPARE(listed_layers(given.object, 1).size(), std::size_t{1});
    QVERIFY(given.was_read("layer_types") && !given.was_read("layers_block_type"));
  }

  void long_names_are_cut() {
    GivenConfig given("{'layer_types': ['" + std::string(100, 'x') + "']}");
    COMPARE_TEXT(listed_layers(given.object, 1).front(), std::string(59, 'x') + "…");
  }
};

VQSCOPE_TEST(ConfigLayerListsTest)
#include "config_layer_lists_test.moc"
