// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/schedule/reach/layer_reach.h"
#include "tests/core/schedule/reach/boolean_reach.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Fewest hops from every token at the input to `query` after `layer`, by trying every one; -1:
/// none.
std::vector<int> fewest_hops(const LayerSight& sight, Index layer, Index query) {
  const auto size = static_cast<std::size_t>(sight.sequence().length);
  constexpr int none = std::numeric_limits<int>::max() / 2;
  std::vector<std::vector<int>> levels(static_cast<std::size_t>(layer) + 2, std::vector<int>(size, none));
  levels.back()[static_cast<std::size_t>(query)] = 0;
  for (Index l = layer; l >= 0; --l) {
    const auto& above = levels[static_cast<std::size_t>(l) + 1];
    auto& below = levels[static_cast<std::size_t>(l)];
    auto& source = levels[static_cast<std::size_t>(sight.source_of(l))];
    for (std::size_t q = 0; q < size; ++q) {
      below[q] = std::min(below[q], above[q]);
      for (std::size_t k = 0; k < size; ++k)
        if (sees(sight.schedule(), sight.sequence(), l, static_cast<Index>(q), static_cast<Index>(k)))
          source[k] = std::min(source[k], above[q] + 1);
    }
  }
  for (int& hops : levels[0])
    if (hops == none) hops = -1;
  return levels[0];
}

}  // namespace

class ReachPathTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void one_hop_through_the_full_layer_by_hand() {
    const ModelLayer window{.attention = LayerAttention::sliding, .window = 3};
    const auto sight =
        LayerSight::make({.ropes = {}, .layers = {window, window, {}}}, SequenceOfLayers::plain(9)).value();
    QCOMPARE(*shortest_path(sight, 2, 8, 1), (std::vector<ReachHop>{{2, 1, 8}}));
    QCOMPARE(*shortest_path(sight, 1, 8, 4), (std::vector<ReachHop>{{0, 4, 6}, {1, 6, 8}}));
    QVERIFY(shortest_path(sight, 1, 8, 8)->empty());
    COMPARE_ERROR(shortest_path(sight, 1, 8, 3), "token 3 does not reach token 8");
  }

  /// Every hop is allowed, every one begins no lower than the one before ended, and none can be
  /// saved.
  void paths_are_shortest() {
    Random random(7);
    for (int round = 0; round < 150; ++round) {
      const LayerSchedule schedule = random_layers(random, 6);
      const SequenceOfLayers sequence = random_sequence(random, schedule, 20);
      const auto sight = LayerSight::make(schedule, sequence).value();
      const Index q = pick(random, 0, sequence.length - 1), layer = pick(random, 0, sight.layers() - 1);
      const auto hops = fewest_hops(sight, layer, q);
      for (Index k = 0; k < sequence.length; ++k) {
        const auto path = shortest_path(sight, layer, q, k);
        QCOMPARE(path ? static_cast<int>(path->size()) : -1, hops[static_cast<std::size_t>(k)]);
        if (!path) continue;
        Index token = k, level = 0;
        for (const ReachHop& hop : *path) {
          QCOMPARE(hop.key, token);
          QVERIFY(sight.source_of(hop.layer) >= level && hop.layer <= layer);
          QVERIFY(sees(schedule, sequence, hop.layer, hop.query, hop.key));
          token = hop.query;
          level = hop.layer + 1;
        }
        QCOMPARE(token, q);
      }
    }
  }

  void texts() {
    COMPARE_TEXT(path_text({}), "the token itself");
    COMPARE_TEXT(path_text({{5, 0, 9}}), "token 0 → layer 5 → token 9");
    std::vector<ReachHop> path;
    for (Index i = 0; i < 9; ++i) path.push_back({i, i, i + 1});
    COMPARE_TEXT(path_text(path, 2), "token 0 → layer 0 → token 1 → … 7 more … → layer 8 → token 9");
  }
};

VQSCOPE_TEST(ReachPathTest)
#include "reach_path_test.moc"
