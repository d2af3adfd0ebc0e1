// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/encoding/bias_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::shared_ptr<const Field> parted_scores(const char* part, ParameterValues::Map set = {}) {
  set.insert({{"q_length", Index{6}}, {"head_dim", Index{4}}, {"part", std::string(part)}});
  const auto field = relative_result("bias_own_scores", set);
  if (!field) qWarning("%s", field.error().message.c_str());
  return field ? *field : nullptr;
}

const ParameterValues::Map sampled{{"vectors", std::string("sampled")}, {"past_len", Index{3}}, {"head", Index{2}}};

}  // namespace

class BiasOwnScoresTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Four ones score 4 / √4; head 0 of 8 divides the cosines of Sandwich's 64 pairs by 1.
  void ones_by_hand() {
    const ParameterValues::Map ones{{"vectors", std::string("ones")}};
    QCOMPARE(parted_scores("content", ones)->at(5, 2), 2.0);
    QCOMPARE(parted_scores("both", ones)->at(5, 5), 66.0);
    COMPARE_TEXT(parted_scores("both", ones)->report(5, 5).why, "k is q: q · k / √d + b = 2 + 64");
  }

  void position_is_the_bias() {
    const auto position = parted_scores("position", sampled);
    QCOMPARE(position->extent(), (Extent{6, 9}));
    for (Index row = 0; row < 6; ++row)
      for (Index col = 0; col <= row + 3; ++col)
        QVERIFY(close(position->at(row, col), value_at("sandwich", col - 3 - row, {{"head", Index{2}}})));
  }

  void both_is_the_sum() {
    for (const char* bias : {"sandwich", "alibi", "kerple_log", "t5_bias"}) {
      ParameterValues::Map set = sampled;
      set["bias"] = std::string(bias);
      const auto both = parted_scores("both", set), content = parted_scores("content", set),
                 position = parted_scores("position", set);
      for (Index row = 0; row < 6; ++row)
        for (Index col = 0; col < 9; ++col)
          QVERIFY(close(both->at(row, col), content->at(row, col) + position->at(row, col)));
    }
  }

  /// Parameters of the chosen bias, under the names that the bias has for them.
  void biases_bring_their_parameters() {
    const auto& specs = find_method(encoding_methods(), "bias_own_scores")->parameters;
    QVERIFY(
        is_relevant(*find_spec(specs, "slopes"), relative_values("bias_own_scores", {{"bias", std::string("alibi")}})));
    QVERIFY(!is_relevant(*find_spec(specs, "slopes"), relative_values("bias_own_scores", {})));
    QVERIFY(!find_spec(specs, "q_bias_vector"));
  }

  /// Equal queries and keys: content is the same everywhere.
  void facts_compare_the_parts() {
    const auto facts = parted_scores("both", {{"vectors", std::string("same")}})->facts({});
    QCOMPARE(facts[0].first, std::string("content_deviation"));
    QVERIFY(facts[0].second < 1e-12 && facts[1].second > 1);
  }

  void refusals() {
    COMPARE_ERROR(relative_result("bias_own_scores", {{"head", Index{8}}}),
                  "sandwich: head is 8 but must be below num_heads = 8");
    COMPARE_ERROR(relative_result("bias_own_scores", {{"vectors", std::string("tensors")}}),
                  "q_tensor is empty but must name a tensor: FILE or FILE:NAME[layer,head]");
  }
};

VQSCOPE_TEST(BiasOwnScoresTest)
#include "bias_own_scores_test.moc"
