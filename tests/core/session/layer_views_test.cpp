// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/layer_views.h"

#include "core/catalogue/registry.h"
#include "core/field/field.h"
#include "core/method/method.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class LayerViewsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The mask of each kind of layer can be made, and a query sees as many keys as the layer's
  /// window.
  void masksOfLayers() {
    const Method& visibility = *find_method("visibility");
    const auto seen = [&](const ModelLayer& layer, Index query) {
      auto values = mask_of_layer(layer);
      [&] { QVERIFY(values); }();
      values->set("q_length", Index{64});
      const auto field = make_field(visibility, carried_values(visibility, *values));
      [&] { QVERIFY(field); }();
      Index count = 0;
      for (Index key = 0; key < 64; ++key) count += (*field)->at(query, key) > 0 ? 1 : 0;
      return count;
    };
    QCOMPARE(seen({.attention = LayerAttention::full}, 40), Index{41});
    QCOMPARE(seen({.attention = LayerAttention::full, .two_sided = true}, 40), Index{64});
    QCOMPARE(seen({.attention = LayerAttention::sliding, .window = 8}, 40), Index{8});
    QCOMPARE(seen({.attention = LayerAttention::chunked, .window = 16}, 40), Index{9});
    QCOMPARE(seen({.attention = LayerAttention::sliding, .window = 8, .two_sided = true}, 40), Index{9});
    COMPARE_ERROR(mask_of_layer({.attention = LayerAttention::state}),
                  "this layer has a recurrent state instead of attention, so it has no mask");
  }

  void positionsOfLayers() {
    LayerSchedule schedule;
    schedule.ropes.push_back({});
    schedule.ropes.back().scaling.rope_theta = 5e5;
    schedule.ropes.back().pair_layout = PairLayout::head_split;
    schedule.layers.push_back({.rope = 0});
    schedule.layers.push_back({.positions = "none"});
    const auto rotary = positions_of_layer(schedule, 0);
    QVERIFY(rotary);
    QCOMPARE(rotary->method, std::string("rope_phase"));
    QCOMPARE(rotary->values.real("rope_theta"), 5e5);
    QCOMPARE(rotary->values.choice("pair_layout"), std::string("head_split"));
    COMPARE_ERROR(positions_of_layer(schedule, 1), "layer 1 has no RoPE: its positions are none");
  }
};

VQSCOPE_TEST(LayerViewsTest)
#include "layer_views_test.moc"
