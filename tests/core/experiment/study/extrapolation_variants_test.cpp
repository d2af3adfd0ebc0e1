// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/experiment/study/variant_study.h"
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const ExtrapolationVariant& variant_named(const std::string& id) {
  return *std::ranges::find(extrapolation_variants(), id, &ExtrapolationVariant::id);
}

VariantStudy study_of(const ParameterValues::Map& set) {
  return {.values = curve_values("length_extrapolation", set), .vocabulary = 40, .data = "d", .lengths = {64, 128}};
}

TransformerConfig tested_at(const std::string& id, double multiple) {
  const VariantStudy study = study_of({});
  const ExtrapolationVariant& variant = variant_named(id);
  TransformerConfig config = trained_config(study, variant);
  if (variant.test) variant.test(study.values, multiple, config);
  return config;
}

}  // namespace

class ExtrapolationVariantsTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Ordinary and gated layers: trained or refused with a sentence, never a config that no check
  /// has seen.
  void every_variant_is_a_model() {
    std::set<std::string> ids;
    for (const char* layer : {"transformer", "shga"})
      for (const ExtrapolationVariant& variant : extrapolation_variants()) {
        const VariantStudy study =
            study_of({{"models", std::vector<std::string>{variant.id}}, {"layer", std::string(layer)}});
        const auto checked = check_study(study);
        QCOMPARE(bool(checked), bool(trained_config(study, variant).check()));
        if (layer == std::string("transformer")) QVERIFY2(checked, variant.id.c_str());
        if (!checked) QVERIFY2(checked.error().message.starts_with(variant.id + ": "), checked.error().message.c_str());
        ids.insert(variant.id);
      }
    QCOMPARE(ids.size(), extrapolation_variants().size());
  }

  /// Variants of one training have one config of training.
  void shared_trainings_are_the_same() {
    const VariantStudy study = study_of({});
    for (const ExtrapolationVariant& variant : extrapolation_variants()) {
      const ExtrapolationVariant& trained = variant_named(variant.training);
      QCOMPARE(trained.training, trained.id);
      QVERIFY2(trained_config(study, variant) == trained_config(study, trained), variant.id.c_str());
      QCOMPARE(variant.random_positions, trained.random_positions);
    }
  }

  void changes_at_test() {
    QCOMPARE(tested_at("rope_linear", 4).rope_scaling, std::string("linear"));
    QCOMPARE(tested_at("rope_linear", 4).rope_factor, 4.0);
    QCOMPARE(tested_at("rope_yarn", 2).original_max_position, Index{64});
    QVERIFY(tested_at("vq_xl", 2).quantises() && tested_at("vq_xl", 2).pos == PositionKind::xl);
    QCOMPARE(tested_at("vq_alibi", 2).relative_bias, std::string("alibi"));
    QVERIFY(tested_at("vq_rope_yarn", 4).quantises() && tested_at("vq_rope_yarn", 4).rope_scaling == "yarn");
    QCOMPARE(tested_at("vq_rope_yarn_test_without_cache", 4).rope_factor, 4.0);
    QVERIFY(!tested_at("vq_rope_yarn_test_without_cache", 4).cache && !tested_at("vq_fire_without_cache", 1).cache);
    QCOMPARE(tested_at("rope_rerope", 2).rerope_window, Index{32});
    QVERIFY(tested_at("rope_test_window", 2).attn == AttentionKind::window);
    QVERIFY(tested_at("vq", 8).cache && !tested_at("vq_test_without_cache", 8).cache);
    QVERIFY(tested_at("rope", 8) == trained_config(study_of({}), variant_named("rope")));
  }

  void chosen_in_the_order_of_the_list() {
    const auto chosen = chosen_variants(study_of({{"models", std::vector<std::string>{"vq", "rope", "alibi"}}}).values);
    QCOMPARE(chosen.size(), std::size_t{3});
    QCOMPARE(chosen[0].id, std::string("rope"));
    QCOMPARE(chosen[2].id, std::string("vq"));
  }

  /// Earlier ids of the table's models stay; vq_cache does not add them twice.
  void caches() {
    const auto ids = [](std::vector<std::string> models, std::vector<std::string> caches) {
      std::vector<std::string> chosen;
      for (const auto& variant :
           chosen_variants(study_of({{"models", std::move(models)}, {"vq_cache", std::move(caches)}}).values))
        chosen.push_back(variant.id);
      return chosen;
    };
    using Ids = std::vector<std::string>;
    QCOMPARE(ids({"rope", "vq_xl"}, {"without"}), (Ids{"rope", "vq_xl_without_cache"}));
    QCOMPARE(ids({"vq_xl"}, {"with", "test_without", "without"}),
             (Ids{"vq_xl", "vq_xl_test_without_cache", "vq_xl_without_cache"}));
    QCOMPARE(ids({"vq", "vq_without_cache"}, {"with", "without"}), (Ids{"vq", "vq_without_cache"}));
    COMPARE_ERROR(check_study(study_of({{"models", Ids{"vq_xl"}}, {"vq_cache", Ids{}}})),
                  "vq_cache is empty but must have at least one choice");
  }

  void refused() {
    COMPARE_ERROR(check_study(study_of({{"models", std::vector<std::string>{}}})),
                  "models is empty but must have at least one model");
    COMPARE_ERROR(check_study(study_of(
                      {{"models", std::vector<std::string>{"transformer_xl_memory"}}, {"layer", std::string("shga")}})),
                  "transformer_xl_memory: layer_kind is \"shga\", attn must be \"full\", \"window\", \"mask\" or "
                  "\"vq\": gated units have no segments");
  }
};

VQSCOPE_TEST(ExtrapolationVariantsTest)
#include "extrapolation_variants_test.moc"
