// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/vq_parameters.h"

#include "core/curve/methods.h"
#include "core/experiment/methods.h"
#include "core/experiment/setting/vq_experiment.h"
#include "core/method/method_list.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class VqParametersTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void setting_has_the_given_values() {
    ParameterValues values = default_values(vq_parameters());
    const VqSetting standard = *vq_setting(values);
    QCOMPARE(standard.q_length, Index{512});
    QCOMPARE(standard.n_code, VqSetting().n_code);
    QCOMPARE(standard.train_keys, VqSetting().train_keys);
    QCOMPARE(standard.steps, VqSetting().steps);
    QCOMPARE(standard.gamma, VqSetting().gamma);
    QVERIFY(standard.norm == QueryKeyNorm::paper && standard.keys.kind == KeyKind::clustered);
    values.set("data", std::string("independent"));
    values.set("seed", Index{7});
    values.set("normalize", std::string("none"));
    const VqSetting other = *vq_setting(values);
    QVERIFY(other.keys.kind == KeyKind::independent && other.norm == QueryKeyNorm::none);
    QCOMPARE(other.keys.seed, std::uint64_t{7});
  }

  void parameters_can_be_omitted() {
    const auto specs = vq_parameters({"steps", "d_v"});
    QVERIFY(!find_spec(specs, "steps") && !find_spec(specs, "d_v") && find_spec(specs, "gamma"));
    QCOMPARE(specs.size() + 2, vq_parameters().size());
  }

  void more_codewords_than_keys_to_learn_from() {
    COMPARE_ERROR(curves_of("vq_occupancy", {{"n_code", Index{100}}, {"train_keys", Index{99}}}),
                  "n_code is 100 but must be at most train_keys = 99, the number of keys to learn codewords from");
    COMPARE_ERROR(
        curves_of("vq_error_vs_codes", {{"n_code_max", Index{4096}}}),
        "n_code_max is 4096 but must be at most train_keys = 2048, the number of keys to learn codewords from");
  }

  void more_numbers_than_there_is_room_for() {
    COMPARE_ERROR(
        curves_of("vq_error_vs_length", {{"length_max", Index{65536}}, {"d_k", Index{512}}, {"d_v", Index{512}}}),
        "length_max 65536, train_keys 2048, d_k 512 and d_v 512 need 516 MiB for queries, keys and values "
        "but must be at most 256 MiB");
    QVERIFY(!curves_of("vq_occupancy", {{"q_length", Index{65536}}, {"d_k", Index{512}}}));
  }

  void longer_sequences_begin_alike() {
    VqSetting setting = small_setting();
    const VqData data = draw_vq(setting);
    setting.q_length *= 2;
    const VqData longer = draw_vq(setting);
    QCOMPARE(longer.train, data.train);
    QVERIFY(std::equal(data.keys.begin(), data.keys.end(), longer.keys.begin()));
    QVERIFY(std::equal(data.queries.begin(), data.queries.end(), longer.queries.begin()));
    QVERIFY(std::equal(data.values.begin(), data.values.end(), longer.values.begin()));
    setting.keys.seed = 99;
    QVERIFY(draw_vq(setting).keys != longer.keys && draw_vq(setting).values != longer.values);
  }

  void normalized_rows_have_the_papers_length() {
    const VqData data = draw_vq(small_setting());
    for (const auto* rows : {&data.queries, &data.keys, &data.train}) {
      double squares = 0;
      for (Index c = 0; c < data.d_k; ++c) squares += std::pow(static_cast<double>((*rows)[std::size_t(c)]), 2);
      QVERIFY(near(squares, std::sqrt(static_cast<double>(data.d_k)), 1e-4));
    }
  }

  void quantised_keys_are_the_nearest_codewords() {
    const std::vector<float> keys{0, 1, 10, 2, 4, 4};
    const std::vector<float> codewords{0, 0, 9, 3};
    const auto quantised = quantise(matrix_of(keys, 2), matrix_of(codewords, 2));
    QCOMPARE(quantised.codes, (std::vector<std::int32_t>{0, 1, 1}));
    QCOMPARE(quantised.keys, (std::vector<float>{0, 0, 9, 3, 9, 3}));
    QVERIFY(near(quantised.commit_loss, (1.0 + 2.0 + 26.0) / 3, 1e-12));
    QCOMPARE(code_counts(quantised.codes, 3), (std::vector<Index>{1, 2, 0}));
  }

  void lengths_of_a_curve() {
    QCOMPARE(powers_of_two(1, 8), (std::vector<double>{1, 2, 4, 8}));
    QCOMPARE(powers_of_two(3, 20), (std::vector<double>{3, 6, 12, 20}));
    QCOMPARE(powers_of_two(5, 5), (std::vector<double>{5}));
  }

  /// Every method that measures names its kernels, can be stopped, and has related curves that
  /// exist.
  void methods_name_kernels_and_related_curves() {
    for (const Method& method : experiment_methods()) {
      if (method.category != "experiments" || method.run()) continue;
      if (method.curves()->origin == CurveOrigin::geometry) continue;
      QVERIFY2(!method.curves()->kernels.empty(), method.id.c_str());
      QVERIFY2(stops(method.id.c_str()), method.id.c_str());
      for (const auto& related_curve : method.curves()->related)
        QVERIFY2(find_method(experiment_methods(), related_curve) || find_method(curve_methods(), related_curve),
                 related_curve.c_str());
    }
  }
};

VQSCOPE_TEST(VqParametersTest)
#include "vq_parameters_test.moc"
