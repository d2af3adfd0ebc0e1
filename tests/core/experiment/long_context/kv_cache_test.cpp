// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/long_context/kv_cache.h"
#include "core/experiment/methods.h"
#include "core/method/curve_set.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace vqscope;

namespace {

using Map = ParameterValues::Map;

ParameterValues cache_values(const Map& set) { return default_values(kv_cache_method().parameters, set); }

CurveSet cache_of(const Map& set) { return make_curves(kv_cache_method(), cache_values(set)).value(); }

double fact(const CurveSet& set, const std::string& name) {
  for (const auto& [each, value] : set.facts)
    if (each == name) return value;
  return no_value;
}

const Map small{{"model", std::string("custom")},
                {"layers", Index{3}},
                {"kv_heads", Index{2}},
                {"head_dim", Index{5}},
                {"num_heads", Index{4}}};

Map with(Map map, const Map& more) {
  for (const auto& [name, value] : more) map.insert_or_assign(name, value);
  return map;
}

}  // namespace

class KvCacheTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// 2 · layers · kv_heads · head_dim · T · bytes.
  void bytes_by_hand() {
    const auto set = cache_of(small);
    QCOMPARE(fact(set, "bytes_of_a_token"), 2.0 * 3 * 2 * 5 * 2);
    for (std::size_t i = 0; i < set.x.size(); ++i) QCOMPARE(set.curves[0].y[i], 120 * set.x[i]);
    QCOMPARE(fact(cache_of(with(small, {{"dtype", std::string("float32")}, {"batch", Index{7}}})), "bytes_of_a_token"),
             120.0 * 2 * 7);
    QCOMPARE(fact(cache_of(with(small, {{"dtype", std::string("int4")}})), "bytes_of_a_token"), 30.0);
  }

  /// Two of three layers keep 100 tokens.
  void windows() {
    const auto set = cache_of(with(small, {{"window", Index{100}}, {"full_layers", Index{1}}}));
    QCOMPARE(set.curves.size(), std::size_t{2});
    QCOMPARE(set.curves[0].y[0], 40.0 * 64 * 3);
    QCOMPARE(set.curves[0].y[4], 40.0 * (1024 + 200));
    QCOMPARE(set.curves[1].y[4], 40.0 * 3 * 1024);
  }

  /// The longest sequence fits, and one token more does not.
  void longest_sequence() {
    const double kibibyte = 1.0 / 1024 / 1024;
    const auto set = cache_of(with(small, {{"memory", 1.0}, {"weights", 1.0 - 64 * kibibyte}}));
    QCOMPARE(fact(set, "longest"), std::floor(65536.0 / 120));
    QCOMPARE(set.marks.front().x, std::floor(65536.0 / 120));
    QCOMPARE(set.levels.front().label, std::string("64 KiB free of 1 GiB"));
    const auto none = cache_of(with(small, {{"memory", 1.0}, {"weights", 1 - 1e-8}}));
    QVERIFY(std::isnan(fact(none, "longest")) && none.marks.empty());
  }

  void scores_of_a_layer() {
    const auto set = cache_of(with(small, {{"quantity", std::string("scores")}, {"memory", 1.0}}));
    QCOMPARE(set.curves[0].y[0], 2.0 * 4 * 64 * 64);
    QCOMPARE(fact(set, "longest"), std::floor(std::sqrt(1073741824.0 / 8)));
  }

  /// Figures that are often quoted.
  void published_models() {
    QCOMPARE(fact(cache_of({{"model", std::string("llama_3_1_8b")}}), "bytes_of_a_token"), 131072.0);
    QCOMPARE(fact(cache_of({{"model", std::string("llama_2_7b")}}), "bytes_of_a_token"), 524288.0);
    QCOMPARE(fact(cache_of({{"model", std::string("gpt_3")}}), "bytes_of_a_token"), 4718592.0);
    QCOMPARE(fact(cache_of({{"model", std::string("deepseek_v3")}}), "bytes_of_a_token"), 70272.0);
    const double petabyte = 1e15;
    QVERIFY(cache_of({{"model", std::string("gpt_3")}, {"batch", Index{128}}}).curves[0].y.back() > petabyte);
    std::set<std::string_view> ids;
    for (const CachedModel& model : cached_models()) {
      QVERIFY(ids.insert(model.id).second);
      QVERIFY(model.full_layers <= model.layers && (model.full_layers == model.layers) == (model.window == 0));
      QVERIFY(model.heads % model.kv_heads == 0);
    }
  }

  void remarks() {
    const auto remark_of = [](const Map& set) { return kv_cache_method().remark(cache_values(set), {}); };
    QCOMPARE(remark_of({}), std::string("2\u202f097\u202f152 tokens need 256 GiB; 80 GiB hold 655\u202f360 tokens"));
    QCOMPARE(remark_of(with(small, {{"memory", 1.0}, {"weights", 1 - 1e-8}, {"length_max", Index{64}}})),
             std::string("64 tokens need 7.5 KiB; no token fits into 10.7 bytes"));
    QCOMPARE(remark_of(with(small, {{"memory", 1048576.0}, {"length_max", Index{64}}})),
             std::string("64 tokens need 7.5 KiB; 1 PiB hold more than 2\u202f147\u202f483\u202f648 tokens"));
  }

  void bad_input() {
    COMPARE_ERROR(make_curves(kv_cache_method(), cache_values({{"weights", 80.0}})),
                  "weights is 80 GiB but must be less than memory, 80 GiB");
    COMPARE_ERROR(make_curves(kv_cache_method(), cache_values(with(small, {{"full_layers", Index{4}}}))),
                  "full_layers is 4 but must be at most layers, 3");
  }
};

VQSCOPE_TEST(KvCacheTest)
#include "kv_cache_test.moc"
