// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/codebook/keys.h"

#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <span>

using namespace vqscope;

class KeySamplesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void rows_do_not_depend_on_how_many_are_drawn_at_a_time() {
    for (const KeyKind kind : {KeyKind::clustered, KeyKind::independent}) {
      const KeySamples samples{.kind = kind, .clusters = 5, .seed = 11};
      const auto whole = sample_keys(samples, 40, 7);
      QCOMPARE(whole.size(), std::size_t{40 * 7});
      KeySampler sampler(samples, 7);
      std::vector<float> first;
      std::vector<float> rest;
      sampler.append(first, 13);
      sampler.append(rest, 20);
      sampler.append(rest, 7);
      first.insert(first.end(), rest.begin(), rest.end());
      QCOMPARE(first, whole);
      const auto fewer = sample_keys(samples, 9, 7);
      QVERIFY(std::ranges::equal(fewer, std::span(whole).first(fewer.size())));
    }
  }

  void zero_spread_gives_the_centres() {
    const auto keys = sample_keys({.clusters = 3, .spread = 0, .seed = 2}, 60, 2);
    std::vector<std::pair<float, float>> places;
    for (std::size_t i = 0; i < keys.size(); i += 2) places.emplace_back(keys[i], keys[i + 1]);
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    QCOMPARE(places.size(), std::size_t{3});
  }

  void independent_keys_are_normal_numbers() {
    const auto keys = sample_keys({.kind = KeyKind::independent, .seed = 4}, 4000, 5);
    double sum = 0;
    double squares = 0;
    for (const float key : keys) sum += key, squares += static_cast<double>(key) * key;
    QVERIFY(std::abs(sum / 20000) < 5 / std::sqrt(20000.0));
    QVERIFY(std::abs(squares / 20000 - 1) < 5 * std::sqrt(2 / 20000.0));
  }

  void stop_ends_before_the_first_row() {
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(sample_keys({.seed = 1}, 1000000, 64, stop.get_token()).empty());
  }
};

VQSCOPE_TEST(KeySamplesTest)
#include "key_samples_test.moc"
