// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/train/optimiser.h"
#include "tests/core/model/golden/golden_run.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

void name_cases() {
  QTest::addColumn<QString>("name");
  for (const QString& name : golden_names()) QTest::newRow(qPrintable(name)) << name;
}

}  // namespace

class GoldenTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void cases_are_there() { QCOMPARE(golden_names().size(), 26); }

  void float64_data() { name_cases(); }
  void float64() {
    QFETCH(QString, name);
    GoldenRun<double>(name).check();
  }

  void float32_data() { name_cases(); }
  void float32() {
    QFETCH(QString, name);
    GoldenRun<float>(name).check();
  }

  void threads_change_no_bit_data() { name_cases(); }
  void threads_change_no_bit() {
    QFETCH(QString, name);
    GoldenRun<float> alone(name), together(name);
    alone.check_losses(1);
    together.check_losses(3);
    QCOMPARE(together.gradient.values, alone.gradient.values);
    QVERIFY(std::ranges::equal(together.pass->logits(1), alone.pass->logits(1)));
  }

  void adamw_after_three_steps() {
    auto golden = golden_case("adamw", ".step1");
    auto parameters = golden_weights<double>(golden);
    auto gradient = zeros_of<double>(golden.layout);
    const auto real = [&](const char* name) { return *golden.json.find("optimizer")->find(name)->number(); };
    const LearningRate rate{real("lr_max"), real("lr_min_ratio"), static_cast<Index>(real("warmup_steps")),
                            static_cast<Index>(real("total_steps"))};
    AdamW<double> optimiser(golden.layout,
                            {real("beta1"), real("beta2"), real("eps"), real("weight_decay"), real("clip")});
    const auto pass =
        TransformerPass<double>::create(golden.config, golden.layout, golden.rows, golden.length, Keep::everything)
            .value();
    for (const ConfigValue& step : *golden.json.find("steps")->list()) {
      const Index t = *step.find("t")->integer();
      const auto inputs = golden_case("adamw", ".step" + std::to_string(t));
      const Losses losses = pass->run(parameters, inputs.batch(), &gradient, 1).value();
      VERIFY_BELOW(std::abs(losses.loss - *step.find("loss")->number()), 1e-11);
      VERIFY_BELOW(std::abs(rate.at(t) - *step.find("lr")->number()), 1e-17);
      const GradientClip clip = optimiser.step(parameters, gradient, rate.at(t));
      VERIFY_BELOW(std::abs(clip.norm - *step.find("grad_norm")->number()), 1e-10);
      VERIFY_BELOW(std::abs(clip.coefficient - *step.find("clip_coef")->number()), 1e-11);
    }
    for (const ParameterTensor& tensor : golden.layout->tensors)
      VERIFY_BELOW(relative_difference<double>(parameters.tensor(tensor), golden.reals("after." + tensor.name)), 1e-9);
  }
};

VQSCOPE_TEST(GoldenTest)
#include "golden_test.moc"
