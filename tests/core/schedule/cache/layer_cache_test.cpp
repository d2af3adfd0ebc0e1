// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/cache/layer_cache.h"

#include "core/schedule/text/layer_texts.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr double gibibyte = 1024.0 * 1024 * 1024;

LayerSchedule layers(std::string_view text) { return parse_layers(text).value(); }

}  // namespace

class LayerCacheTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// 2 · 4 heads · 8 dimensions = 64 numbers of 2 bytes a token.
  void layers_by_hand() {
    const auto schedule = layers(
        "full,sliding:100,chunked:50,full shares=0,full latent=10,state:1000,none; "
        "all kv_heads=4 head_dim=8");
    const double expected[]{1000 * 128.0, 100 * 128.0, 50 * 128.0, 0, 1000 * 20.0, 2000, 0};
    for (std::size_t l = 0; l < schedule.layers.size(); ++l) {
      QCOMPARE(cache_bytes(schedule.layers[l], 1000, {}), expected[l]);
      QVERIFY(knows_cache(schedule.layers[l]));
    }
    QCOMPARE(cache_bytes(schedule, 1000, {}), 128000.0 + 12800 + 6400 + 20000 + 2000);
    QCOMPARE(cache_bytes(schedule, 1000, {.bits = 4, .batch = 3}), 0.75 * 169200.0);
    QCOMPARE(cache_bytes(all_full(schedule), 1000, {}), 3 * 128000.0 + 20000 + 2000);
    QVERIFY(!knows_cache(layers("full").layers[0]) && !knows_cache(layers("state").layers[0]));
  }

  /// DeepSeek V4: 128 tokens of the window and 250 entries of 512 numbers, 250 keys of 128 of the
  /// indexer. GLM 5.3: an entry of the indexer for each 4 tokens, the begun one included.
  void selections_by_hand() {
    const auto entries = layers("compressed:4 window=128 topk=512 index_dim=128 latent=512").layers[0];
    QCOMPARE(cached_tokens(entries, 1000), Index{378});
    QCOMPARE(cache_bytes(entries, 1000, {}), 2.0 * (378 * 512 + 250 * 128));
    const auto sparse = layers("sparse:2048 index_dim=128 index_pool=4 latent=512").layers[0];
    QCOMPARE(cache_bytes(sparse, 1001, {}), 2.0 * (1001 * 512 + 251 * 128));
    QCOMPARE(cache_bytes(all_full({.ropes = {}, .layers = {entries, sparse}}), 1000, {}), 2.0 * 2 * 1000 * 512);
  }

  /// Keys of 8 and values of 4 dimensions.
  void values_may_be_smaller() {
    QCOMPARE(cached_numbers(layers("full kv_heads=2 head_dim=8 v_head_dim=4").layers[0]), Index{24});
  }

  /// 96 layers of 96 heads of 128 dimensions keep 4.5 MiB a token. What the weights leave of an
  /// A100 with 80 GB decides the length; 2^21 tokens of 128 sequences take more than a petabyte.
  void gpt_3() {
    const auto gpt = layers("96*full kv_heads=96 head_dim=128");
    QCOMPARE(cache_bytes(gpt, 1, {}), 4718592.0);
    QCOMPARE(most_cached_tokens(gpt, 80 * gibibyte, {}), Index{18204});
    QCOMPARE(most_cached_tokens(gpt, 4718592.0 * 5932, {}), Index{5932});
    QCOMPARE(most_cached_tokens(gpt, 4718592.0 * 5932 - 1, {}), Index{5931});
    QVERIFY(cache_bytes(gpt, Index{1} << 21, {.batch = 128}) > 1e15);
  }

  /// Gemma 3 27B: ten full layers of 62, windows of 1024.
  void gemma_3() {
    const auto gemma = layers("10*(5*sliding:1024,full),2*sliding:1024; all kv_heads=16 head_dim=128");
    const double token = 2.0 * 2 * 16 * 128;
    QCOMPARE(cache_bytes(gemma, 131072, {}), token * (10 * 131072.0 + 52 * 1024.0));
    QCOMPARE(cache_bytes(all_full(gemma), 131072, {}), token * 62 * 131072.0);
  }

  /// The longest length fits and one more token does not, at any sizes; nothing leaves its range.
  void longest_is_exact() {
    Random random(5);
    for (int round = 0; round < 500; ++round) {
      LayerSchedule schedule;
      for (Index l = pick(random, 1, 8); l > 0; --l) {
        ModelLayer layer{.num_key_value_heads = pick(random, 1, 4), .head_dim = pick(random, 1, 9)};
        if (pick(random, 0, 1) == 0) layer.attention = LayerAttention::sliding, layer.window = pick(random, 1, 300);
        schedule.layers.push_back(layer);
      }
      const CacheUse use{.bits = Index{4} << pick(random, 0, 3), .batch = pick(random, 1, 3)};
      const double budget = static_cast<double>(pick(random, 0, 400000));
      const Index most = most_cached_tokens(schedule, budget, use);
      if (most > 0) QVERIFY(cache_bytes(schedule, most, use) <= budget);
      if (most < longest_cached) QVERIFY(cache_bytes(schedule, most + 1, use) > budget);
    }
    LayerSchedule huge;
    huge.layers.assign(4096, {.num_key_value_heads = 65536, .head_dim = 65536});
    QVERIFY(cache_bytes(huge, longest_cached, {.bits = 32, .batch = 1048576}) > 1e29);
    QCOMPARE(most_cached_tokens(huge, 1e300, {}), longest_cached);
    QCOMPARE(most_cached_tokens(huge, -1, {}), Index{0});
  }
};

VQSCOPE_TEST(LayerCacheTest)
#include "layer_cache_test.moc"
