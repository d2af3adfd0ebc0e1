// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/experiment/vq_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ParameterValues::Map small_masked(const ParameterValues::Map& set = {}) {
  ParameterValues::Map values{{"d_model", Index{16}}, {"n_layers", Index{1}},     {"n_heads", Index{2}},
                              {"d_ff", Index{16}},    {"steps", Index{30}},       {"batch_rows", Index{4}},
                              {"length", Index{24}},  {"warmup_steps", Index{5}}, {"threads", Index{1}}};
  for (const auto& [name, value] : set) values.insert_or_assign(name, value);
  return values;
}

}  // namespace

class MaskedLanguageTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void a_curve_for_each_model_and_mask() {
    const auto set = *curves_of("masked_language", small_masked());
    std::vector<std::string> names;
    for (const Curve& curve : set.curves) names.push_back(curve.name);
    QCOMPARE(names, (std::vector<std::string>{"nope, bidirectional", "learned, bidirectional", "rope, bidirectional",
                                              "nope, causal", "learned, causal", "rope, causal"}));
    QCOMPARE(set.x.size(), std::size_t{30});
    QCOMPARE(set.levels[0].y, std::log(40.0));
    QVERIFY(set.levels[1].y > 3 && set.levels[1].y < set.levels[0].y);
    QCOMPARE(fact_of(set, "rope, causal"), set.curves[5].y.back());
  }

  /// The first batch is guessed; the seed and not the number of threads decides.
  void losses_begin_at_a_guess_and_repeat() {
    const auto one = *curves_of("masked_language", small_masked({{"models", std::vector<std::string>{"nope"}}}));
    QVERIFY(std::abs(one.curves[0].y.front() - std::log(41.0)) < 0.2);
    const auto two = *curves_of("masked_language",
                                small_masked({{"models", std::vector<std::string>{"nope"}}, {"threads", Index{2}}}));
    QCOMPARE(two.curves[1].y, one.curves[1].y);
    const auto other =
        *curves_of("masked_language", small_masked({{"models", std::vector<std::string>{"nope"}}, {"seed", Index{1}}}));
    QVERIFY(other.curves[0].y.back() != one.curves[0].y.back());
  }

  void refusals() {
    COMPARE_ERROR(curves_of("masked_language", small_masked({{"models", std::vector<std::string>{}}})),
                  "models is empty but must name one at least");
    COMPARE_ERROR(curves_of("masked_language", small_masked({{"d_model", Index{18}}, {"n_heads", Index{6}}})),
                  "head_dim is 3 but must be even to be rotated in pairs");
    QVERIFY(stops("masked_language", small_masked()));
  }
};

VQSCOPE_TEST(MaskedLanguageTest)
#include "masked_language_test.moc"
