// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/train/optimiser.h"

#include "core/base/random.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;

namespace {

/// A matrix, a vector and a codebook, which is not learnt.
std::shared_ptr<const ParameterLayout> layout_of(Index rows, Index columns, Index length) {
  ParameterLayout layout;
  layout.tensors = {{"matrix", {rows, columns}, 0, rows * columns},
                    {"vector", {length}, rows * columns, length},
                    {"codebook", {1, 1}, rows * columns + length, 1}};
  layout.learnt = rows * columns + length;
  layout.count = layout.learnt + 1;
  return std::make_shared<const ParameterLayout>(layout);
}

/// Algorithm 4 of the paper as it stands there, with sums, for one matrix.
struct PaperMatrix {
  Index n, m;
  std::vector<double> x, r = std::vector<double>(static_cast<std::size_t>(n)),
                         c = std::vector<double>(static_cast<std::size_t>(m));

  double& at(std::vector<double>& of, Index i, Index j) const { return of[static_cast<std::size_t>(i * m + j)]; }

  void step(std::vector<double> g, double rho, double t) {
    const double beta2 = 1 - std::pow(t, -0.8);
    double scale = 0;
    for (const double value : x) scale += value * value / static_cast<double>(n * m);
    const double alpha = std::max(1e-3, std::sqrt(scale)) * rho;
    std::vector<double> rows(r.size()), columns(c.size());
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < m; ++j) {
        rows[static_cast<std::size_t>(i)] += std::pow(at(g, i, j), 2) + 1e-30;
        columns[static_cast<std::size_t>(j)] += std::pow(at(g, i, j), 2) + 1e-30;
      }
    double all = 0;
    for (std::size_t i = 0; i < r.size(); ++i) all += r[i] = beta2 * r[i] + (1 - beta2) * rows[i];
    for (std::size_t j = 0; j < c.size(); ++j) c[j] = beta2 * c[j] + (1 - beta2) * columns[j];
    double rms = 0;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < m; ++j) {
        at(g, i, j) /= std::sqrt(r[static_cast<std::size_t>(i)] * c[static_cast<std::size_t>(j)] / all);
        rms += std::pow(at(g, i, j), 2) / static_cast<double>(n * m);
      }
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < m; ++j) at(x, i, j) -= alpha * at(g, i, j) / std::max(1.0, std::sqrt(rms));
  }
};

}  // namespace

class AdafactorTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// At t = 1 β2 is 0. Of [[3, 4], [0, 5]] r = (12.5, 12.5) and c = (4.5, 20.5), whose means are
  /// 12.5: v̂ = (4.5, 20.5) in both rows. u = (3/√4.5, 4/√20.5; 0, 5/√20.5) has the root mean
  /// square 1.0; RMS(p) = 2.
  void first_step_by_hand() {
    const auto layout = layout_of(2, 2, 1);
    Parameters<double> p{layout, {2, 2, 2, 2, 10, 7}};
    Adafactor<double> adafactor(layout, {.clip = 100});
    const GradientClip clip = adafactor.step(p, {layout, {3, 4, 0, 5, -4, 9}}, 0.1);
    QVERIFY(std::abs(clip.norm - std::sqrt(66.0)) < 1e-12);
    const double u[]{3 / std::sqrt(4.5), 4 / std::sqrt(20.5), 0, 5 / std::sqrt(20.5)};
    const double rms = std::sqrt((u[0] * u[0] + u[1] * u[1] + u[3] * u[3]) / 4);
    for (std::size_t i = 0; i < 4; ++i)
      QVERIFY(std::abs(p.values[i] - (2 - 0.1 * 2 * u[i] / std::max(1.0, rms))) < 1e-12);
    QVERIFY(std::abs(p.values[4] - (10 + 0.1 * 10)) < 1e-12);  // of a vector: g / |g|
    QCOMPARE(p.values[5], 7.0);
  }

  void agrees_with_the_paper() {
    SeededRandom random(3);
    for (const auto& [n, m] : std::vector<std::pair<Index, Index>>{{1, 1}, {3, 5}, {7, 2}}) {
      const auto layout = layout_of(n, m, 2);
      Parameters<double> p{layout, std::vector<double>(static_cast<std::size_t>(layout->count))};
      for (double& value : p.values) value = random.normal();
      PaperMatrix paper{n, m, {p.values.begin(), p.values.begin() + n * m}};
      Adafactor<double> adafactor(layout, {.clip = 1e9});
      for (Index t = 1; t <= 5; ++t) {
        Parameters<double> gradient{layout, std::vector<double>(p.values.size())};
        for (double& value : gradient.values) value = random.normal();
        adafactor.step(p, gradient, 0.05);
        paper.step({gradient.values.begin(), gradient.values.begin() + n * m}, 0.05, static_cast<double>(t));
        for (std::size_t i = 0; i < paper.x.size(); ++i) QVERIFY(std::abs(p.values[i] - paper.x[i]) < 1e-12);
      }
    }
  }

  /// A matrix is remembered by its rows and columns alone.
  void memory_is_rows_and_columns() {
    const Adafactor<float> adafactor(layout_of(30, 50, 7), {});
    QCOMPARE(adafactor.state().size(), std::size_t{30 + 50 + 7});
    std::vector<std::string> names;
    for (const ParameterTensor& tensor : adafactor.state_layout()->tensors) names.push_back(tensor.name);
    QCOMPARE(names,
             (std::vector<std::string>{"optimizer.row.matrix", "optimizer.column.matrix", "optimizer.square.vector"}));
  }
};

VQSCOPE_TEST(AdafactorTest)
#include "adafactor_test.moc"
