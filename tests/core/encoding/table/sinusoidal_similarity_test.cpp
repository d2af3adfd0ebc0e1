// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/table/table_values.h"

#include "tests/core/encoding/bias_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class SinusoidalSimilarityTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void product_of_the_encodings() {
    const auto encoding = [](Index position, Index d) {
      std::vector<double> all;
      for (Index i = 0; i < d; i += 2) {
        const double angle =
            static_cast<double>(position) * std::pow(10000.0, -static_cast<double>(i) / static_cast<double>(d));
        all.insert(all.end(), {std::sin(angle), std::cos(angle)});
      }
      return all;
    };
    const auto field = relative_field("sinusoidal_similarity", {{"d_model", Index{64}}});
    for (const auto& [q, k] : {std::pair<Index, Index>{0, 0}, {5, 2}, {2, 5}, {400, 17}}) {
      double product = 0;
      const auto a = encoding(q, 64);
      const auto b = encoding(k, 64);
      for (std::size_t i = 0; i < a.size(); ++i) product += a[i] * b[i];
      QVERIFY(close(field->at(q, k), product, 1e-11));
    }
  }

  void summaries_and_reads() { COMPARE_TEXT(method_is_wrong("sinusoidal_similarity", {{"d_model", Index{16}}}), ""); }

  void reports_and_errors() {
    COMPARE_TEXT(why_at("sinusoidal_similarity", 3, {{"d_model", Index{4}}}),
                 "k is 3 ahead of q: sin sin + cos cos of each pair is cos of the difference, Σ cos(3 · "
                 "10000^(−i/2)) over i below 2");
    COMPARE_ERROR(relative_result("sinusoidal_similarity", {{"d_model", Index{5}}}), "d_model is 5 but must be even");
  }
};

VQSCOPE_TEST(SinusoidalSimilarityTest)
#include "sinusoidal_similarity_test.moc"
