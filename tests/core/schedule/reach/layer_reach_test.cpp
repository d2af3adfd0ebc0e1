// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/reach/layer_reach.h"

#include "core/sequence/xl_segments.h"
#include "tests/core/schedule/reach/boolean_reach.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ModelLayer sliding(Index window) { return {.attention = LayerAttention::sliding, .window = window}; }
ModelLayer chunked(Index window) { return {.attention = LayerAttention::chunked, .window = window}; }

LayerReach reach_of(std::vector<ModelLayer> layers, SequenceOfLayers sequence, Index query) {
  const auto sight = LayerSight::make({.ropes = {}, .layers = std::move(layers)}, std::move(sequence)).value();
  return LayerReach::make(sight, query).value();
}

bool is(Range range, Index begin, Index end) { return range == Range{begin, end}; }

}  // namespace

class LayerReachTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Windows of 3 see two tokens back: 2, 4, 6; a full layer sees all, and later layers keep that.
  void windows_and_a_full_layer_by_hand() {
    const auto reach = reach_of({sliding(3), sliding(3), sliding(3), {}, sliding(3)}, SequenceOfLayers::plain(12), 10);
    QVERIFY(is(reach.reach(0), 8, 11) && is(reach.reach(1), 6, 11) && is(reach.reach(2), 4, 11));
    QVERIFY(is(reach.reach(3), 0, 11) && is(reach.direct(3), 0, 11));
    QVERIFY(is(reach.reach(4), 0, 11) && is(reach.direct(4), 8, 11));
    QCOMPARE(reach.spans(4), (std::vector<ReachSpan>{{{0, 8}, ReachKind::indirect}, {{8, 11}, ReachKind::direct}}));
    QCOMPARE(reach.first_layer(5), std::optional<Index>(2));
    QCOMPARE(reach.first_layer(0), std::optional<Index>(3));
    QVERIFY(!reach.first_layer(11));
  }

  /// Equal layers reach as far as XlSegments counts in one step.
  void equal_windows_are_counted_in_one_step() {
    Random random(23);
    for (int i = 0; i < 30; ++i) {
      const Index window = pick(random, 1, 9), layers = pick(random, 1, 7), length = pick(random, 1, 80);
      const Index query = pick(random, 0, length - 1);
      const std::vector<ModelLayer> alike(static_cast<std::size_t>(layers), sliding(window));
      const auto reach = reach_of(alike, SequenceOfLayers::plain(length), query);
      const XlSegments counted{.length = length, .memory_len = window, .layers = layers, .same_length = true};
      for (Index layer = 0; layer < layers; ++layer) QVERIFY(reach.reach(layer) == counted.reach(query, layer + 1));
    }
  }

  /// Chunks of 4: token 9 never gets out of 8 .. 11 on its own, and with chunks of 6 between it
  /// reaches 4.
  void chunks_by_hand() {
    const auto alike = reach_of({chunked(4), chunked(4), chunked(4)}, SequenceOfLayers::plain(12), 9);
    QVERIFY(is(alike.reach(2), 8, 10));
    const auto mixed = reach_of({chunked(4), chunked(6), chunked(4)}, SequenceOfLayers::plain(12), 9);
    QVERIFY(is(mixed.reach(1), 4, 10));  // 6 .. 9 in layer 1, whose token 6 has seen 4 and 5 in layer 0
    QVERIFY(is(mixed.reach(2), 4, 10));
  }

  /// The first layer keeps to documents, the state does not.
  void a_state_crosses_documents_by_hand() {
    SequenceOfLayers packed = SequenceOfLayers::plain(10);
    packed.document_lengths = {6, 4};
    packed.keeps_documents[static_cast<std::size_t>(LayerAttention::state)] = false;
    const auto reach = reach_of({{}, {.attention = LayerAttention::state}}, packed, 8);
    QVERIFY(is(reach.reach(0), 6, 9) && is(reach.document(), 6, 10));
    QCOMPARE(reach.spans(1), (std::vector<ReachSpan>{{{0, 6}, ReachKind::crossing}, {{6, 9}, ReachKind::direct}}));
  }

  /// A layer that shares keys and values sees the inputs of the layer that made them, not what came
  /// since.
  void shared_keys_are_older_by_hand() {
    ModelLayer shared = sliding(3);
    shared.shares_kv_with = 0;
    const auto reach = reach_of({sliding(3), sliding(3), shared}, SequenceOfLayers::plain(12), 10);
    QVERIFY(is(reach.reach(1), 6, 11));
    QVERIFY(is(reach.reach(2), 6, 11));  // with keys of its own: 4
  }

  /// Query 9 reads 4 of the keys before it: which ones is not known, but for the last 2. Query 3
  /// reads all.
  void a_selection_by_hand() {
    const ModelLayer sparse{.attention = LayerAttention::sparse, .window = 2, .topk = 4};
    const auto reach = reach_of({sparse, sparse}, SequenceOfLayers::plain(12), 9);
    QVERIFY(is(reach.reach(0), 0, 10) && is(reach.certain(0), 8, 10) && is(reach.certain(1), 7, 10));
    QCOMPARE(reach.spans(1),
             (std::vector<ReachSpan>{
                 {{0, 7}, ReachKind::possible}, {{7, 8}, ReachKind::indirect}, {{8, 10}, ReachKind::direct}}));
    QVERIFY(is(reach_of({sparse}, SequenceOfLayers::plain(12), 3).certain(0), 0, 4));
  }

  /// Blocks of 4: query 9 always reads its own, 8 to 11. Entries of 2 tokens without an indexer are
  /// all read.
  void blocks_and_entries_by_hand() {
    const ModelLayer blocks{.attention = LayerAttention::sparse, .topk = 4, .topk_block = 4};
    QVERIFY(is(reach_of({blocks}, SequenceOfLayers::plain(12), 9).certain(0), 8, 10));
    const ModelLayer entries{.attention = LayerAttention::compressed, .window = 3, .compress_ratio = 2};
    QVERIFY(is(reach_of({entries}, SequenceOfLayers::plain(12), 9).certain(0), 0, 10));
  }

  void intervals_agree_with_boolean_products() {
    Random random(16);
    for (int round = 0; round < 300; ++round) {
      const LayerSchedule schedule = random_layers(random, 6);
      const SequenceOfLayers sequence = random_sequence(random, schedule, 24);
      const auto expected = boolean_reach(schedule, sequence);
      const auto certain = boolean_reach(schedule, sequence, true);
      const auto sight = LayerSight::make(schedule, sequence).value();
      for (Index q = 0; q < sequence.length; ++q) {
        const auto reach = LayerReach::make(sight, q).value();
        for (Index l = 0; l < reach.layers(); ++l) {
          QCOMPARE(reach_after(sight, l, q), reach.reach(l));
          Index spans = 0;
          for (const ReachSpan& span : reach.spans(l)) spans += span.keys.size();
          QCOMPARE(spans, reach.reach(l).size());
          for (Index k = 0; k < sequence.length; ++k) {
            const bool seen = sees(schedule, sequence, l, q, k);
            const bool reached = is_set(expected[static_cast<std::size_t>(l)], q, k);
            QCOMPARE(reach.reach(l).contains(k), reached);
            QCOMPARE(reach.certain(l).contains(k), is_set(certain[static_cast<std::size_t>(l)], q, k));
            QCOMPARE(reach.direct(l).contains(k), seen);
            QCOMPARE(sight.queries_of(l, k).contains(q), seen);
            if (!reached) QVERIFY(reach.kind(l, k) == ReachKind::none);
          }
        }
      }
    }
  }

  /// 100 layers at 2,097,152 tokens: 5 windows of 1024, then a full layer.
  void long_sequences() {
    std::vector<ModelLayer> layers;
    for (int l = 0; l < 100; ++l) layers.push_back(l % 6 == 5 ? ModelLayer{} : sliding(1024));
    const auto reach = reach_of(layers, SequenceOfLayers::plain(2097152), 2097151);
    QVERIFY(is(reach.reach(4), 2097151 - 5 * 1023, 2097152));
    QVERIFY(is(reach.reach(5), 0, 2097152));
    QVERIFY(is(reach.direct(99), 2097152 - 1024, 2097152));
  }

  void stops() {
    std::stop_source source;
    source.request_stop();
    const auto sight = LayerSight::make({.ropes = {}, .layers = {{}}}, SequenceOfLayers::plain(4)).value();
    QVERIFY(LayerReach::make(sight, 0, source.get_token()).error().code == Errc::cancelled);
  }
};

VQSCOPE_TEST(LayerReachTest)
#include "layer_reach_test.moc"
