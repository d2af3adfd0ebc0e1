// SPDX-License-Identifier: GPL-3.0-or-later
// What holds of the losses of VQ models exactly, whatever they have learnt.
#include "core/experiment/extrapolation/studies.h"
#include "core/experiment/methods.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Texts = std::vector<std::string>;

/// By variant, of one seed after two steps of a tiny model at the given multiples of 64 tokens.
std::vector<std::vector<double>> losses_of(const Texts& models, const Texts& caches, Index block_len,
                                           const std::vector<Index>& multiples) {
  ParameterValues values = default_values(length_extrapolation_method().parameters);
  values.set("models", models);
  values.set("vq_cache", caches);
  for (const auto& [name, value] : {std::pair("train_steps", Index{2}),
                                    {"model_block_len", block_len},
                                    {"model_n_code", Index{4}},
                                    {"longest_multiple", Index{8}},
                                    {"batch_rows", Index{2}},
                                    {"seed_count", Index{1}},
                                    {"d_model", Index{8}},
                                    {"num_heads", Index{2}},
                                    {"d_ff", Index{8}},
                                    {"train_threads", Index{1}}})
    values.set(name, value);
  VariantStudy study = language_study(values);
  std::vector<Index> lengths;
  for (const Index multiple : multiples) lengths.push_back(64 * multiple);
  study.test = [test = study.test, all = study.lengths, lengths](std::size_t i) {
    return test(static_cast<std::size_t>(std::ranges::find(all, lengths[i]) - all.begin()));
  };
  study.lengths = lengths;
  TrainedModels trained;
  const auto measures = run_study(
                            study, {}, [](const VariantMeasures&) {}, trained)
                            .value();
  std::vector<std::vector<double>> losses;
  for (const auto& variant : measures) losses.push_back(variant.front());
  return losses;
}

bool lies_near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

}  // namespace

class VqExactTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// Two layers of 16 tokens do not see past the 32 tokens before the targets.
  void without_the_cache_length_changes_nothing() {
    const Texts models{"vq_xl", "vq", "vq_rope", "vq_xpos", "vq_alibi", "vq_kerple_log", "vq_sandwich", "vq_t5_bias"};
    const auto losses = losses_of(models, {"test_without", "without"}, 16, {1, 8});
    QCOMPARE(losses.size(), 2 * models.size());
    for (const auto& loss : losses) QVERIFY2(lies_near(loss[1], loss[0], 1e-5), qPrintable(QString::number(loss[1])));
  }

  void with_the_cache_it_does() {
    for (const auto& loss : losses_of({"vq_xl", "vq_rope"}, {"with"}, 16, {1, 8})) QVERIFY(loss[1] != loss[0]);
  }

  void scalings_begin_beyond_the_training_length() {
    const auto losses = losses_of({"vq_rope", "vq_rope_linear", "vq_rope_ntk", "vq_rope_yarn"}, {"with"}, 16, {1, 2});
    for (std::size_t scaled = 1; scaled < losses.size(); ++scaled) {
      QCOMPARE(losses[scaled][0], losses[0][0]);
      QVERIFY(losses[scaled][1] != losses[0][1]);
    }
  }

  /// Without a far key the clip at a block changes nothing, in training either.
  void one_block_and_a_token_have_no_far_key() {
    const Texts models{"vq_xl", "vq_rope", "vq_alibi", "vq_fire"};
    const auto within = losses_of(models, {"with"}, 63, {1}), larger = losses_of(models, {"with"}, 100, {1});
    for (std::size_t i = 0; i < models.size(); ++i)
      QVERIFY2(lies_near(within[i][0], larger[i][0], 1e-5), models[i].c_str());
    QVERIFY(within[0][0] != losses_of({"vq_xl"}, {"with"}, 16, {1})[0][0]);
  }
};

VQSCOPE_TEST(VqExactTest)
#include "vq_exact_test.moc"
