// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/report/model_report.h"
#include "core/model/train/optimiser.h"
#include "tests/core/model/golden_case.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// How far an engine's numbers may be from those of the golden files.
struct Tolerance {
  double logits;
  double losses;
  double gradients;
  double weights;
};

template <class Real>
constexpr Tolerance tolerance = sizeof(Real) == 8 ? Tolerance{1e-10, 1e-11, 1e-9, 1e-6}
                                                  : Tolerance{5e-5, 2e-5, 2e-5, 2e-5};

/// Matrices of MLPs are kept as float32.
double gradient_tolerance(const std::string& name, double tolerance) {
  return name.find(".mlp.") == std::string::npos ? tolerance : std::max(tolerance, 1e-6);
}

#define VERIFY_BELOW(value, limit)                                                                                   \
  do {                                                                                                               \
    const double compared = (value);                                                                                 \
    const double allowed = (limit);                                                                                  \
    QVERIFY2(compared <= allowed, qPrintable(QString("%1 is %2, above %3").arg(#value).arg(compared).arg(allowed))); \
  } while (false)

/// One pass over a case, and every number that its file has.
template <class Real>
struct GoldenRun {
  explicit GoldenRun(const QString& name)
      : golden(golden_case(name)), parameters(golden_weights<Real>(golden)), gradient(zeros_of<Real>(golden.layout)) {
    pass = TransformerPass<Real>::create(golden.config, golden.layout, golden.rows, golden.length, Keep::everything)
               .value();
  }

  void check_losses(int threads = 1) {
    const bool backward = golden.has("grad.lm_head.weight");
    const Losses losses = pass->run(parameters, golden.batch(), backward ? &gradient : nullptr, threads).value();
    VERIFY_BELOW(std::abs(losses.loss - golden.reals("out.loss")[0]), limits.losses);
    VERIFY_BELOW(std::abs(losses.ce_loss - golden.reals("out.ce_loss")[0]), limits.losses);
    if (golden.has("out.commit_loss"))
      VERIFY_BELOW(std::abs(losses.commit_loss - golden.reals("out.commit_loss")[0]), 10 * limits.losses);
  }

  void check_logits() {
    const auto wanted = golden.reals("out.logits");
    const std::size_t size = wanted.size() / static_cast<std::size_t>(golden.rows);
    for (Index row = 0; row < golden.rows; ++row)
      VERIFY_BELOW(
          largest_difference(pass->logits(row), std::span(wanted).subspan(static_cast<std::size_t>(row) * size, size)),
          limits.logits);
  }

  void check_gradients() {
    for (const ParameterTensor& tensor : golden.layout->tensors) {
      if (!golden.has("grad." + tensor.name)) continue;
      const auto wanted = golden.reals("grad." + tensor.name);
      const double apart = relative_difference<Real>(gradient.tensor(tensor), wanted);
      QVERIFY2(apart <= gradient_tolerance(tensor.name, limits.gradients),
               qPrintable(QString("%1: %2").arg(QString::fromStdString(tensor.name)).arg(apart)));
    }
  }

  void check_weights(Index layer) {
    const std::string name = "out.attn.layer" + std::to_string(layer);
    if (!golden.has(name)) return;
    const auto wanted = golden.reals(name);
    const Index rows = golden.expected.find(name)->shape[0];
    std::vector<Real> all;
    for (Index row = 0; row < rows; ++row)
      for (Index head = 0; head < golden.config.n_heads; ++head)
        for (Index query = 0; query < golden.length; ++query) {
          const auto p = pass->weights(layer, row, head, query);
          all.insert(all.end(), p.begin(), p.end());
        }
    VERIFY_BELOW(largest_difference<Real>(all, wanted), limits.weights);
  }

  void check_codes(Index layer) {
    const std::string name = "out.codes.layer" + std::to_string(layer);
    if (!golden.has(name)) return;
    std::vector<std::int32_t> all;
    for (Index row = 0; row < golden.rows; ++row) {
      const auto codes = pass->codes(layer, row);
      all.insert(all.end(), codes.begin(), codes.end());
    }
    QCOMPARE(all, golden.integers(name));
  }

  /// Weights, retrieved keys and memories of the segments.
  void check_segments() {
    if (!golden.config.in_segments()) return;
    std::vector<NamedTensor> reported;
    for (Index layer = 0; layer < golden.config.n_layers; ++layer)
      append_layer({golden.config, golden.rows, golden.length, 1}, *pass, layer, reported);
    qsizetype checked = 0;
    for (const NamedTensor& tensor : reported) {
      const auto* wanted = golden.expected.find("out." + tensor.name);
      QVERIFY2(wanted, tensor.name.c_str());
      QCOMPARE(tensor.shape, wanted->shape);
      if (const auto* places = std::get_if<std::vector<std::int32_t>>(&tensor.values))
        QCOMPARE(*places, golden.integers("out." + tensor.name));
      else
        VERIFY_BELOW(largest_difference<double>(std::get<std::vector<double>>(tensor.values),
                                                golden.reals("out." + tensor.name)),
                     tensor.name.starts_with("memory") ? limits.logits : limits.weights);
      ++checked;
    }
    QVERIFY(checked >= 2 * (golden.length / golden.config.segment));
  }

  void check_codebooks() {
    pass->update_codebooks(parameters);
    for (const ParameterTensor& tensor : golden.layout->tensors)
      if (golden.has("after." + tensor.name))
        VERIFY_BELOW(relative_difference<Real>(parameters.tensor(tensor), golden.reals("after." + tensor.name)),
                     limits.gradients);
  }

  void check() {
    check_losses();
    check_logits();
    check_gradients();
    for (Index layer = 0; layer < golden.config.n_layers; ++layer) {
      check_weights(layer);
      check_codes(layer);
    }
    check_segments();
    check_codebooks();
  }

  GoldenCase golden;
  Parameters<Real> parameters;
  Parameters<Real> gradient;
  std::unique_ptr<TransformerPass<Real>> pass;
  Tolerance limits = tolerance<Real>;
};

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
