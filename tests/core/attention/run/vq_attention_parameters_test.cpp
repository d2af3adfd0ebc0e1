// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/run/attention_run.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace vqscope;

namespace {

ParameterValues with(const ParameterValues::Map& set) { return default_values(vq_attention_parameters(), set); }

}  // namespace

class VqAttentionParametersTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void names_differ_and_defaults_are_allowed() {
    const auto specs = vq_attention_parameters();
    std::set<std::string> names;
    for (const auto& spec : specs) QVERIFY2(names.insert(spec.name).second, spec.name.c_str());
    QVERIFY(check_values(specs, default_values(specs)));
    for (const char* name : {"form", "n_code", "block_len", "reduction", "head_type", "causal", "agg_cache",
                             "normalize", "gamma", "iterations", "seed", "compare", "threads", "bias", "mask"})
      QVERIFY2(names.contains(name), name);
  }

  void ids_map_to_their_enumerators() {
    QVERIFY(reduction_of("serial_scan") == CacheReduction::serial_scan);
    QVERIFY(reduction_of("matmul") == CacheReduction::matmul);
    QVERIFY(reduction_of("associative_scan") == CacheReduction::associative_scan);
    QVERIFY(reduction_of("input_scan") == CacheReduction::input_scan);
    QVERIFY(head_type_of("any") == HeadType::any);
    QVERIFY(head_type_of("shga") == HeadType::shga);
    QVERIFY(head_type_of("mqa") == HeadType::mqa);
    QVERIFY(head_type_of("mha") == HeadType::mha);
  }

  void values_become_options() {
    const auto options = vq_attention_options(with({{"form", std::string("quadratic")},
                                                    {"block_len", Index{64}},
                                                    {"reduction", std::string("matmul")},
                                                    {"head_type", std::string("mqa")},
                                                    {"causal", false},
                                                    {"agg_cache", false},
                                                    {"threads", Index{3}}}));
    QVERIFY(options.form == AttentionForm::vq_quadratic && options.reduction == CacheReduction::matmul);
    QVERIFY(options.head_type == HeadType::mqa && !options.causal && !options.agg_cache);
    QCOMPARE(options.block_len, Index{64});
    QCOMPARE(options.threads, 3);
    QVERIFY2(vq_attention_options(with({})).threads >= 1, "automatic is as many as the machine runs at once");
  }

  /// Whatever choice there is has a meaning.
  void every_choice_is_known() {
    for (const auto& spec : vq_attention_parameters()) {
      if (spec.name != "reduction" && spec.name != "head_type" && spec.name != "form") continue;
      std::set<int> meanings;
      for (const auto& choice : spec.choices) {
        const auto options = vq_attention_options(with({{spec.name, choice.id}}));
        meanings.insert(spec.name == "reduction"   ? static_cast<int>(options.reduction)
                        : spec.name == "head_type" ? static_cast<int>(options.head_type)
                                                   : static_cast<int>(options.form));
      }
      QCOMPARE(meanings.size(), spec.choices.size());
    }
  }

  void parameters_are_relevant_only_for_forms_that_read_them() {
    const auto specs = vq_attention_parameters();
    const auto relevant = [&](const char* name, const char* form) {
      return is_relevant(*find_spec(specs, name), with({{"form", std::string(form)}}));
    };
    QVERIFY(relevant("reduction", "linear") && !relevant("reduction", "quadratic") && !relevant("reduction", "exact"));
    QVERIFY(relevant("n_code", "quadratic") && !relevant("n_code", "exact"));
    QVERIFY(relevant("causal", "exact"));
  }
};

VQSCOPE_TEST(VqAttentionParametersTest)
#include "vq_attention_parameters_test.moc"
