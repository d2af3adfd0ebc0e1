// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/codebook.h"

#include "core/attention/codebook/code_use.h"
#include "core/attention/codebook/keys.h"
#include "core/attention/forms/attention.h"
#include "tests/core/attention/codebook/rows_of.h"
#include "tests/core/attention/forms/attention_definition.h"
#include "tests/core/attention/forms/attention_sample.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::vector<std::int32_t> encoded(const std::vector<float>& keys, const std::vector<float>& codebook, Index width,
                                  const AttentionKernels& kernels) {
  std::vector<std::int32_t> codes(keys.size() / static_cast<std::size_t>(width));
  Scratch scratch;
  Quantiser(rows_of(codebook, width), kernels).encode(rows_of(keys, width), nullptr, scratch, codes.data());
  return codes;
}

}  // namespace

class CodebookTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Codewords 0 and 4 become -11/30 and 4; key 1.9 then has the other one.
  void order_of_quantisation_and_update_by_hand() {
    const std::vector<float> keys{-3, 1.9F};
    CodebookOptions options{.n_code = 2, .gamma = 0.5, .fits_after = true};
    const CodebookFit fit = EmaCodebook({0, 4}, 1, options).step(rows_of(keys, 1));
    QVERIFY(std::abs(fit.commit_loss - (9 + 3.61) / 2) < 1e-6);
    QVERIFY(std::abs(fit.commit_loss_after - (std::pow(-3 + 11.0 / 30, 2) + 4.41) / 2) < 1e-6);
    QCOMPARE(fit.codes_changed, 0.5);
    options.fits_after = false;
    QCOMPARE(EmaCodebook({0, 4}, 1, options).step(rows_of(keys, 1)).codes_changed, 0.0);
  }

  void nearest_by_hand() {
    const std::vector<float> codebook{0, 0, 2, 0, 0, 2, 2, 0};
    const std::vector<float> keys{0.4F, 0.3F, 1, 0, 3, 0.1F, 1, 1, -1, 9};  // ties: codes 0 and 1; 1 and 3; 0, 1, 2
    for (const AttentionKernels* kernels : usable_kernels())
      QCOMPARE(encoded(keys, codebook, 2, *kernels), (std::vector<std::int32_t>{0, 0, 1, 0, 2}));
  }

  /// Keys on a grid tie often, and float32 of large numbers cannot separate near from nearest.
  void shortcodes_agree_with_the_definition() {
    SeededRandom random(3);
    for (const double offset : {0.0, 1000.0})
      for (const Index n_code : {1, 2, 15, 16, 17, 100}) {
        std::vector<float> codebook, keys;
        for (Index i = 0; i < n_code * 3; ++i)
          codebook.push_back(static_cast<float>(offset + static_cast<double>(random.bits() % 4)));
        for (Index i = 0; i < 600 * 3; ++i)
          keys.push_back(static_cast<float>(offset + 0.5 * static_cast<double>(random.bits() % 8)));
        for (const AttentionKernels* kernels : usable_kernels()) {
          const auto codes = encoded(keys, codebook, 3, *kernels);
          for (std::size_t i = 0; i < codes.size(); ++i)
            QCOMPARE(Index{codes[i]}, nearest_codeword(keys.data() + 3 * i, {codebook, 1, n_code, 3}, 0));
        }
      }
  }

  /// Counts 1 -> 0.5 + 0.5 · 2 and 0.5 + 0; sums 0 -> 0.5 · (1 + 2), 10 -> 5.
  void a_step_by_hand() {
    EmaCodebook codebook({0, 10}, 1, {.n_code = 2, .gamma = 0.5});
    const std::vector<float> keys{1, 2};
    const CodebookFit fit = codebook.step(rows_of(keys, 1));
    QCOMPARE(fit, (CodebookFit{.commit_loss = 2.5, .perplexity = 1, .dead_codes = 1}));
    QCOMPARE(codebook.values(), (std::vector<float>{1, 10}));
    EmaCodebook forgetful({0, 10}, 1, {.n_code = 2, .gamma = 0});
    forgetful.step(rows_of(keys, 1));
    QCOMPARE(forgetful.values(), (std::vector<float>{1.5F, 0}));  // 0 over the floor of the count
  }

  void perplexity_counts_equal_codes() {
    const EmaCodebook codebook({0, 1, 2, 3}, 1, {.n_code = 4});
    const std::vector<float> keys{0, 1, 2, 3, 0, 1, 2, 3};
    QCOMPARE(codebook.fit(rows_of(keys, 1)).perplexity, 4.0);
    QCOMPARE(codebook.fit(rows_of(keys, 1)).dead_codes, Index{0});
  }

  void initialisation_finds_far_clusters() {
    const KeySamples samples{.clusters = 8, .spread = 1e-3, .seed = 5};
    const auto keys = sample_keys(samples, 400, 6);
    const auto start = kmeans_plus_plus(rows_of(keys, 6), 8, 1).value();
    const EmaCodebook codebook(start, 6, {.n_code = 8});
    QVERIFY(codebook.fit(rows_of(keys, 6)).commit_loss < 1e-3);
    const std::vector<float> alike(20, 1.0F);
    QCOMPARE(kmeans_plus_plus(rows_of(alike, 2), 4, 1).value(), std::vector<float>(8, 1.0F));
  }

  void learning_lowers_the_loss() {
    const auto keys = sample_keys({.clusters = 12, .spread = 0.2, .seed = 2}, 1024, 8);
    const CodebookOptions options{.n_code = 16, .gamma = 0.9, .steps = 30, .batch = 512, .seed = 4};
    Index fits = 0;
    const auto learnt = learn_codebook(rows_of(keys, 8), options, {}, [&](const CodebookFit&) { ++fits; }).value();
    QCOMPARE(fits, Index{30});
    QVERIFY(learnt.steps.back().commit_loss < 0.9 * learnt.steps.front().commit_loss);
    for (const int threads : {2, 3}) {
      CodebookOptions more = options;
      more.threads = threads;
      QCOMPARE(learn_codebook(rows_of(keys, 8), more)->codewords, learnt.codewords);
    }
  }

  void progress_covers_the_start_and_the_steps() {
    const auto keys = sample_keys({.seed = 2}, 300, 4);
    for (const Index steps : {0, 1, 20}) {
      std::vector<double> fractions;
      std::size_t before_steps = 0;
      const Work work{[&](double fraction) { fractions.push_back(fraction); }, {}};
      const auto learnt =
          learn_codebook(rows_of(keys, 4), {.n_code = 9, .steps = steps, .batch = 100}, work, [&](const CodebookFit&) {
            if (before_steps == 0) before_steps = fractions.size();
          });
      QVERIFY(learnt.has_value());
      QCOMPARE(fractions.size(), static_cast<std::size_t>(9 + steps));
      QVERIFY(fractions.front() > 0 && std::ranges::is_sorted(fractions));
      QCOMPARE(fractions.back(), 1.0);
      if (steps > 0) QCOMPARE(before_steps, std::size_t{9});
    }
  }

  void a_stop_ends_the_start_too() {
    const auto keys = sample_keys({.seed = 2}, 300, 4);
    Index n_reports = 0;
    for (const Index wanted : {1, 5, 9, 12}) {
      std::stop_source source;
      n_reports = 0;
      const Work work{[&](double) {
                        if (++n_reports == wanted) source.request_stop();
                      },
                      source.get_token()};
      const auto learnt = learn_codebook(rows_of(keys, 4), {.n_code = 9, .steps = 20}, work);
      QVERIFY(!learnt);
      QCOMPARE(learnt.error().code, Errc::cancelled);
      QCOMPARE(n_reports, wanted);
    }
    std::stop_source stopped;
    stopped.request_stop();
    QCOMPARE(kmeans_plus_plus(rows_of(keys, 4), 9, 1, 1, {{}, stopped.get_token()}).error().code, Errc::cancelled);
  }

  void error_falls_with_the_codes_on_clustered_keys() {
    constexpr Index length = 256;
    AttentionSample sample({.length = length});
    sample.k = sample_keys({.clusters = 32, .spread = 0.1, .seed = 6}, length, 8);
    normalize_rows(sample.k, 8, QueryKeyNorm::layer_norm);
    const auto exact = attention(sample.input(), {.form = AttentionForm::exact})->values;
    double last = std::numeric_limits<double>::infinity();
    for (const Index n_code : {1, 4, 16, 64}) {
      const auto learnt = learn_codebook(rows_of(sample.k, 8), {.n_code = n_code, .gamma = 0.5, .steps = 20}).value();
      AttentionInput input = sample.input();
      input.codebook = {learnt.codewords, 1, n_code, 8};
      const auto quantised = attention(input, {.block_len = 32})->values;
      double error = 0;
      for (std::size_t i = 0; i < exact.size(); ++i) error += std::pow(quantised[i] - exact[i], 2);
      QVERIFY(error < 0.7 * last);
      last = error;
    }
  }

  /// 4000 keys measure it to about 3 %; for queries of LayerNorm with D / (D - 1).
  void theorem_2_2() {
    constexpr Index width = 16;
    SeededRandom random(8);
    for (const bool normalized : {false, true}) {
      std::vector<float> queries = normal_numbers(random, 4000 * width, 0.7);
      if (normalized) normalize_rows(queries, width, QueryKeyNorm::layer_norm);
      std::vector<float> keys = sample_keys({.seed = 3}, 4000, width);
      if (normalized) normalize_rows(keys, width, QueryKeyNorm::layer_norm);
      const auto codebook = kmeans_plus_plus({keys.data(), 200, width, width}, 20, 1).value();
      const auto codes = encoded(keys, codebook, width, best_kernels());
      std::vector<float> quantised;
      for (const Index code : codes)
        quantised.insert(quantised.end(), codebook.begin() + code * width, codebook.begin() + (code + 1) * width);
      const ScoreError error = score_error(rows_of(queries, width), rows_of(keys, width), rows_of(quantised, width));
      const double wanted = normalized ? 16.0 / 15 : 1;
      QVERIFY2(std::abs(error.ratio / wanted - 1) < 0.04, qPrintable(QString::number(error.ratio)));
    }
  }

  void samples_follow_their_settings() {
    const auto few = sample_keys({.seed = 1}, 10, 4);
    auto many = sample_keys({.seed = 1}, 500, 4);
    QVERIFY(std::equal(few.begin(), few.end(), many.begin()));
    QVERIFY(sample_keys({.seed = 2}, 10, 4) != few);
    const auto clustered = sample_keys({.clusters = 3, .spread = 0, .seed = 1}, 100, 2);
    std::set<std::pair<float, float>> distinct;
    for (std::size_t i = 0; i < clustered.size(); i += 2) distinct.emplace(clustered[i], clustered[i + 1]);
    QCOMPARE(distinct.size(), std::size_t{3});
  }

  void bad_input() {
    const std::vector<float> keys{0, 1, 2};
    const auto with = [&](CodebookOptions options) { return learn_codebook(rows_of(keys, 1), options); };
    COMPARE_ERROR(with({.n_code = 0}), "n_code is 0 but must be 1 or more");
    COMPARE_ERROR(with({.n_code = 4}),
                  "n_code is 4 but must be at most 3, the number of keys to learn the codewords from");
    COMPARE_ERROR(with({.n_code = 2, .gamma = 1}), "gamma is 1 but must be at least 0 and below 1");
    COMPARE_ERROR(with({.n_code = 2, .count_floor = 0}), "count_floor is 0 but must be above 0");
    COMPARE_ERROR(with({.n_code = 2, .steps = -1}), "steps is -1 but must be 0 or more");
    COMPARE_ERROR(with({.n_code = 2, .batch = 0}), "batch is 0 but must be 1 or more");
    const std::vector<float> broken{0, std::numeric_limits<float>::quiet_NaN()};
    COMPARE_ERROR(learn_codebook(rows_of(broken, 1), {.n_code = 1}), "key 1 has a number that is not finite");
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(learn_codebook(rows_of(keys, 1), {.n_code = 1}, {.stop = stop.get_token()}).error().code, Errc::cancelled);
  }
};

VQSCOPE_TEST(CodebookTest)
#include "codebook_test.moc"
