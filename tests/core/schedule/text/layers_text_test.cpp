// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/text/layer_texts.h"

#include "tests/core/schedule/reach/boolean_reach.h"
#include "tests/support/compare.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The text of the parsed text.
std::string again(std::string_view text, Index layers = 0) { return layers_text(parse_layers(text, layers).value()); }

Error refused(std::string_view text) { return parse_layers(text).error(); }

bool same(const LayerRope& a, const LayerRope& b) {
  return a.pair_layout == b.pair_layout && rope_scaling_values(a.scaling) == rope_scaling_values(b.scaling);
}

}  // namespace

class LayersTextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void layers_by_hand() {
    const auto read = parse_layers("2*sliding:1k, full nope sink", 4).value();
    QCOMPARE(read.layers.size(), std::size_t{4});
    QVERIFY(read.layers[0] == (ModelLayer{.attention = LayerAttention::sliding, .window = 1024, .rope = 0}));
    QVERIFY(read.layers[2] == (ModelLayer{.rope = -1, .positions = "none", .sink = true}));
    QVERIFY(read.layers[3] == read.layers[0]);
    QCOMPARE(read.ropes.size(), std::size_t{1});
  }

  void sections_by_hand() {
    const auto read = parse_layers(
                          "3*(state:64, chunked:8 temperature=0.1/8192/1, full rope=1 kv_heads=2);"
                          "all kv_heads=8 head_dim=64; rope interleaved rope_theta=500000;"
                          "rope rope_type=yarn factor=8")
                          .value();
    QCOMPARE(read.layers.size(), std::size_t{9});
    QCOMPARE(read.layers[3].state_numbers, Index{64});
    QCOMPARE(read.layers[3].num_key_value_heads, Index{0});
    QCOMPARE(read.layers[4].num_key_value_heads, Index{8});
    QVERIFY(read.layers[4].temperature == (QueryTemperature{0.1, 8192, 1}));
    QCOMPARE(read.layers[5].num_key_value_heads, Index{2});
    QVERIFY(read.ropes[0].pair_layout == PairLayout::interleaved && read.ropes[0].scaling.rope_theta == 500000);
    COMPARE_TEXT(read.ropes[1].scaling.rope_type, "yarn");
    QCOMPARE(read.ropes[1].scaling.factor, 8.0);
  }

  void texts_are_short() {
    COMPARE_TEXT(again("5*sliding:1024,full", 62), "10*(5*sliding:1024,full),2*sliding:1024; rope rope_theta=10000");
    COMPARE_TEXT(again("full,full,full"), "3*full; rope rope_theta=10000");
    COMPARE_TEXT(again("full nope"), "full nope");
    COMPARE_TEXT(again("2*full kv_heads=4 head_dim=64,full kv_heads=2 head_dim=64"),
                 "2*full,full kv_heads=2; all kv_heads=4 head_dim=64; rope rope_theta=10000");
    COMPARE_TEXT(again("2*(state,none)"), "2*(state,none)");
  }

  void schedules_round_trip() {
    Random random(3);
    for (int round = 0; round < 300; ++round) {
      LayerSchedule schedule = random_layers(random, 24);
      for (Index i = pick(random, 0, 2); i > 0; --i) {
        schedule.ropes.push_back({.pair_layout = static_cast<PairLayout>(pick(random, 0, 2))});
        schedule.ropes.back().scaling.rope_theta = static_cast<double>(pick(random, 100, 100000)) / 7;
        if (pick(random, 0, 1) == 0) schedule.ropes.back().scaling.rope_type = "linear";
      }
      for (ModelLayer& layer : schedule.layers) {
        layer.rope = static_cast<int>(pick(random, -1, std::ssize(schedule.ropes) - 1));
        if (layer.rope >= 0) layer.positions.clear();
        layer.sink = pick(random, 0, 3) == 0;
        if (pick(random, 0, 3) == 0) layer.temperature = QueryTemperature{0.1, 8192, pick(random, 0, 1)};
        layer.num_key_value_heads = pick(random, 0, 2) * 4;
        layer.head_dim = pick(random, 0, 5) == 0 ? 0 : 128;
        layer.v_head_dim = pick(random, 0, 1) * 64;
        if (layer.attention == LayerAttention::state) layer.state_numbers = pick(random, 0, 1) * 4096;
      }
      const std::string text = layers_text(schedule);
      const auto read = parse_layers(text);
      QVERIFY2(read.has_value(), text.c_str());
      QVERIFY2(read->layers == schedule.layers, text.c_str());
      QVERIFY2(std::ranges::equal(read->ropes, schedule.ropes, same), text.c_str());
    }
  }

  /// Every line of the guide that shows layers is read.
  void the_guide_is_right() {
    QFile guide(sourcePath("resources/docs/guide/model.md"));
    QVERIFY(guide.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(guide.readAll());
    const QString block = text.section("How are layers written?", 1).section("```", 1, 1);
    int read = 0;
    for (const QString& line : block.split('\n', Qt::SkipEmptyParts)) {
      const QString layers = line.split("   ").front().split(" groups;").front();
      const auto parsed = parse_layers(layers.toStdString());
      QVERIFY2(parsed, parsed ? "" : parsed.error().message.c_str());
      ++read;
    }
    QCOMPARE(read, 6);
  }

  void bad_input() {
    const auto is = [](std::string_view text, std::string_view sentence) {
      COMPARE_TEXT(refused(text).message, sentence);
    };
    is("", "layers, item 1 (): missing layer");
    is("full,5*slidng:10",
       "layers, item 2 (5*slidng:10): unknown kind slidng; did you mean sliding? (full, sliding:N, "
       "chunked:N, sparse:N, compressed:N, state, none)");
    is("sliding", "layers, item 1 (sliding): sliding has no size, expected sliding:TOKENS");
    is("full:3", "layers, item 1 (full:3): full takes no size");
    is("chunked:0", "layers, item 1 (chunked:0): the size of chunked is 0 but must be an integer from 1 to 2147483648");
    is("compressed", "layers, item 1 (compressed): compressed has no size, expected compressed:RATIO");
    is("full topk=4", "layers, item 1 (full topk=4): topk is an attribute of sparse and compressed layers");
    is("sparse:64 index_pairs=x", "layers, item 1 (sparse:64 index_pairs=x): unknown index_pairs x");
    is("x*full", "layers, item 1: x times but must be an integer from 1 to 4096");
    is("4096*full,full", "layers has more than 4096 layers");
    is("4096*(4096*full)", "layers has more than 4096 layers");
    is("2*(full", "layers, character 8: missing )");
    is("full)", "layers, character 5: unexpected )");
    is("full sinks", "layers, item 1 (full sinks): unknown attribute sinks; did you mean sink?");
    is("full kv_heads", "layers, item 1 (full kv_heads): kv_heads has no value, expected kv_heads=…");
    is("full temperature=x",
       "layers, item 1 (full temperature=x): temperature is x but must be scale/floor or "
       "scale/floor/offset, as 0.1/8192/1");
    is("full shares=0", "layers: layer 0 shares the keys and values of layer 0 but must be an earlier one");
    is("full;theta", "layers: unknown section theta but must begin with all or rope");
    is("full;rope theta=3", "layers, rope 0: unknown value theta=3");
    is("((((((((((full))))))))))", "layers has groups more than 8 deep");
    COMPARE_ERROR(parse_layers("full", 5000), "num_hidden_layers is 5000 but must be 0 to 4096");
  }
};

VQSCOPE_TEST(LayersTextTest)
#include "layers_text_test.moc"
