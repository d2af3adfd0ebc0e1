// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/curve_set.h"
#include "core/method/method_list.h"
#include "core/schedule/methods.h"
#include "core/schedule/setting/schedule_parameters.h"
#include "core/schedule/text/layer_texts.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

ParameterValues values_of(const Method& method, const ParameterValues::Map& set) {
  return default_values(method.parameters, set);
}

const Method& method_of(std::string_view id) { return *find_method(schedule_methods(), id); }

Result<CurveSet> curves_of(std::string_view id, const ParameterValues::Map& set) {
  return make_curves(method_of(id), values_of(method_of(id), set));
}

double fact(const CurveSet& set, std::string_view name) {
  for (const auto& [each, value] : set.facts)
    if (each == name) return value;
  return no_value;
}

using Text = std::string;

}  // namespace

class ScheduleCurvesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void growth_by_hand() {
    const auto set = *curves_of("layer_reach_growth", {{"layers", Text("2*sliding:3,full nope")},
                                                       {"num_hidden_layers", Index{4}},
                                                       {"q_length", Index{20}},
                                                       {"intended_layers", Text("full")}});
    QCOMPARE(set.curves.size(), std::size_t{4});
    QCOMPARE(set.curves[0].y, (std::vector<double>{3, 5, 20, 20}));
    QCOMPARE(set.curves[1].y, (std::vector<double>{20, 20, 20, 20}));
    QCOMPARE(set.curves[2].y, (std::vector<double>{3, 5, 7, 9}));
    QCOMPARE(set.curves[3].y, (std::vector<double>{3, 5, 5, 7}));
  }

  /// The default is Gemma 3 27B in bfloat16: 10 full layers of 62, 8 KiB a token and layer.
  void cache_by_hand() {
    const auto set = *curves_of("layer_kv_cache", {{"length_max", Index{131072}}});
    QCOMPARE(fact(set, "bytes"), 8192.0 * 2 * (10 * 131072.0 + 52 * 1024.0) / 2);
    QCOMPARE(fact(set, "bytes_all_full"), 8192.0 * 62 * 131072.0);
    const double free = 80.0 * 1024 * 1024 * 1024;
    QCOMPARE(fact(set, "longest_all_full"), std::floor(free / (8192.0 * 62)));
    QCOMPARE(fact(set, "longest"), std::floor((free / 8192.0 - 52 * 1024.0) / 10));
  }

  void sizes_come_from_the_text_or_the_parameters() {
    const auto& method = method_of("layer_kv_cache");
    const auto values = values_of(method, {{"layers", Text("full,full kv_heads=2,state")},
                                           {"num_hidden_layers", Index{0}},
                                           {"num_key_value_heads", Index{8}},
                                           {"head_dim", Index{64}}});
    const auto schedule = schedule_from(values).value();
    QCOMPARE(schedule.layers[0].num_key_value_heads, Index{8});
    QCOMPARE(schedule.layers[1].num_key_value_heads, Index{2});
    QCOMPARE(schedule.layers[2].head_dim, Index{0});
    QVERIFY(schedule_from(schedule_values(schedule)).value().layers == schedule.layers);
    QVERIFY(method.remark(values, {}).ends_with("; the state of 1 layers is not counted: state:N gives it"));
  }

  void bad_input() {
    COMPARE_ERROR(curves_of("layer_reach_growth", {{"intended_layers", Text("ful")}}),
                  "intended_layers, item 1 (ful): unknown kind ful; did you mean full? (full, sliding:N, chunked:N, "
                  "sparse:N, compressed:N, state, none)");
    COMPARE_ERROR(curves_of("layer_kv_cache", {{"weights", 80.0}}),
                  "weights is 80 GiB but must be less than memory, 80 GiB");
  }
};

VQSCOPE_TEST(ScheduleCurvesTest)
#include "schedule_curves_test.moc"
