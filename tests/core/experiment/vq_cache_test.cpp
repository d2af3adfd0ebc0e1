// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/vq_maps.h"

#include "core/experiment/setting/vq_experiment.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace vqscope;
using namespace vqscope::test;

class VqCacheTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Fields are made at once; computing their cells can be stopped and repeated later.
  void prepared_on_demand() {
    std::stop_source source;
    source.request_stop();
    for (const char* id : {"vq_cache", "vq_shortcodes", "vq_weights", "vq_weight_error"}) {
      const Method& method = *find_method(experiment_methods(), id);
      auto values = curve_values(id, small_values({{"q_length", Index{48}}, {"n_code", Index{8}}}));
      if (values.find("filled")) values.set("filled", Index{1});  // 48 tokens are one block
      const auto made = make_field(method, values);
      QVERIFY2(made, made ? "" : made.error().message.c_str());
      const auto& field = *made;
      QCOMPARE(field->prepare({.progress = {}, .stop = source.get_token()}).error().code, Errc::cancelled);
      Summary summary;
      QCOMPARE(field->summarize({{0, 1}, {0, 1}}, {.stop = source.get_token()}, summary).error().code, Errc::cancelled);
      QVERIFY(field->prepare({}));
      QVERIFY(std::isfinite(field->at(0, 0)));
    }
  }

  /// Every key has one code, the nearest codeword, whose rank is 0; ranks are all numbers below
  /// n_code.
  void each_key_has_one_code() {
    const VqSetting setting = small_setting();
    const auto experiment = run_vq(setting);
    const auto codes = make_vq_shortcodes(setting, false);
    const auto ranks = make_vq_shortcodes(setting, true);
    QCOMPARE(codes->extent(), (Extent{48, 8}));
    for (Index k = 0; k < 48; ++k) {
      double sum = 0;
      std::set<double> seen;
      for (Index s = 0; s < 8; ++s) {
        sum += codes->at(k, s);
        seen.insert(ranks->at(k, s));
        QCOMPARE(codes->at(k, s) == 1, ranks->at(k, s) == 0);
      }
      QCOMPARE(sum, 1.0);
      QCOMPARE(seen.size(), std::size_t{8});
      QCOMPARE(codes->at(k, experiment->quantised.codes[static_cast<std::size_t>(k)]), 1.0);
    }
    for (const auto& field : {codes, ranks}) {
      COMPARE_TEXT(read_differs(*field, {{3, 40}, {1, 7}}), "");
      COMPARE_TEXT(summary_differs(*field, {{0, 5, 48}, {0, 3, 8}}), "");
    }
  }

  void a_code_explains_itself() {
    const auto codes = make_vq_shortcodes(small_setting(), false);
    Index own = 0;
    while (codes->at(5, own) == 0) ++own;
    COMPARE_TEXT(codes->report(5, own).why, "this is the codeword nearest to key 5; attention replaces the key by it");
    QVERIFY(codes->report(5, (own + 1) % 8).why.find("key 5 is replaced by codeword " + to_text(own)) == 0);
  }

  /// Block 4 of 10 ends at token 48: all of it is in the cache then, and nothing is counted twice.
  void cache_counts_agree_with_the_codes() {
    const VqSetting setting = small_setting();
    const auto codes = make_vq_shortcodes(setting, false);
    const auto counts = make_vq_cache(setting, CacheQuantity::count);
    const auto biases = make_vq_cache(setting, CacheQuantity::bias);
    QCOMPARE(counts->extent(), (Extent{5, 8}));
    for (Index block = 0; block < 5; ++block)
      for (Index s = 0; s < 8; ++s) {
        double wanted = 0;
        for (Index k = 0; k < std::min<Index>((block + 1) * 10, 48); ++k) wanted += codes->at(k, s);
        QCOMPARE(counts->at(block, s), wanted);
        QVERIFY(wanted == 0 ? std::isnan(biases->at(block, s)) : biases->at(block, s) == std::log(wanted));
      }
    COMPARE_TEXT(read_differs(*counts, {{0, 5}, {2, 8}}), "");
    QVERIFY(counts->report(4, 0).why.find(" of the 48 keys up to block 4 have code 0") != std::string::npos);
  }

  void mean_values_are_means() {
    const VqSetting setting = small_setting();
    const auto experiment = run_vq(setting);
    const auto lengths = make_vq_cache(setting, CacheQuantity::mean_value);
    for (Index s = 0; s < 8; ++s) {
      std::vector<double> sum(6);
      double count = 0;
      for (Index k = 0; k < 20; ++k) {
        if (experiment->quantised.codes[static_cast<std::size_t>(k)] != s) continue;
        ++count;
        for (std::size_t c = 0; c < 6; ++c)
          sum[c] += static_cast<double>(experiment->data.values[std::size_t(k) * 6 + c]);
      }
      double squares = 0;
      for (const double each : sum) squares += each * each / (count * count);
      QVERIFY(count == 0 ? std::isnan(lengths->at(1, s)) : near(lengths->at(1, s), std::sqrt(squares), 1e-5));
    }
  }

  void methods_are_the_fields() {
    const auto values = curve_values("vq_cache", small_values({{"q_length", Index{48}}, {"block_len", Index{10}}}));
    QCOMPARE((*make_field(*find_method(experiment_methods(), "vq_cache"), values))->extent(), (Extent{5, 64}));
    const auto ranked = curve_values("vq_shortcodes", small_values({{"shown", std::string("rank")}}));
    QCOMPARE((*make_field(*find_method(experiment_methods(), "vq_shortcodes"), ranked))->value_range().second, 63.0);
    COMPARE_ERROR(
        make_field(
            *find_method(experiment_methods(), "vq_cache"),
            curve_values("vq_cache", {{"q_length", Index{65536}}, {"block_len", Index{1}}, {"n_code", Index{2048}}})),
        "65536 blocks of block_len 1 and n_code 2048 need 2 GiB for the caches but must be at most 256 MiB");
  }

  /// Blocks that are not in the cache yet count 0; the curve is the last filled row.
  void the_cache_fills_block_by_block() {
    auto values = curve_values(
        "vq_cache",
        small_values({{"q_length", Index{48}}, {"block_len", Index{10}}, {"n_code", Index{8}}, {"filled", Index{3}}}));
    const auto filled = *make_field(*find_method(experiment_methods(), "vq_cache"), values);
    values.set("filled", Index{5});
    const auto whole = *make_field(*find_method(experiment_methods(), "vq_cache"), values);
    for (Index s = 0; s < 8; ++s) {
      QCOMPARE(filled->at(2, s), whole->at(2, s));
      QCOMPARE(filled->at(3, s), 0.0);
    }
    COMPARE_TEXT(filled->report(3, 0).why, "block 3 is not in the cache yet, which holds 3 blocks");
    values.set("filled", Index{3});
    const auto curves = *make_curves(*find_method(experiment_methods(), "vq_cache_codes"),
                                     carried_values(*find_method(experiment_methods(), "vq_cache_codes"), values));
    for (Index s = 0; s < 8; ++s) QCOMPARE(curves.curves[0].y[static_cast<std::size_t>(s)], whole->at(2, s));
    QCOMPARE(fact_of(curves, "keys"), 30.0);
    COMPARE_TEXT(incomplete(curves), "");
    values.set("filled", Index{6});
    COMPARE_ERROR(make_field(*find_method(experiment_methods(), "vq_cache"), values),
                  "filled is 6 but must be an integer from 1 to 5");
  }

  /// Fewer blocks: a value that was in the range comes into the new one; all of them stays all of
  /// them.
  void filled_follows_the_number_of_blocks() {
    const Method& method = *find_method(experiment_methods(), "vq_cache");
    auto values = default_values(method.parameters);
    QCOMPARE(values.integer("filled"), Index{4});
    const auto former = parameters_of(method, values);
    values.set("filled", Index{3});
    values.set("q_length", Index{256});
    QCOMPARE(completed_values(parameters_of(method, values), values, former).integer("filled"), Index{2});
    values.set("filled", Index{4});
    values.set("q_length", Index{1024});
    QCOMPARE(completed_values(parameters_of(method, values), values, former).integer("filled"), Index{8});
  }
};

VQSCOPE_TEST(VqCacheTest)
#include "vq_cache_test.moc"
