// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/other_codes.h"

#include "core/experiment/setting/vq_experiment.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>

using namespace vqscope;
using namespace vqscope::test;

namespace {

double distance_to(const std::vector<float>& keys, const std::vector<float>& codewords, Index width, std::size_t key,
                   std::int32_t code) {
  double sum = 0;
  for (Index c = 0; c < width; ++c) {
    const double apart =
        static_cast<double>(keys[key * static_cast<std::size_t>(width) + static_cast<std::size_t>(c)]) -
        static_cast<double>(codewords[static_cast<std::size_t>(code * width + c)]);
    sum += apart * apart;
  }
  return sum;
}

}  // namespace

class OtherCodesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Codewords 0, 1, 5: key 0.4 is nearest to 0, then to 1; key 4 to 5, then to 1.
  void by_hand() {
    const std::vector<float> keys{0.4F, 4}, codewords{0, 1, 5};
    const std::vector<std::int32_t> nearest{0, 2};
    const auto second =
        chosen_codes(CodeChoice::second_nearest, matrix_of(keys, 1), matrix_of(codewords, 1), nearest, 0);
    QCOMPARE(second, (std::vector<std::int32_t>{1, 1}));
    QCOMPARE(codewords_of(second, matrix_of(codewords, 1)), (std::vector<float>{1, 1}));
    QCOMPARE(chosen_codes(CodeChoice::nearest, matrix_of(keys, 1), matrix_of(codewords, 1), nearest, 0), nearest);
  }

  void one_codeword_is_every_choice() {
    const std::vector<float> keys{1, 2, 3}, codewords{7};
    const std::vector<std::int32_t> nearest{0, 0, 0};
    for (const CodeChoice choice : code_choices)
      QCOMPARE(chosen_codes(choice, matrix_of(keys, 1), matrix_of(codewords, 1), nearest, 3), nearest);
  }

  void second_nearest_agrees_with_sorted_distances() {
    Random random(4);
    std::normal_distribution<float> normal;
    for (int i = 0; i < 20; ++i) {
      const Index width = pick(random, 1, 9), n_code = pick(random, 2, 20), count = pick(random, 1, 300);
      std::vector<float> keys(static_cast<std::size_t>(count * width)),
          codewords(static_cast<std::size_t>(n_code * width));
      for (auto* rows : {&keys, &codewords})
        for (float& x : *rows) x = normal(random);
      const auto nearest = quantise(matrix_of(keys, width), matrix_of(codewords, width)).codes;
      const auto second =
          chosen_codes(CodeChoice::second_nearest, matrix_of(keys, width), matrix_of(codewords, width), nearest, 0);
      for (std::size_t key = 0; key < second.size(); ++key) {
        std::vector<double> all;
        for (std::int32_t code = 0; code < n_code; ++code)
          all.push_back(distance_to(keys, codewords, width, key, code));
        const double got = all[static_cast<std::size_t>(second[key])];
        std::ranges::sort(all);
        QVERIFY(std::abs(got - all[1]) < 1e-4 && second[key] != nearest[key]);
      }
    }
  }

  void random_codes_use_all_codewords() {
    const std::vector<float> keys(1000), codewords{0, 1, 2, 3};
    const std::vector<std::int32_t> nearest(1000);
    const auto codes = chosen_codes(CodeChoice::random, matrix_of(keys, 1), matrix_of(codewords, 1), nearest, 1);
    for (std::int32_t code = 0; code < 4; ++code) {
      const auto count = std::ranges::count(codes, code);
      QVERIFY(count > 180 && count < 320);
    }
  }
};

VQSCOPE_TEST(OtherCodesTest)
#include "other_codes_test.moc"
