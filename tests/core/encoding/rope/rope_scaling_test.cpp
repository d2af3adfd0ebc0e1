// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/rope/rope_scaling.h"

#include "core/method/curve_set.h"
#include "core/method/method.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <bit>
#include <cmath>
#include <set>

using namespace vqscope;

namespace {

/// Steps of float32 between two positive numbers.
int ulps(float a, float b) { return std::abs(std::bit_cast<int>(a) - std::bit_cast<int>(b)); }

std::vector<double> reals_of(const QJsonValue& list) {
  std::vector<double> reals;
  for (const auto& item : list.toArray()) reals.push_back(item.toDouble());
  return reals;
}

RopeScaling golden_scaling(const QJsonObject& parameters) {
  RopeScaling s;
  s.rope_type = parameters["kind"].toString().toStdString();
  s.head_dim = parameters["dim"].toInt();
  s.rope_theta = parameters["theta"].toDouble(10000);
  s.factor = parameters["factor"].toDouble(1);
  s.original_max_position_embeddings = parameters["original"].toInt(4096);
  s.seq_len = parameters["seq_len"].toInt();
  s.truncate = parameters["truncate"].toBool(true);
  s.mscale = parameters["mscale"].toDouble();
  s.mscale_all_dim = parameters["mscale_all_dim"].toDouble();
  s.short_factor = reals_of(parameters["short_factor"]);
  s.long_factor = reals_of(parameters["long_factor"]);
  return s;
}

QString scaling_error(const RopeScaling& scaling) {
  const auto checked = scaling.check();
  return checked ? QString() : QString::fromStdString(checked.error().message);
}

}  // namespace

class RopeScalingTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    const auto f = rope_frequencies({.head_dim = 4, .rope_theta = 100});
    QCOMPARE(f.inv_freq.size(), std::size_t{2});
    QCOMPARE(static_cast<double>(f.inv_freq[0]), 1.0);
    QCOMPARE(static_cast<double>(f.inv_freq[1]), 0.1);
    QCOMPARE(f.attention_factor, 1.0);
    QCOMPARE(wavelength(f.inv_freq[0]), 6.283185307179586);
  }

  void ntk_base() {
    // FORMULAS: theta 1e4, factor 8, d 128 becomes theta 82,684.6.
    const auto f = rope_frequencies({.rope_type = "ntk", .factor = 8});
    const double theta = std::pow(static_cast<double>(f.inv_freq[1]), -64.0);
    QVERIFY2(std::abs(theta - 82684.6) < 0.1, qPrintable(QString::number(theta)));
  }

  void golden_file_data() {
    QTest::addColumn<QJsonObject>("entry");
    QFile file(test::dataPath(QStringLiteral("rope_inv_freq.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    for (const auto& each : QJsonDocument::fromJson(file.readAll()).array()) {
      const QJsonObject entry = each.toObject();
      QTest::newRow(qPrintable(entry["name"].toString())) << entry;
    }
  }
  void golden_file() {
    QFETCH(QJsonObject, entry);
    RopeScaling scaling = golden_scaling(entry["parameters"].toObject());
    const auto exact = rope_frequencies(scaling);
    scaling.precision = RopePrecision::hf_float32;
    const auto torch = rope_frequencies(scaling);
    const QJsonArray values = entry["inv_freq"].toArray();
    QCOMPARE(static_cast<qsizetype>(exact.inv_freq.size()), values.size());
    int worst = 0;
    for (qsizetype i = 0; i < values.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double golden = values[i].toDouble();
      worst = std::max(worst, ulps(static_cast<float>(torch.inv_freq[at]), static_cast<float>(golden)));
      const double relative = std::abs(static_cast<double>(exact.inv_freq[at]) / golden - 1);
      QVERIFY2(relative < 2e-6, qPrintable(QString("pair %1: off by %2").arg(i).arg(relative)));
    }
    QVERIFY2(worst == 0, qPrintable(QString("%1 steps of float32").arg(worst)));
    const double attention_factor = entry["attention_factor"].toDouble();
    QVERIFY(std::abs(exact.attention_factor / attention_factor - 1) < 1e-12);
    QVERIFY(std::abs(torch.attention_factor / attention_factor - 1) < 1e-12);
  }

  void golden_file_has_every_type() {
    QFile file(test::dataPath(QStringLiteral("rope_inv_freq.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    std::set<std::string> found;
    for (const auto& each : QJsonDocument::fromJson(file.readAll()).array())
      found.insert(each.toObject()["parameters"].toObject()["kind"].toString().toStdString());
    for (const auto& type : rope_types()) QVERIFY2(found.contains(type.id), type.id.c_str());
  }

  void yarn_ramp_by_hand() {
    // d 8, theta 256: inv_freq 1, 1/4, 1/16, 1/64. Trained 128π tokens would be 64, 16, 4, 1 turns;
    // 402 is close.
    const RopeScaling scaling{.rope_type = "yarn",
                              .head_dim = 8,
                              .rope_theta = 256,
                              .factor = 2,
                              .original_max_position_embeddings = 402,
                              .beta_fast = 16,
                              .beta_slow = 4,
                              .yarn_ramp = YarnRamp::rotation_count};
    const auto by_turns = rope_frequencies(scaling);
    QCOMPARE(static_cast<double>(by_turns.inv_freq[0]), 1.0);
    const double turns = 402 / (4 * 6.283185307179586);  // 15.995, just below beta_fast
    const double kept = (turns - 4) / 12;
    QCOMPARE(static_cast<double>(by_turns.inv_freq[1]), 0.25 * kept + 0.125 * (1 - kept));
    QCOMPARE(static_cast<double>(by_turns.inv_freq[2]), 1 / 32.0);
    QCOMPARE(static_cast<double>(by_turns.inv_freq[3]), 1 / 128.0);
    // By index: 16 turns are at pair 0.9997, 4 at pair 1.9997, rounded outwards to 0 and 2.
    RopeScaling by_index = scaling;
    by_index.yarn_ramp = YarnRamp::dimension_index;
    QCOMPARE(static_cast<double>(rope_frequencies(by_index).inv_freq[1]), (0.25 + 0.125) / 2);
    by_index.truncate = false;
    const double low = 8 * std::log(402 / (16 * 6.283185307179586)) / (2 * std::log(256.0));
    QCOMPARE(static_cast<double>(rope_frequencies(by_index).inv_freq[1]), 0.25 * low + 0.125 * (1 - low));
  }

  // As Hugging Face computes it, with a warning: 4 turns are at pair 1.9997, down to 1, and 16 at
  // 0.9997, up to 1.
  void yarn_ramp_runs_backwards_if_beta_fast_is_less() {
    RopeScaling scaling{.rope_type = "yarn",
                        .head_dim = 8,
                        .rope_theta = 256,
                        .factor = 2,
                        .original_max_position_embeddings = 402,
                        .beta_fast = 4,
                        .beta_slow = 16,
                        .truncate = false};
    const auto frequencies = rope_frequencies(scaling).inv_freq;
    QCOMPARE(static_cast<double>(frequencies[0]), 1 / 2.0);
    QVERIFY(frequencies[1] > 0.125L && frequencies[1] < 0.1251L);  // pair 1 is 0.0003 beyond the end of the ramp
    QCOMPARE(static_cast<double>(frequencies[2]), 1 / 16.0);
    QCOMPARE(static_cast<double>(frequencies[3]), 1 / 64.0);
    scaling.truncate = true;  // both ends are at 1: a step, 0 there and 1 from 0.001 above
    const auto stepped = rope_frequencies(scaling).inv_freq;
    QCOMPARE(static_cast<double>(stepped[1]), 1 / 4.0);
    QCOMPARE(static_cast<double>(stepped[2]), 1 / 32.0);
  }

  void attention_factors() {
    const auto factor = [](RopeScaling s) { return rope_frequencies(s).attention_factor; };
    QCOMPARE(factor({.rope_type = "yarn", .factor = 4}), 0.1 * std::log(4.0) + 1);
    QCOMPARE(factor({.rope_type = "yarn", .factor = 1}), 1.0);
    QCOMPARE(factor({.rope_type = "yarn", .factor = 4, .attention_factor = 1.5}), 1.5);
    QCOMPARE(factor({.rope_type = "yarn", .factor = 4, .mscale = 2}), 0.1 * std::log(4.0) + 1);
    QCOMPARE(factor({.rope_type = "yarn", .factor = 40, .mscale = 0.707, .mscale_all_dim = 1}),
             (0.0707 * std::log(40.0) + 1) / (0.1 * std::log(40.0) + 1));
    QCOMPARE(factor({.rope_type = "longrope", .factor = 32}), std::sqrt(1 + std::log(32.0) / std::log(4096.0)));
    QCOMPARE(factor({.rope_type = "longrope", .factor = 1}), 1.0);
    QCOMPARE(factor({.rope_type = "llama3", .attention_factor = 1.5}), 1.0);
  }

  void longrope_changes_lists_beyond_the_trained_length() {
    RopeScaling scaling{.rope_type = "longrope",
                        .head_dim = 4,
                        .rope_theta = 100,
                        .factor = 8,
                        .seq_len = 4096,
                        .short_factor = {1, 2},
                        .long_factor = {4, 5}};
    QCOMPARE(static_cast<double>(rope_frequencies(scaling).inv_freq[1]), 0.05);
    scaling.seq_len = 4097;
    QCOMPARE(static_cast<double>(rope_frequencies(scaling).inv_freq[1]), 0.02);
    scaling.long_factor.clear();
    QCOMPARE(static_cast<double>(rope_frequencies(scaling).inv_freq[1]), 0.0125);
  }

  void dynamic_types_rest_until_the_trained_length() {
    const auto plain = rope_frequencies({});
    for (const auto id : {"dynamic", "dynamic_linear"}) {
      const auto rested = rope_frequencies({.rope_type = id, .seq_len = 4096});
      for (std::size_t i = 0; i < plain.inv_freq.size(); ++i)
        QVERIFY2(std::abs(rested.inv_freq[i] / plain.inv_freq[i] - 1) < 1e-17L, id);
      QVERIFY2(rope_frequencies({.rope_type = id, .seq_len = 4097}).inv_freq[63] < plain.inv_freq[63], id);
    }
  }

  void scalings_are_never_slower_than_linear() {
    const auto linear = rope_frequencies({.rope_type = "linear", .factor = 8});
    for (const auto& type : rope_types()) {
      const auto f = rope_frequencies({.rope_type = type.id, .factor = 8, .seq_len = 8 * 4096});
      QVERIFY2(f.inv_freq[63] >= linear.inv_freq[63] * 0.1L, type.id.c_str());
      QVERIFY2(f.inv_freq[0] <= 1, type.id.c_str());
      for (std::size_t i = 1; i < f.inv_freq.size(); ++i) QVERIFY(f.inv_freq[i] < f.inv_freq[i - 1]);
    }
  }

  void seq_len_follows_the_layout() {
    auto values = default_values(rope_curve_parameters(8192));
    values.set("past_len", Index{100});
    QCOMPARE(rope_scaling_from(values).seq_len, Index{8292});
    values.set("seq_len", Index{5000});
    QCOMPARE(rope_scaling_from(values).seq_len, Index{5000});
  }

  void values_and_back() {
    const auto specs = rope_scaling_parameters();
    const auto defaults = rope_scaling_values({});
    QVERIFY(defaults.map().size() == specs.size());
    RopeScaling s{.rope_type = "longrope", .head_dim = 8, .seq_len = 9, .truncate = false, .long_factor = {1, 2, 3, 4}};
    s.yarn_ramp = YarnRamp::rotation_count;
    const auto values = rope_scaling_values(s);
    QVERIFY(check_values(specs, values));
    QVERIFY(rope_scaling_values(rope_scaling_from(values)) == values);
  }

  void error_texts() {
    QCOMPARE(scaling_error({}), "");
    QCOMPARE(scaling_error({.head_dim = 127}), "head_dim is 127 but must be even");
    QCOMPARE(scaling_error({.rotary_dim = 33}), "rotary_dim is 33 but must be even");
    QCOMPARE(scaling_error({.rotary_dim = 256}),
             "rotary_dim is 256 but must be at most head_dim = 128, or 0 to follow it");
    QCOMPARE(scaling_error({.rope_theta = 1}), "rope_theta is 1 but must be above 1");
    QCOMPARE(scaling_error({.rope_type = "ntk", .rotary_dim = 2}),
             "rotary_dim is 2 but must be at least 4 with rope_type ntk, whose exponent d/(d-2) has no value at d = 2");
    QCOMPARE(
        scaling_error({.rope_type = "dynamic", .head_dim = 2}),
        "head_dim is 2 but must be at least 4 with rope_type dynamic, whose exponent d/(d-2) has no value at d = 2");
    QCOMPARE(scaling_error({.rope_type = "linear", .head_dim = 2}), "");
    QCOMPARE(scaling_error({.rope_type = "yarn", .beta_fast = 1, .beta_slow = 32}), "");
    QCOMPARE(
        scaling_error({.rope_type = "yarn", .beta_fast = 2, .beta_slow = 2, .yarn_ramp = YarnRamp::rotation_count}),
        "beta_fast is 2 but must be above beta_slow = 2 with yarn_ramp rotation_count");
    QCOMPARE(scaling_error({.rope_type = "llama3", .low_freq_factor = 5}),
             "high_freq_factor is 4 but must be at least low_freq_factor = 5");
    QCOMPARE(scaling_error({.rope_type = "llama3", .low_freq_factor = 4}), "");
    QCOMPARE(scaling_error({.rope_type = "longrope", .head_dim = 8, .long_factor = {1, 2}}),
             "long_factor has 2 items but must have 4, one a pair, or none");
    QCOMPARE(scaling_error({.rope_type = "longrope", .original_max_position_embeddings = 1}),
             "original_max_position_embeddings is 1 but must be at least 2 with rope_type longrope");
  }

  void form_hides_parameters_the_type_does_not_read() {
    const auto specs = rope_scaling_parameters();
    auto values = default_values(specs);
    QVERIFY(!is_relevant(*find_spec(specs, "factor"), values));
    QVERIFY(!is_relevant(*find_spec(specs, "seq_len"), values));
    values.set("rope_type", std::string("dynamic"));
    QVERIFY(is_relevant(*find_spec(specs, "factor"), values));
    QVERIFY(is_relevant(*find_spec(specs, "seq_len"), values));
    values.set("rope_type", std::string("dynamic_linear"));
    QVERIFY(!is_relevant(*find_spec(specs, "factor"), values));
  }
};

VQSCOPE_TEST(RopeScalingTest)
#include "rope_scaling_test.moc"
