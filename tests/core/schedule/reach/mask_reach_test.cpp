// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/reach/mask_reach.h"

#include "core/mask/import/imported_mask.h"
#include "core/schedule/methods.h"
#include "core/schedule/reach/layer_reach.h"
#include "tests/core/schedule/reach/boolean_reach.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Rows of cells, the last of which are those of the queries.
ImportedMask mask_of_cells(const Booleans& cells) {
  ImportedRuns runs;
  for (const auto& row : cells) {
    std::vector<KeyInterval> intervals;
    for (std::size_t k = 0; k < row.size(); ++k)
      if (row[k]) intervals.push_back({static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k + 1)});
    runs.append(intervals);
  }
  return {{static_cast<Index>(cells.size()), static_cast<Index>(cells.front().size())}, runs};
}

/// Each query sees itself and, at random, other keys.
Booleans random_cells(Random& random, Index past, Index queries, bool causal) {
  const auto keys = static_cast<std::size_t>(past + queries);
  Booleans cells;
  for (Index q = 0; q < queries; ++q) {
    auto& row = cells.emplace_back(keys);
    for (std::size_t k = 0; k < keys; ++k)
      row[k] = pick(random, 0, 3) == 0 && (!causal || static_cast<Index>(k) <= past + q);
  }
  return cells;
}

MaskReach reach_under(const Booleans& cells, const LayerSchedule& schedule, const std::vector<bool>& own, Index query) {
  const auto keys = static_cast<Index>(cells.front().size());
  const auto sight = LayerSight::make(schedule, SequenceOfLayers::plain(keys)).value();
  return MaskReach::make(mask_of_cells(cells), sight, own, keys - static_cast<Index>(cells.size()), query).value();
}

LayerSchedule full_layers(Index count) {
  LayerSchedule schedule;
  schedule.layers.resize(static_cast<std::size_t>(count));
  return schedule;
}

}  // namespace

class MaskReachTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Query 3 sees token 1, which sees token 4: a leak of a later token in the second layer.
  void a_leak_through_depth_by_hand() {
    const Booleans cells{{true, false, false, false, false},
                         {false, true, false, false, true},
                         {false, false, true, false, false},
                         {false, true, false, true, false},
                         {false, false, false, false, true}};
    const auto reach = reach_under(cells, full_layers(2), {true, true}, 3);
    QVERIFY(reach.sees(0, 1) && !reach.sees(0, 4));
    QVERIFY(reach.reaches(0, 1) && !reach.reaches(0, 4) && reach.reaches(1, 4) && !reach.reaches(1, 0));
    QCOMPARE(reach.first_layer(4), std::optional<Index>(1));
    QCOMPARE(reach.later_tokens(), Index{1});
  }

  /// The definition as products of boolean matrices, with other layers and shared keys between.
  void agrees_with_boolean_products() {
    Random random(31);
    for (int i = 0; i < 60; ++i) {
      const Index length = pick(random, 1, 12);
      const Booleans cells = random_cells(random, 0, length, false);
      LayerSchedule schedule = random_layers(random, 6);
      for (ModelLayer& layer : schedule.layers) layer.topk = 0;
      std::vector<bool> own;
      for (std::size_t l = 0; l < schedule.layers.size(); ++l) own.push_back(pick(random, 0, 1) == 0);
      const SequenceOfLayers sequence = SequenceOfLayers::plain(length);
      const auto size = static_cast<std::size_t>(length);
      std::vector<Booleans> before{Booleans(size, std::vector<bool>(size))};
      for (std::size_t t = 0; t < size; ++t) before[0][t][t] = true;
      for (std::size_t l = 0; l < schedule.layers.size(); ++l) {
        std::size_t source = l;
        while (schedule.layers[source].shares_kv_with >= 0)
          source = static_cast<std::size_t>(schedule.layers[source].shares_kv_with);
        Booleans state = before[l];
        for (std::size_t q = 0; q < size; ++q)
          for (std::size_t k = 0; k < size; ++k) {
            const bool seen = own[l] ? bool(cells[q][k])
                                     : test::sees(schedule, sequence, static_cast<Index>(l), static_cast<Index>(q),
                                                  static_cast<Index>(k));
            for (std::size_t t = 0; seen && t < size; ++t) state[q][t] = state[q][t] || before[source][k][t];
          }
        before.push_back(std::move(state));
      }
      for (Index query = 0; query < length; ++query) {
        const auto reach = reach_under(cells, schedule, own, query);
        for (std::size_t l = 0; l < schedule.layers.size(); ++l)
          for (Index t = 0; t < length; ++t)
            QCOMPARE(reach.reaches(static_cast<Index>(l), t), is_set(before[l + 1], query, t));
      }
    }
  }

  /// Queries that see no key after themselves keep the autoregressive graph at any depth, also
  /// beside a cache.
  void rectangular_causality_preserves_the_graph() {
    Random random(32);
    for (int i = 0; i < 60; ++i) {
      const Index past = pick(random, 0, 5), queries = pick(random, 1, 6), layers = pick(random, 1, 5);
      const std::vector<bool> own(static_cast<std::size_t>(layers), true);
      Booleans cells = random_cells(random, past, queries, true);
      for (Index q = 0; q < queries; ++q)
        QCOMPARE(reach_under(cells, full_layers(layers), own, past + q).later_tokens(), Index{0});
      if (queries == 1) continue;
      cells.front().back() = true;
      QVERIFY(reach_under(cells, full_layers(layers), own, past).later_tokens() > 0);
    }
  }

  /// Positions that restart beside a cache leave the mask causal in the wrong place.
  void cached_states_depend_on_their_prefix() {
    const auto reach = reach_under({{false, false, true, true}}, full_layers(2), {true, true}, 3);
    QVERIFY(reach.reaches(0, 2) && !reach.reaches(0, 1));
    QVERIFY(reach.reaches(1, 0) && reach.reaches(1, 1));
  }

  void a_window_reaches_as_intervals_do() {
    Random random(33);
    for (int i = 0; i < 20; ++i) {
      const Index length = pick(random, 1, 30), window = pick(random, 1, 6), layers = pick(random, 1, 5);
      Booleans cells(static_cast<std::size_t>(length), std::vector<bool>(static_cast<std::size_t>(length)));
      for (Index q = 0; q < length; ++q)
        for (Index k = std::max<Index>(0, q - window + 1); k <= q; ++k)
          cells[static_cast<std::size_t>(q)][static_cast<std::size_t>(k)] = true;
      LayerSchedule windows = full_layers(layers);
      for (ModelLayer& layer : windows.layers) layer = {.attention = LayerAttention::sliding, .window = window};
      const Index query = pick(random, 0, length - 1);
      const auto sight = LayerSight::make(windows, SequenceOfLayers::plain(length)).value();
      const auto intervals = LayerReach::make(sight, query).value();
      const auto reach =
          reach_under(cells, full_layers(layers), std::vector<bool>(static_cast<std::size_t>(layers), true), query);
      for (Index l = 0; l < layers; ++l)
        for (Index t = 0; t < length; ++t) QCOMPARE(reach.reaches(l, t), intervals.reach(l).contains(t));
    }
  }

  void refusals() {
    const Method method = mask_reach_method();
    const auto refused = [&](const ParameterValues::Map& set) {
      return method.check(default_values(method.parameters, set));
    };
    QVERIFY(refused({}));
    COMPARE_ERROR(refused({{"q_length", Index{8}}, {"query", Index{8}}}), "query is 8 but must be -1 to 7");
    COMPARE_ERROR(refused({{"mask", std::string("cross")}}),
                  "mask is cross, whose queries are another sequence than its keys; only self-attention has a depth");
    const Method model = layer_reach_method();
    COMPARE_ERROR(model.check(default_values(model.parameters, {{"layers", std::string("full,mask")}})),
                  "layer 1 is mask, a mask of your own, which mask_reach follows through depth");
    const auto long_values = default_values(method.parameters, {{"q_length", Index{70000}}});
    COMPARE_ERROR(std::get<FieldRecipe>(method.recipe).make(long_values, {}),
                  "the sequence has 70000 tokens but must have at most 65536 for masks through depth");
  }

  void the_remark_says_whether_the_future_leaks() {
    const Method method = mask_reach_method();
    const auto remark = [&](const char* mask) {
      return method.remark(
          default_values(method.parameters, {{"q_length", Index{8}}, {"query", Index{3}}, {"mask", std::string(mask)}}),
          {});
    };
    COMPARE_TEXT(remark("causal"), "The state of token 3 depends on no token after it through 4 layers");
    COMPARE_TEXT(
        remark("bidirectional"),
        "The state of token 3 depends on 4 tokens after it through 4 layers: in a causal model this is a leak");
  }
};

VQSCOPE_TEST(MaskReachTest)
#include "mask_reach_test.moc"
