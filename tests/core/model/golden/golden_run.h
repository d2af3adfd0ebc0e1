// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/report/model_report.h"
#include "tests/core/model/golden/golden_case.h"

#include <QTest>

#include <cmath>

namespace vqscope::test {

/// How far an engine's numbers may be from those of the golden files.
struct Tolerance {
  double logits;
  double losses;
  double gradients;
  double weights;
  double floor;  ///< least size of a gradient, as a fraction of the largest element of all gradients
};

template <class Real>
constexpr Tolerance tolerance = sizeof(Real) == 8 ? Tolerance{1e-10, 1e-11, 1e-9, 1e-6, 1e-3}
                                                  : Tolerance{5e-5, 2e-5, 2e-5, 2e-5, 1e-2};

/// Matrices of MLPs are kept as float32.
inline double gradient_tolerance(const std::string& name, double tolerance) {
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
  explicit GoldenRun(const QString& name, Keep kept = Keep::everything, const QString& folder = QStringLiteral("model"))
      : keep(kept),
        golden(golden_case(name, {}, folder)),
        parameters(golden_weights<Real>(golden)),
        gradient(zeros_of<Real>(golden.layout)) {
    pass = TransformerPass<Real>::create(golden.config, golden.layout, golden.rows, golden.length, keep).value();
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
    double largest = 0;  // a gradient of 0 in theory is rounding errors
    for (const ParameterTensor& tensor : golden.layout->tensors)
      for (const double value : golden.reals("grad." + tensor.name)) largest = std::max(largest, std::abs(value));
    for (const ParameterTensor& tensor : golden.layout->tensors) {
      if (!golden.has("grad." + tensor.name)) continue;
      const auto wanted = golden.reals("grad." + tensor.name);
      const double apart = relative_difference<Real>(gradient.tensor(tensor), wanted, limits.floor * largest);
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
    for (Index layer = 0; layer < golden.config.attention_layers(); ++layer) {
      if (keep == Keep::everything) check_weights(layer);
      check_codes(layer);
    }
    check_segments();
    check_codebooks();
  }

  Keep keep;
  GoldenCase golden;
  Parameters<Real> parameters;
  Parameters<Real> gradient;
  std::unique_ptr<TransformerPass<Real>> pass;
  Tolerance limits = tolerance<Real>;
};

}  // namespace vqscope::test
