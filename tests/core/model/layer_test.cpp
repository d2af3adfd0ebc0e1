// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/kernels/products.h"
#include "core/model/layer/layers.h"
#include "tests/core/model/central_differences.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Doubles zeros_like(const Doubles& values) { return Doubles(values.size()); }

/// Row-major products by their definition: Σ a(i, k) b(k, j).
template <class A, class B>
Doubles product(Index rows, Index inner, Index cols, const A& a, const B& b) {
  Doubles out;
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j) {
      double sum = 0;
      for (Index k = 0; k < inner; ++k) sum += a(i, k) * b(k, j);
      out.push_back(sum);
    }
  return out;
}

bool near(const Doubles& a, const Doubles& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::abs(a[i] - b[i]) > 1e-12 * (1 + std::abs(b[i]))) return false;
  return a.size() == b.size();
}

}  // namespace

/// Operations against their definitions and against central differences of Σ y · dy.
class LayerTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void products_of_every_build() {
    QCOMPARE(usable_products<double>().back(), &best_products<double>());
    COMPARE_TEXT(usable_products<float>().front()->name, "portable");
    for (const Products<double>* products : usable_products<double>())
      for (const auto& sizes :
           {std::array<Index, 3>{1, 1, 1}, {3, 5, 2}, {17, 33, 16}, {6, 24, 20}, {18, 70, 700}, {4, 7, 0}, {0, 3, 2}}) {
        const Index m = sizes[0], n = sizes[1], k = sizes[2];
        // Stored with strides above their widths.
        const Index apart = std::max({m, n, k}) + 3;
        const Doubles a = random_doubles(apart * apart, 1), b = random_doubles(apart * apart, 2);
        const auto at = [apart](const Doubles& x) {
          return [&x, apart](Index i, Index j) { return x[static_cast<std::size_t>(i * apart + j)]; };
        };
        const auto turned = [apart](const Doubles& x) {
          return [&x, apart](Index i, Index j) { return x[static_cast<std::size_t>(j * apart + i)]; };
        };
        const auto compare = [&](auto function, Rows<double> first, Rows<double> second, const Doubles& wanted) {
          Doubles once(static_cast<std::size_t>(m * n));
          function(first, second, {once.data(), n}, false);
          Doubles twice = once;
          function(first, second, {twice.data(), n}, true);
          Doubles doubled = wanted;
          for (double& value : doubled) value *= 2;
          // An empty sum need not be written.
          QVERIFY(k == 0 || (near(once, wanted) && near(twice, doubled)));
        };
        compare(products->with_rows, {a.data(), m, k, apart}, {b.data(), n, k, apart},
                product(m, k, n, at(a), turned(b)));
        compare(products->plain, {a.data(), m, k, apart}, {b.data(), k, n, apart}, product(m, k, n, at(a), at(b)));
        compare(products->of_columns, {a.data(), k, m, apart}, {b.data(), k, n, apart},
                product(m, k, n, turned(a), at(b)));
      }
  }

  void linear_layer() {
    const LinearShape shape{3, 5, 4};
    Doubles x = random_doubles(15, 1), w = random_doubles(20, 2), dx = zeros_like(x), dw = zeros_like(w);
    const Doubles dy = random_doubles(12, 3);
    const auto value = [&] {
      Doubles y(12);
      linear(shape, x.data(), w.data(), y.data());
      return dot(y, dy);
    };
    linear_backward(shape, x.data(), w.data(), dy.data(), dx.data(), dw.data());
    VERIFY_GRADIENT(dx, x, value);
    VERIFY_GRADIENT(dw, w, value);
    const Doubles once = dw;
    linear_backward(shape, x.data(), w.data(), dy.data(), dx.data(), dw.data());
    for (std::size_t i = 0; i < once.size(); ++i) QCOMPARE(dw[i], 2 * once[i]);
  }

  void rms_norm_by_hand() {
    const Doubles x{3, 4}, w{2, -1};
    Doubles y(2), r(1);
    RmsNorm<double>{1, 2, 3.5, 2}.forward(x.data(), w.data(), y.data(), r.data());
    QCOMPARE(r[0], 0.25);  // 12.5 + 3.5 = 16
    QCOMPARE(y, (Doubles{3, -2}));
    RmsNorm<double>{1, 2, 3.5}.forward(x.data(), nullptr, y.data(), r.data());
    QCOMPARE(y, (Doubles{0.75, 1}));
  }

  void rms_norm() {
    const RmsNorm<double> norm{3, 5, 0.1, 0.7};
    Doubles x = random_doubles(15, 1), w = random_doubles(5, 2), y(15), r(3);
    const Doubles dy = random_doubles(15, 3);
    for (const bool weighted : {true, false}) {
      Doubles dx = zeros_like(x), dw = zeros_like(w);
      const double* weights = weighted ? w.data() : nullptr;
      const auto value = [&] {
        norm.forward(x.data(), weights, y.data(), r.data());
        return dot(y, dy);
      };
      value();
      norm.backward(x.data(), weights, r.data(), dy.data(), dx.data(), weighted ? dw.data() : nullptr);
      VERIFY_GRADIENT(dx, x, value);
      if (weighted) VERIFY_GRADIENT(dw, w, value);
    }
  }

  void activations_by_hand() {
    const Doubles gate{0, 1}, up{5, 2}, x{0, 1, -1};
    Doubles y(2), z(3);
    swiglu(2, gate.data(), up.data(), y.data());
    QCOMPARE(y[0], 0.0);
    QCOMPARE(y[1], 2 / (1 + std::exp(-1.0)));
    gelu(3, x.data(), z.data());
    QCOMPARE(z[0], 0.0);
    QVERIFY(std::abs(z[1] - 0.8413447460685429) < 1e-15);
    QVERIFY(std::abs(z[1] + z[2] - (2 * 0.8413447460685429 - 1)) < 1e-15);
  }

  void activations() {
    Doubles gate = random_doubles(9, 1), up = random_doubles(9, 2), dgate(9), dup(9), dx(9);
    const Doubles dy = random_doubles(9, 3);
    Doubles y(9);
    const auto glu = [&] { return swiglu(9, gate.data(), up.data(), y.data()), dot(y, dy); };
    swiglu_backward(9, gate.data(), up.data(), dy.data(), dgate.data(), dup.data());
    VERIFY_GRADIENT(dgate, gate, glu);
    VERIFY_GRADIENT(dup, up, glu);
    gelu_backward(9, gate.data(), dy.data(), dx.data());
    VERIFY_GRADIENT(dx, gate, ([&] { return gelu(9, gate.data(), y.data()), dot(y, dy); }));
  }

  void embedding() {
    const std::vector<std::int32_t> ids{2, 0, 2};
    const Doubles table{0, 1, 10, 11, 20, 21}, dy{1, 2, 3, 4, 5, 6};
    Doubles y{0, 0, 100, 0, 0, 0}, dtable(6);
    add_embedding<double>(ids, 2, 0.5, table.data(), y.data());
    QCOMPARE(y, (Doubles{10, 10.5, 100, 0.5, 10, 10.5}));
    embedding_backward<double>(ids, 2, 0.5, dy.data(), dtable.data());
    QCOMPARE(dtable, (Doubles{1.5, 2, 0, 0, 3, 4}));
  }

  /// Logits far from 0 overflow nothing; a label that is not counted has no gradient.
  void cross_entropy_of_labels() {
    const std::vector<std::int32_t> labels{1, uncounted_label, 0};
    Doubles logits = random_doubles(12, 4, 2);
    for (std::size_t i = 0; i < 4; ++i) logits[i] += 2000;
    Doubles dlogits(12);
    const auto value = [&] { return 0.5 * cross_entropy<double>(labels, 4, logits.data()); };
    cross_entropy_backward<double>(labels, 4, logits.data(), 0.5, dlogits.data());
    VERIFY_GRADIENT(dlogits, logits, value);
    QCOMPARE(Doubles(dlogits.begin() + 4, dlogits.begin() + 8), Doubles(4));
    const Doubles equal(3, -7);
    QCOMPARE(cross_entropy<double>(std::vector<std::int32_t>{2}, 3, equal.data()), std::log(3.0));
  }
};

VQSCOPE_TEST(LayerTest)
#include "layer_test.moc"
