// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/studies.h"
#include "core/experiment/methods.h"
#include "core/method/curve_set.h"
#include "tests/support/compare.h"
#include "tests/support/curve_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Changes = std::vector<std::pair<std::string, ParameterValue>>;
using Texts = std::vector<std::string>;

const Method& vq_method() {
  static const Method made = vq_model_method();
  return made;
}

/// A few steps of a tiny model.
ParameterValues vq_values(const Changes& changes = {}) {
  ParameterValues values = default_values(vq_method().parameters);
  values.set("lines", std::string("mean"));
  values.set("competence", 10.0);  // twelve steps teach nothing
  for (const auto& [name, value] : {std::pair("train_steps", 12),
                                    {"train_length", 32},
                                    {"batch_rows", 2},
                                    {"seed_count", 2},
                                    {"d_model", 8},
                                    {"num_heads", 2},
                                    {"d_ff", 8},
                                    {"n_code_max", 8},
                                    {"train_threads", 2}})
    values.set(name, Index{value});
  for (const auto& [name, value] : changes) values.set(name, value);
  return values;
}

CurveSet curves(const Changes& changes = {}) { return make_curves(vq_method(), vq_values(changes)).value(); }

ParameterValue choice(const char* id) { return std::string(id); }

}  // namespace

class VqModelTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Two gated units a layer, each with a codebook, and other numbers than ordinary layers have.
  void gated_units_are_layers() {
    const Changes changes{{"models", Texts{"vq"}},
                          {"against", choice("step")},
                          {"quantity", choice("used_codes")},
                          {"vq_cache", Texts{"with"}},
                          {"layer", choice("shga")}};
    const CurveSet set = curves(changes);
    COMPARE_TEXT(set.curves.back().name, "vq, layer 3");
    for (const double fraction : set.curves.back().y) QVERIFY(fraction > 0 && fraction <= 1);
    QVERIFY(curves({{"models", Texts{"rope"}}, {"layer", choice("shga")}}).curves[0].y !=
            curves({{"models", Texts{"rope"}}}).curves[0].y);
  }

  void a_model_that_is_named_twice_is_one() {
    const auto once = curves({{"models", Texts{"vq", "vq_without_cache"}}});
    const auto twice = curves({{"models", Texts{"vq", "vq_without_cache", "vq"}}});
    QCOMPARE(twice.curves.size(), once.curves.size());
    for (std::size_t i = 0; i < once.curves.size(); ++i) QCOMPARE(twice.curves[i].y, once.curves[i].y);
  }

  void sizes_are_powers_of_two() {
    QCOMPARE(codebook_sizes(vq_values({{"n_code_max", Index{64}}})), (std::vector<Index>{4, 8, 16, 32, 64}));
    QCOMPARE(codebook_sizes(vq_values({{"n_code_min", Index{3}}, {"n_code_max", Index{15}}})),
             (std::vector<Index>{4, 8}));
    QCOMPARE(codebook_sizes(vq_values({{"against", choice("step")}, {"model_n_code", Index{7}}})),
             (std::vector<Index>{7}));
  }

  /// Full attention has no codebook: it is as good at every size.
  void losses_by_size() {
    const CurveSet set = curves({{"models", Texts{"rope", "vq", "vq_without_cache"}}});
    QCOMPARE(set.x, (std::vector<double>{4, 8}));
    QCOMPARE(curve_names(set), (Texts{"rope", "vq", "vq_without_cache"}));
    QCOMPARE(set.curves[0].y[0], set.curves[0].y[1]);
    QVERIFY(set.curves[1].y[0] != set.curves[1].y[1]);
    for (const Curve& curve : set.curves)
      for (const double loss : curve.y) QVERIFY(1 < loss && loss < 5);
    const double factor = set.curves[1].y[1] / set.curves[1].y[0];
    const auto fact = std::ranges::find(set.facts, "factor_per_doubling_vq", &std::pair<std::string, double>::first);
    QVERIFY(fact != set.facts.end() && std::abs(fact->second - factor) < 1e-12);
  }

  /// The test loss is that of the same variant in length_extrapolation's first point: one study for
  /// both.
  void losses_agree_with_the_study() {
    const auto runs = run_vq_models(vq_values(), StudyData::open(vq_values()).value(), {}, [](const auto&) {}).value();
    TrainedModels models;
    const auto own = run_study(
                         vq_model_study(vq_values(), 8), {}, [](const auto&) {}, models)
                         .value();
    for (std::size_t v = 0; v < 2; ++v)
      for (std::size_t seed = 0; seed < 2; ++seed) QCOMPARE(runs[1][v][seed].loss, own[v][seed][0]);
  }

  void quantities_by_step() {
    for (const char* quantity : {"commit_loss", "used_codes"}) {
      const CurveSet set = curves({{"against", choice("step")}, {"quantity", choice(quantity)}});
      QCOMPARE(set.x.size(), std::size_t{12});
      QCOMPARE(curve_names(set), (Texts{"vq_xl, layer 0", "vq_xl, layer 1", "vq_xl_without_cache, layer 0",
                                        "vq_xl_without_cache, layer 1"}));
      for (const Curve& curve : set.curves)
        for (const double y : curve.y) QVERIFY(0 < y && (y <= 1 || std::string(quantity) == "commit_loss"));
    }
    const CurveSet loss = curves({{"against", choice("step")},
                                  {"models", Texts{"vq"}},
                                  {"vq_cache", Texts{"with"}},
                                  {"lines", choice("range")}});
    QCOMPARE(loss.bands, (std::vector<CurveBand>{{0, 1, 2}}));
    QVERIFY(loss.curves[0].y.back() < loss.curves[0].y.front());
  }

  /// At the end of 12 steps: the mean of the last two; of the commitment the sum over layers.
  void quantities_at_the_end() {
    const auto runs = run_vq_models(vq_values(), StudyData::open(vq_values()).value(), {}, [](const auto&) {}).value();
    double commit = 0, used = 0;
    for (const VqModelRun& run : runs[1][0])
      for (std::size_t step : {10U, 11U})
        for (std::size_t layer : {0U, 1U}) {
          commit += run.trace.steps[step].losses.commit_layers[layer] / 4;
          used += run.trace.steps[step].used_codes[layer] / 8;
        }
    QVERIFY(std::abs(curves({{"quantity", choice("commit_loss")}}).curves[0].y[1] - commit) < 1e-12);
    QVERIFY(std::abs(curves({{"quantity", choice("used_codes")}}).curves[0].y[1] - used) < 1e-12);
    for (const Curve& curve : curves({{"quantity", choice("seconds")}}).curves)
      for (const double y : curve.y) QVERIFY(y > 0);
  }

  /// Grouped heads have fewer codebooks, and a model that did not learn says so.
  void fewer_key_heads() {
    const CurveSet grouped = curves({{"num_kv_heads", Index{1}}});
    QVERIFY(grouped.curves[0].y != curves().curves[0].y);
    QCOMPARE(curve_names(curves({{"competence", 0.5}})),
             (Texts{"vq_xl (did not learn)", "vq_xl_without_cache (did not learn)"}));
    COMPARE_ERROR(check_method_values(vq_method(), vq_values({{"num_heads", Index{4}}, {"num_kv_heads", Index{3}}})),
                  "vq_xl: n_kv_heads is 3 but must divide n_heads, 4");
  }

  /// Trained on passkeys; the larger problems are those of length_generalisation.
  void passkeys() {
    const Changes changes{{"quantity", choice("passkeys")}, {"vq_cache", Texts{"with"}}, {"n_code_max", Index{4}}};
    const CurveSet set = curves(changes);
    QCOMPARE(curve_names(set), (Texts{"vq_xl (did not learn)"}));
    QVERIFY(set.y_title == "fraction of passkeys found" && set.curves[0].y[0] >= 0 && set.curves[0].y[0] <= 1);
    const VariantStudy study = vq_model_study(vq_values(changes), 4);
    QCOMPARE(study.lengths.size(), std::size_t{2});
    QVERIFY(study.lengths[0] == study.train_length() && study.lengths[1] > 7 * study.lengths[0]);
    QCOMPARE(study.test(1)->length, study.lengths[1]);
  }

  void published_tables() {
    const auto set = curves({{"overlay", choice("transformer_vq")}});
    QVERIFY(set.published && set.published->series[0].y == (std::vector<double>{1.010, 1.005, 1.000}));
    const Published::Series& without = set.published->series[1];
    QVERIFY(without.x == std::vector<double>{256} && without.y == std::vector<double>{1.026});
    QVERIFY(!curves({{"overlay", choice("transformer_vq")}, {"quantity", choice("used_codes")}}).published);
  }

  void refusals() {
    const auto refused = [](const Changes& changes) { return check_method_values(vq_method(), vq_values(changes)); };
    QVERIFY(refused({}));
    COMPARE_ERROR(refused({{"n_code_min", Index{5}}, {"n_code_max", Index{7}}}),
                  "no power of two lies between n_code_min 5 and n_code_max 7");
    COMPARE_ERROR(refused({{"against", choice("step")}, {"quantity", choice("seconds")}}),
                  "quantity is seconds but must be loss, commit_loss or used_codes against step");
    COMPARE_ERROR(refused({{"models", Texts{"rope"}}, {"quantity", choice("used_codes")}}),
                  "quantity is used_codes, which only models of VQ attention have: models must name one");
    COMPARE_ERROR(refused({{"quantity", choice("passkeys")}, {"data", choice("vault")}}),
                  "quantity is passkeys, data is vault but must be language: the models are trained on passkeys alone");
    COMPARE_ERROR(refused({{"models", Texts{}}}), "models is empty but must have at least one model");
  }
};

VQSCOPE_TEST(VqModelTest)
#include "vq_model_test.moc"
