// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/window_meaning.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace vqscope;

class WindowMeaningTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void every_meaning_has_id_title_and_rule() {
    std::set<std::string> ids;
    for (const auto& meaning : window_meanings()) {
      QVERIFY(ids.insert(meaning.id).second);
      QVERIFY2(!meaning.title.empty() && !meaning.rule.empty(), meaning.id.c_str());
      QCOMPARE(find_window_meaning(meaning.id), &meaning);
    }
    QCOMPARE(find_window_meaning("none"), nullptr);
    QCOMPARE(find_window_meaning(""), nullptr);
  }

  void keys_of_a_window_of_8() {
    std::string text;
    for (const auto& meaning : window_meanings()) text += meaning.id + " " + std::to_string(meaning.keys(8)) + "\n";
    COMPARE_TEXT(text,
                 "hf_causal 8\nhf_bidirectional 17\nflash_attention 9\nattention_gym 9\nxformers 8\ngpt_oss 8\n"
                 "deepmind 9\ntransformer_vq 9\nmeliad 8\ntransformer_xl 8\njax 9\nsplash_attention 9\n"
                 "onnx_attention 9\ncudnn 8\nmlx_lm 8\nvllm 8\nvllm_encoder 15\n");
  }

  /// Each rule as its library writes it, counted key by key around a query that is far from both
  /// ends.
  void keys_are_those_of_the_rule() {
    const auto counted = [](auto&& sees) {
      Index keys = 0;
      for (Index kv = 0; kv < 200; ++kv) keys += sees(Index{100}, kv) ? 1 : 0;
      return keys;
    };
    const auto keys = [](const char* id, Index w) { return find_window_meaning(id)->keys(w); };
    for (const Index w : {1, 2, 3, 8, 15}) {
      QCOMPARE(keys("hf_causal", w), counted([&](Index q, Index kv) { return kv <= q && kv > q - w; }));
      QCOMPARE(keys("hf_bidirectional", w), counted([&](Index q, Index kv) { return std::abs(q - kv) <= w; }));
      QCOMPARE(keys("attention_gym", w), counted([&](Index q, Index kv) { return kv <= q && q - kv <= w; }));
      QCOMPARE(keys("deepmind", w), counted([&](Index q, Index kv) { return std::abs(q - kv) <= w / 2; }));
      QCOMPARE(keys("meliad", w), counted([&](Index q, Index kv) { return 0 < q - kv && q - kv <= w; }));
      QCOMPARE(keys("splash_attention", w), counted([&](Index q, Index kv) { return q - w <= kv && kv <= q; }));
      QCOMPARE(keys("cudnn", w), counted([&](Index q, Index kv) { return kv > q - w && kv <= q; }));
      QCOMPARE(keys("vllm_encoder", w), counted([&](Index q, Index kv) { return std::abs(q - kv) <= w - 1; }));
      QCOMPARE(keys("mlx_lm", w), counted([&](Index q, Index kv) { return q >= kv && q < kv + w; }));
      QCOMPARE(keys("transformer_vq", w), counted([&](Index q, Index kv) { return kv <= q && q - kv <= w; }));
    }
  }

  void arguments_for_128_keys() {
    std::string text;
    for (const auto& meaning : window_meanings()) text += window_argument_text(meaning, 128) + "\n";
    COMPARE_TEXT(text,
                 "128\ncannot: looks both ways\n127\n127\n128\n128\ncannot: looks both ways\n127\n"
                 "cannot: masks the query itself\n128\n127\n127\n127\n128\n128\n128\ncannot: looks both ways\n");
  }

  /// The argument gives the requested keys; none is returned if no argument does.
  void argument_gives_back_the_number_of_keys() {
    for (const auto& meaning : window_meanings())
      for (Index keys = 1; keys <= 300; ++keys) {
        const auto argument = window_argument_for(meaning, keys);
        QCOMPARE(argument.has_value(), !meaning.both_ways && meaning.first == 0);
        if (argument) QCOMPARE(meaning.keys(*argument), keys);
      }
  }
};

VQSCOPE_TEST(WindowMeaningTest)
#include "window_meaning_test.moc"
