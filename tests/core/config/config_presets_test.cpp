// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/methods.h"
#include "core/io/json/json_reader.h"
#include "core/method/method_list.h"
#include "tests/core/config/config_cases.h"
#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace vqscope;
using namespace vqscope::test;

namespace {

constexpr double turn = 2 * std::numbers::pi;

ConfigReport preset_report(const QString& name) { return report_of(preset(name).toStdString()); }

const RopeImplementation& reader(const RopeUse& use, std::string_view name) {
  for (const auto& each : use.implementations)
    if (each.name == name) return each;
  static const RopeImplementation none;
  return none;
}

}  // namespace

class ConfigPresetsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void pairs_of_each_data() {
    QTest::addColumn<QList<qint64>>("counts");  // kept, blended, scaled, by hand
    QTest::addColumn<double>("logits");
    QTest::addColumn<double>("theta");
    QTest::newRow("llama-2-7b") << QList<qint64>{64, 0, 0} << 1.0 << 1e4;
    // 64 ln(2048/2π) / ln 5e5 = 28.2 and 64 ln(8192/2π) / ln 5e5 = 35.0
    QTest::newRow("llama-3.1-8b") << QList<qint64>{29, 6, 29} << 1.0 << 5e5;
    QTest::newRow("llama-3.2-1b") << QList<qint64>{15, 3, 14} << 1.0 << 5e5;
    // pairs 23.6 and 39.7 make 32 turns and 1, rounded outwards; (1 + 0.1 ln 4)²
    QTest::newRow("qwen2.5-7b-long") << QList<qint64>{24, 16, 24} << 1.2964769927807063 << 1e6;
    // 10.5 and 22.5; the softmax is scaled by (1 + 0.1 ln 40)²
    QTest::newRow("deepseek-v3") << QList<qint64>{11, 12, 9} << 1.8738542070926265 << 1e4;
    // 8.1 and 17.4, not rounded; (1 + 0.1 ln 32)²
    QTest::newRow("gpt-oss-20b") << QList<qint64>{9, 9, 14} << 1.8132604340394958 << 150000.0;
  }
  void pairs_of_each() {
    QFETCH(QList<qint64>, counts);
    QFETCH(double, logits);
    QFETCH(double, theta);
    const auto report = preset_report(QTest::currentDataTag());
    QCOMPARE(report.kind, PositionScheme::rope);
    QCOMPARE(report.ropes.size(), std::size_t{1});
    const RopeUse& use = report.ropes.front();
    QCOMPARE(qint64{use.count(PairFate::kept)}, counts[0]);
    QCOMPARE(qint64{use.count(PairFate::blended)}, counts[1]);
    QCOMPARE(qint64{use.count(PairFate::scaled)}, counts[2]);
    QVERIFY(std::abs(use.logit_factor() / logits - 1) < 1e-12);
    QCOMPARE(use.scaling.rope_theta, theta);
    for (std::size_t i = 0; i < use.pairs.size(); ++i) {
      const ConfigPair& pair = use.pairs[i];
      const double plain = std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(use.scaling.rotated()));
      QVERIFY(std::abs(pair.plain_inv_freq / plain - 1) < 1e-12);
      QVERIFY(std::abs(pair.wavelength * pair.inv_freq / turn - 1) < 1e-12);
      const auto trained = static_cast<double>(use.scaling.original_max_position_embeddings);
      QVERIFY(std::abs(pair.trained_turns * turn / (trained * plain) - 1) < 1e-12);
      QVERIFY(std::abs(pair.served_turns * turn / (static_cast<double>(use.seq_len) * pair.inv_freq) - 1) < 1e-12);
      const double ratio = pair.inv_freq / pair.plain_inv_freq;
      if (pair.fate == PairFate::kept) QVERIFY(std::abs(ratio - 1) < 1e-9);
      if (pair.fate == PairFate::scaled) QVERIFY(std::abs(ratio * use.scaling.factor - 1) < 1e-9);
      if (pair.fate == PairFate::blended) QVERIFY(ratio < 1 && ratio * use.scaling.factor > 1);
    }
  }

  void every_preset_has_a_source_and_no_mistake() {
    const QStringList all = preset_names();
    QCOMPARE(all.size(), 9);
    for (const QString& name : all) {
      const auto json = read_json(preset(name).toStdString());
      QVERIFY2(json && json->find("source") && json->find("source")->text(), qPrintable(name));
      QCOMPARE(qint64{preset_report(name).count(ConfigSeverity::error)}, qint64{0});
      QCOMPARE(preset_report(name).count(ConfigSeverity::warning) > 0, name == "qwen2.5-7b-long");
    }
  }

  void one_click_opens_them() {
    for (const QString& name : preset_names()) {
      const auto report = preset_report(name);
      QVERIFY2(!report.views.empty(), qPrintable(name));
      for (const auto& view : report.views) {
        const auto* method = find_method(encoding_methods(), view.method);
        QVERIFY2(method, view.method.c_str());
        const auto values = carried_values(*method, view.values);
        const auto checked = check_method_values(*method, values);
        QVERIFY2(checked, checked ? "" : checked.error().message.c_str());
        for (const auto& [parameter, value] : view.values.map())
          QVERIFY2(values.find(parameter) && *values.find(parameter) == value, parameter.c_str());
      }
    }
  }

  void opened_presets_rotate_as_reported() {
    for (const QString& name : preset_names()) {
      const auto report = preset_report(name);
      for (std::size_t i = 0; i < report.ropes.size(); ++i) {
        ParameterValues values = default_values(rope_curve_parameters(report.ropes[i].seq_len));
        for (const auto& [parameter, value] : report.views[i].values.map()) values.set(parameter, value);
        const auto opened = rope_frequencies(rope_scaling_from(values));
        for (std::size_t pair = 0; pair < opened.inv_freq.size(); ++pair)
          QCOMPARE(static_cast<double>(opened.inv_freq[pair]), report.ropes[i].pairs[pair].inv_freq);
        QCOMPARE(opened.attention_factor, report.ropes[i].attention_factor);
      }
    }
  }

  void layouts() {
    QCOMPARE(preset_report("deepseek-v3").views[0].values.choice("pair_layout"), std::string("interleaved"));
    QCOMPARE(preset_report("llama-2-7b").views[0].values.choice("pair_layout"), std::string("half_split"));
  }

  void t5_has_two_sides() {
    const auto report = preset_report("t5-base");
    QCOMPARE(report.kind, PositionScheme::t5_buckets);
    QCOMPARE(report.views.size(), std::size_t{2});
    QVERIFY(report.views[0].values.boolean("bidirectional"));
    QVERIFY(!report.views[1].values.boolean("bidirectional"));
    QCOMPARE(report.views[1].values.integer("num_buckets"), Index{32});
    QCOMPARE(report.views[1].values.integer("max_distance"), Index{128});
  }

  void readers_differ_as_numbers() {
    const auto deepseek = preset_report("deepseek-v3").ropes[0];
    QCOMPARE(deepseek.attention_factor, 1.0);
    QVERIFY(std::abs(deepseek.softmax_factor - 1.8738542070926265) < 1e-12);
    QCOMPARE(reader(deepseek, "a reader of cos and sin alone").logit_factor(), 1.0);
    QCOMPARE(reader(deepseek, "DeepSeek's code, vLLM").logit_factor(), deepseek.logit_factor());
    // The training length is 40 times as long there: every pair has 40 times the turns, and the
    // slow ones are kept.
    const auto& old = reader(deepseek, "Hugging Face up to 4.50");
    QCOMPARE(*old.differing_pair, Index{23});
    QVERIFY(std::abs(old.ratio - 40) < 1e-9);

    const auto qwen = preset_report("qwen2.5-7b-long").ropes[0];
    const auto& by_ratio = reader(qwen, "Hugging Face before its pull request 40320");
    QCOMPARE(by_ratio.logit_factor(), 1.0);  // the ratio is 1: nothing is scaled
    QVERIFY(std::abs(by_ratio.ratio - 4) < 1e-9);
    QVERIFY(!reader(qwen, "llama.cpp").differing_pair);

    // The ramp from pair 8.09 to 17.40 becomes one from 8 to 18.
    const auto gpt_oss = preset_report("gpt-oss-20b").ropes[0];
    const auto& llama_cpp = reader(gpt_oss, "llama.cpp");
    QCOMPARE(*llama_cpp.differing_pair, Index{17});
    const double ramp = (17 - 8.092779115512402) / (17.39802450158856 - 8.092779115512402);
    const double rounded = 9 / 10.0;
    const double wanted = ((1 - rounded) + rounded / 32) / ((1 - ramp) + ramp / 32);
    QVERIFY(std::abs(llama_cpp.ratio / wanted - 1) < 1e-9);
    QVERIFY(!reader(preset_report("llama-3.1-8b").ropes[0], "vLLM, llama.cpp").differing_pair);
  }

  /// Cut off or with bytes changed: a sentence of one line, or a report whose numbers are numbers.
  void damaged_presets_give_an_error_or_a_finite_report() {
    Random random(11);
    constexpr std::string_view bytes = "{}[]\",:\\0123456789.-+eEtfn \n\xff\xc3";
    for (const QString& name : preset_names())
      for (int round = 0; round < 700; ++round) {
        std::string text = preset(name).toStdString();
        if (round % 3 == 0) text.resize(static_cast<std::size_t>(pick(random, 0, std::ssize(text) - 1)));
        for (Index edits = round % 3 == 0 ? 0 : pick(random, 1, 4); edits > 0; --edits) {
          const auto at = static_cast<std::size_t>(pick(random, 0, std::ssize(text) - 1));
          text[at] = round % 2 == 0 ? bytes[static_cast<std::size_t>(pick(random, 0, std::ssize(bytes) - 1))]
                                    : static_cast<char>(text[at] ^ (1 << pick(random, 0, 7)));
        }
        const auto report = read_model_config(text);
        if (!report) {
          QVERIFY2(!report.error().message.empty(), text.c_str());
          QVERIFY2(report.error().message.find('\n') == std::string::npos, report.error().message.c_str());
          continue;
        }
        for (const auto& use : report->ropes) {
          QVERIFY2(std::isfinite(use.logit_factor()), text.c_str());
          for (const auto& pair : use.pairs)
            QVERIFY2(std::isfinite(pair.wavelength) && std::isfinite(pair.trained_turns), text.c_str());
          for (const auto& each : use.implementations) QVERIFY2(std::isfinite(each.ratio), text.c_str());
        }
        for (const auto& finding : report->findings)
          QVERIFY2(!finding.sentence.empty() && finding.place.line > 0, text.c_str());
        QVERIFY(!config_report_text(*report).empty());
      }
  }
};

VQSCOPE_TEST(ConfigPresetsTest)
#include "config_presets_test.moc"
