// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/t5/t5_bucket.h"

#include "core/base/text.h"
#include "core/encoding/methods.h"
#include "core/method/curve_set.h"
#include "core/method/method_list.h"
#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const Method& buckets() { return *find_method(encoding_methods(), "t5_bucket"); }

ParameterValues bucket_values_with(const ParameterValues::Map& changes) {
  return default_values(buckets().parameters, changes);
}

/// First distance of every bucket of one direction.
std::vector<Index> first_distances(const T5Buckets& t5) {
  std::vector<Index> firsts;
  for (Index b = 0; b < t5.per_direction(); ++b) firsts.push_back(t5.first_distance(b));
  return firsts;
}

/// Distances that the two kinds of arithmetic put into different buckets.
std::vector<Index> differences(Index num_buckets, Index max_distance) {
  T5Buckets real{num_buckets, max_distance, false, T5Arithmetic::exact};
  T5Buckets torch{num_buckets, max_distance, false, T5Arithmetic::hf_float32};
  std::vector<Index> found;
  for (Index n = 0; n <= 1100; ++n)
    if (real.distance_bucket(n) != torch.distance_bucket(n)) found.push_back(n);
  return found;
}

}  // namespace

class T5BucketTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void worked_example() {
    const auto field = *make_field(
        buckets(),
        bucket_values_with({{"q_length", Index{4}}, {"num_buckets", Index{8}}, {"max_distance", Index{16}}}));
    std::vector<std::int32_t> cells(16);
    field->read({{0, 4}, {0, 4}}, std::span(cells));
    QCOMPARE(cells, (std::vector<std::int32_t>{0, 5, 6, 6, 1, 0, 5, 6, 2, 1, 0, 5, 2, 2, 1, 0}));
  }

  void golden_file() {
    QFile file(test::dataPath(QStringLiteral("t5_buckets.csv")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    file.readLine();
    int rows = 0;
    while (!file.atEnd()) {
      const QByteArray line = file.readLine();
      const auto cells = split(line.constData(), ',');
      const T5Buckets t5{*parse_index(cells[0]), *parse_index(cells[1]), cells[2] == "1"};
      const Index relative = *parse_index(cells[3]);
      QVERIFY2(t5.bucket(relative) == *parse_index(cells[4]), line.constData());
      QCOMPARE(t5.steps().value[t5.steps().step_of(relative)], static_cast<std::int32_t>(t5.bucket(relative)));
      ++rows;
    }
    QCOMPARE(rows, 5010);
  }

  void first_distances_of_the_defaults() {
    QCOMPARE(first_distances({32, 128, true}),
             (std::vector<Index>{0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91}));
    QCOMPARE(first_distances({32, 128, false}),
             (std::vector<Index>{0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                 16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113}));
  }

  void arithmetics_agree_on_the_defaults_and_differ_where_known() {
    QVERIFY(differences(16, 128).empty() && differences(32, 128).empty());
    QCOMPARE(differences(48, 81), (std::vector<Index>{36, 54}));
    QVERIFY(differences(20, 320).empty());
    QVERIFY(differences(6, 81).empty());
  }

  void the_exact_arithmetic_keeps_whole_quotients() {
    // (20, 320): ln(20/10)/ln(32) is 1/5 exactly, and so on; float64 would fall below.
    const T5Buckets t5{20, 320, false, T5Arithmetic::exact};
    QCOMPARE(t5.distance_bucket(20), Index{12});
    QCOMPARE(t5.distance_bucket(40), Index{14});
    QCOMPARE(t5.distance_bucket(160), Index{18});
  }

  void directions() {
    const T5Buckets both{32, 128, true};
    QCOMPARE(both.bucket(1), Index{17});
    QCOMPARE(both.bucket(-1), Index{1});
    QCOMPARE(both.bucket(100000), Index{31});
    const T5Buckets one{32, 128, false};
    QCOMPARE(one.bucket(5), Index{0});
    QCOMPARE(one.bucket(-5), Index{5});
    QCOMPARE(one.bucket(-100000), Index{31});
  }

  void steps_are_the_buckets() {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
      T5Buckets t5{2 * pick(random, 2, 40), pick(random, 2, 400), pick(random, 0, 1) == 1};
      t5.arithmetic = pick(random, 0, 1) ? T5Arithmetic::exact : T5Arithmetic::hf_float32;
      if (!t5.check()) continue;
      auto f = t5.steps();
      f.start[0] = -1000000;
      for (Index relative = -900; relative <= 900; ++relative)
        QCOMPARE(Index{f.value[f.step_of(relative)]}, t5.bucket(relative));
      for (std::size_t s = 1; s < f.start.size(); ++s) QVERIFY(f.start[s - 1] < f.start[s]);
    }
  }

  void summaries_agree_with_the_cells() {
    Random random(2);
    for (int i = 0; i < 150; ++i) {
      const auto values = bucket_values_with({{"q_length", pick(random, 1, 300)},
                                              {"past_len", pick(random, 0, 1) * pick(random, 0, 200)},
                                              {"bidirectional", pick(random, 0, 1) == 1},
                                              {"precision", std::string(pick(random, 0, 1) ? "exact" : "hf_float32")}});
      const auto field = *make_field(buckets(), values);
      const auto grid = random_tile_grid(random, field->extent());
      COMPARE_TEXT(summary_differs(*field, grid), "");
      COMPARE_TEXT(read_differs(*field, grid.tile(0, 0)), "");
    }
  }

  void the_largest_matrix() {
    const Index length = Index{1} << 31;
    const auto field = *make_field(buckets(), bucket_values_with({{"q_length", length}}));
    Summary summary;
    QVERIFY(field->summarize({{0, 1, length - 1, length}, {0, 1, length - 1, length}}, {}, summary));
    QCOMPARE(summary.mean[2], 31.0F);
    QCOMPARE(summary.mean[6], 15.0F);
    QCOMPARE(summary.min[4], 0.0F);
    QCOMPARE(summary.max[4], 31.0F);
    // All but 91 diagonals on either side hold 15 or 31: the mean of the whole is 23 less what they
    // lack.
    QVERIFY(field->summarize({{0, length}, {0, length}}, {}, summary));
    QCOMPARE(summary.mean[0], 23.0F);
    QVERIFY(field->summarize({{length - 1, length}, {0, length}}, {}, summary));
    // The last row: distances 0 ... 90 with buckets 0 ... 14, 15 beyond.
    double lacking = 0;
    const T5Buckets t5;
    for (Index n = 0; n < 91; ++n) lacking += static_cast<double>(15 - t5.distance_bucket(n));
    QCOMPARE(summary.mean[0], static_cast<float>(15 - lacking / static_cast<double>(length)));
  }

  void report_has_a_reason() {
    const auto field = *make_field(buckets(), bucket_values_with({}));
    const auto fact = [&](Index q, Index k, std::size_t i) { return field->report(q, k).facts[i].second; };
    COMPARE_TEXT(field->report(5, 2).why, "3 < max_exact 8, so the distance is the bucket: 3");
    COMPARE_TEXT(field->report(2, 5).why, "3 < max_exact 8, so the distance is the bucket: 3; k is ahead of q, so +16");
    COMPARE_TEXT(field->report(20, 0).why,
                 "20 ≥ max_exact 8, so the logarithmic half: 8 + ⌊ln(20/8) / ln(128/8) · 8⌋ = 10");
    COMPARE_TEXT(field->report(200, 0).why, "200 ≥ max_distance 128, so the last bucket: 15");
    COMPARE_TEXT(fact(20, 0, 2), "-20");
    COMPARE_TEXT(fact(0, 20, 2), "+20");
    COMPARE_TEXT(fact(0, 20, 3), "26");
    COMPARE_TEXT(fact(20, 0, 4), "16 … 22");
    COMPARE_TEXT(fact(3, 0, 4), "3");
    COMPARE_TEXT(fact(300, 0, 4), "91 and beyond");
    const auto decoder = *make_field(buckets(), bucket_values_with({{"bidirectional", false}}));
    COMPARE_TEXT(decoder->report(0, 5).why, "k is ahead of q, and one direction alone counts: bucket 0");
    COMPARE_TEXT(decoder->report(0, 5).facts[4].second, "every k ahead of q");
  }

  void errors() {
    const auto refused = [](Index num_buckets, Index max_distance, bool bidirectional) {
      return make_field(buckets(), bucket_values_with({{"num_buckets", num_buckets},
                                                       {"max_distance", max_distance},
                                                       {"bidirectional", bidirectional}}));
    };
    COMPARE_ERROR(refused(33, 128, true), "num_buckets is 33 but must be even when bidirectional");
    COMPARE_ERROR(refused(2, 128, true), "num_buckets is 2 but must be at least 4 when bidirectional");
    COMPARE_ERROR(refused(32, 8, true),
                  "max_distance is 8 but must be above the 8 exact buckets that num_buckets = 32 gives");
    QVERIFY(refused(2, 2, false) && refused(33, 128, false) && refused(4, 2, true));
    COMPARE_ERROR(
        make_field(buckets(), bucket_values_with({{"kv_length", Index{5}}, {"precision", std::string("float8")}})),
        "precision is float8 but must be one of hf_float32, exact, float64, bfloat16, float16; did you mean float64?");
  }

  void staircase() {
    const Method& method = *find_method(encoding_methods(), "t5_staircase");
    auto values = default_values(method.parameters);
    const auto set = *make_curves(method, values);
    QCOMPARE(set.x.size(), set.curves[0].y.size());
    QVERIFY(set.steps && set.integer && set.exact);
    QVERIFY(std::ranges::is_sorted(set.x));
    QVERIFY(set.x.front() <= -128 && set.x.back() >= 128);
    const T5Buckets t5;
    for (std::size_t i = 0; i + 1 < set.x.size(); ++i)
      for (auto relative = static_cast<Index>(set.x[i]); relative < static_cast<Index>(set.x[i + 1]); ++relative)
        QCOMPARE(set.curves[0].y[i], static_cast<double>(t5.bucket(relative)));
    QCOMPARE(set.facts[0], (std::pair<std::string, double>{"max_exact", 8}));
    QCOMPARE(set.facts[1], (std::pair<std::string, double>{"clamp_distance", 91}));
    values.set("bidirectional", false);
    QCOMPARE(make_curves(method, values)->curves[0].y.back(), 0.0);
  }
};

VQSCOPE_TEST(T5BucketTest)
#include "t5_bucket_test.moc"
