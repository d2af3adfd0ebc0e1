// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/code_use.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace vqscope;

class CodeUseTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    const auto use = [](const std::vector<std::int32_t>& codes) { return code_use(codes, 4); };
    QVERIFY(std::abs(use({0, 0, 3, 3}).perplexity - 2) < 1e-12);
    QCOMPARE(use({0, 0, 3, 3}).used, Index{2});
    QVERIFY(std::abs(use({0, 1, 2, 3}).perplexity - 4) < 1e-12);
    QVERIFY(std::abs(use({1, 1, 1, 2}).perplexity - std::pow(0.75, -0.75) * std::pow(0.25, -0.25)) < 1e-12);
  }

  void keys_that_are_not_valid_have_no_code() {
    const std::vector<std::int32_t> codes{2, -1, 2, -1};
    QCOMPARE(code_use(codes, 4).perplexity, 1.0);
    QCOMPARE(code_use(codes, 4).used, Index{1});
    QCOMPARE(code_use({}, 4).perplexity, 0.0);
  }

  void dead_codes_are_named() {
    const std::vector<std::int32_t> codes{2, 0, 2};
    QCOMPARE(code_use(codes, 5).dead, (std::vector<Index>{1, 3, 4}));
    COMPARE_TEXT(dead_codes_sentence(code_use(codes, 5)), "codewords without a key: 1, 3, 4");
    COMPARE_TEXT(dead_codes_sentence(code_use(codes, 30)),
                 "codewords without a key: 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17 and 12 more");
    const std::vector<std::int32_t> zero{0};
    COMPARE_TEXT(dead_codes_sentence(code_use(zero, 1)), "");
  }
};

VQSCOPE_TEST(CodeUseTest)
#include "code_use_test.moc"
