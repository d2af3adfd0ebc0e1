// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/run/needed_codes.h"

#include "core/base/random.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// An error that falls as a power of the size, and the sizes that were measured.
struct PowerLaw {
  double at_one = 1;
  double exponent = 0.5;
  std::vector<Index> measured = {};

  double error(Index n_code) const { return at_one * std::pow(static_cast<double>(n_code), -exponent); }

  Result<NeededCodes> search(Index known, Index most, double most_seconds = 1e9) {
    const CodeSearch search{.known = known,
                            .error = error(known),
                            .most = most,
                            .seconds = [](Index n_code) { return static_cast<double>(n_code); },
                            .most_seconds = most_seconds};
    return search_needed_codes(search, [&](Index n_code) -> Result<double> {
      measured.push_back(n_code);
      return error(n_code);
    });
  }
};

std::string sentence(double error, std::optional<double> variation, NeededCodes needed) {
  return answer_sentence(
      {.n_code = 64, .output_error = error, .total_variation = variation, .needed = std::move(needed)});
}

}  // namespace

class NeededCodesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// 1 / √S is 0.1 at 100.
  void a_search_upwards_by_hand() {
    PowerLaw law;
    const auto found = law.search(16, 1000);
    QVERIFY(found && found->count);
    QVERIFY(std::fabs(*found->count - 100) < 0.5);
    QCOMPARE(law.measured, (std::vector<Index>{32, 64, 128, 100}));
  }

  void a_search_downwards_by_hand() {
    PowerLaw law;
    const auto found = law.search(512, 1000);
    QVERIFY(found && found->count && std::fabs(*found->count - 100) < 0.5);
    QCOMPARE(law.measured, (std::vector<Index>{256, 128, 64, 100}));
  }

  void ends_that_are_not_reached_say_why() {
    PowerLaw law;
    COMPARE_TEXT(law.search(16, 50)->reason, "10 % needs more than 50, the number of keys: codewords do not pay here");
    COMPARE_TEXT(law.search(16, 1000, 40)->reason,
                 "10 % needs more than 32; larger codebooks would exceed most_seconds or most_memory");
    COMPARE_TEXT(law.search(16, 1000, 0)->reason,
                 "10 % needs more than 16; larger codebooks would exceed most_seconds or most_memory");
    PowerLaw small{.at_one = 0.05};
    COMPARE_TEXT(small.search(8, 1000)->reason, "10 % needs at most 1");
  }

  void a_codebook_without_error_is_no_infinity() {
    const CodeSearch search{.known = 8, .error = 0.2, .most = 16, .most_seconds = 1};
    const auto found = search_needed_codes(search, [](Index) -> Result<double> { return 0.0; });
    QVERIFY(found && found->count && *found->count > 8 && *found->count < 16);
  }

  /// An error that hardly falls before it is gone: neighbours are near it.
  void a_steep_end_is_bisected() {
    const CodeSearch search{.known = 64, .error = 0.6, .most = 1024, .most_seconds = 1};
    const auto found =
        search_needed_codes(search, [](Index n_code) -> Result<double> { return n_code < 900 ? 0.5 : 0.001; });
    QVERIFY(found && found->count && *found->count > 800 && *found->count < 1000);
  }

  void errors_end_the_search() {
    const CodeSearch search{.known = 8, .error = 0.2, .most = 16, .most_seconds = 1};
    const auto found = search_needed_codes(search, [](Index) -> Result<double> { return cancelled(); });
    QCOMPARE(found.error().code, Errc::cancelled);
  }

  /// Power laws are straight lines on logarithmic scales, so that interpolation is exact.
  void power_laws_are_found_from_any_size() {
    SeededRandom random(5);
    for (int i = 0; i < 200; ++i) {
      PowerLaw law{.at_one = 0.2 + random.uniform(), .exponent = 0.2 + random.uniform()};
      const double right = std::pow(law.at_one / stated_error, 1 / law.exponent);
      const Index known = 1 + static_cast<Index>(random.bits() % 4096), most = 1 << 20;
      if (right < 1 || right > most) continue;
      const auto found = law.search(known, most);
      QVERIFY(found && found->count);
      QVERIFY2(std::fabs(*found->count / right - 1) < 1e-6, qPrintable(QString::number(*found->count / right)));
    }
  }

  void sentences() {
    COMPARE_TEXT(
        sentence(0.2194, 0.0976, {210.4, {}}),
        "64 codewords: outputs differ by 22 % (rms), weights by 0.098 in total variation; 10 % needs about 210");
    COMPARE_TEXT(sentence(1.234, {}, {{}, "10 % needs more than 64, the number of keys"}),
                 "64 codewords: outputs differ by 123 % (rms); 10 % needs more than 64, the number of keys");
    COMPARE_TEXT(
        sentence(0.0053, 0.25, {7.4, {}}),
        "64 codewords: outputs differ by 0.53 % (rms), weights by 0.25 in total variation; 10 % needs about 7");
    COMPARE_TEXT(answer_sentence({.n_code = 1, .output_error = 0.5}), "1 codeword: outputs differ by 50 % (rms)");
    COMPARE_TEXT(answer_sentence({.n_code = 8, .output_error = 0.5, .conditions = "4 heads, scores q·k / √d"}),
                 "8 codewords: outputs differ by 50 % (rms); 4 heads, scores q·k / √d");
  }

  void nearly_a_codeword_for_each_key_is_said() {
    const auto sentence_of = [](double needed, Index keys) {
      return answer_sentence({.n_code = 8, .output_error = 0.5, .needed = {needed, {}}, .keys = keys});
    };
    COMPARE_TEXT(sentence_of(180, 256), "8 codewords: outputs differ by 50 % (rms); 10 % needs about 180");
    COMPARE_TEXT(sentence_of(252.6, 256),
                 "8 codewords: outputs differ by 50 % (rms); 10 % needs about 253 of 256 keys, nearly a codeword for "
                 "each: codewords do not pay here");
  }
};

VQSCOPE_TEST(NeededCodesTest)
#include "needed_codes_test.moc"
