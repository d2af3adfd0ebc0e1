// SPDX-License-Identifier: GPL-3.0-or-later
// Published configs, cut down to what concerns positions, with their expected reports: tests/data/configs/*.json.
#include "core/config/config_text.h"
#include "core/config/model_config.h"
#include "core/encoding/methods.h"
#include "core/io/json/json_reader.h"
#include "core/io/json/json_value.h"
#include "core/method/method_list.h"
#include "core/method/value_json.h"
#include "tests/support/paths.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include <cmath>

using namespace vqscope;
using test::pick;
using test::Random;

namespace {

QString folder() { return test::sourcePath(QStringLiteral("tests/data/configs")); }

QString differing(const char* what, double found, double expected) {
  if (std::abs(found - expected) <= 1e-9 * std::abs(expected)) return {};
  return QStringLiteral("%1 is %2, expected %3\n").arg(QLatin1String(what)).arg(found).arg(expected);
}

QString differing(const char* what, const std::string& found, const QString& expected) {
  if (QString::fromStdString(found) == expected) return {};
  return QStringLiteral("%1 is %2, expected %3\n").arg(QLatin1String(what), QString::fromStdString(found), expected);
}

/// Members that a case leaves out, or null, are not compared.
QString differing_rope(const RopeUse& use, const QJsonObject& rope) {
  QString text = differing("layers", use.layers, rope["layers"].toString());
  text += differing("rope_type", use.rope_type, rope["rope_type"].toString());
  text += differing("rope_theta", use.rope_theta, rope["rope_theta"].toDouble());
  text += differing("rotary_dim", static_cast<double>(use.scaling.rotated()), rope["rotary_dim"].toDouble());
  text += differing("head_dim", static_cast<double>(use.scaling.head_dim), rope["head_dim"].toDouble());
  if (rope["pair_layout"].isString())
    text += differing("pair_layout", std::string(order_of(use.pair_layout())), rope["pair_layout"].toString());
  if (rope["pairs_apart"].isDouble())
    text += differing("pairs_apart",
                      static_cast<double>(pairs_apart(use.scaling.pairs(), use.pair_layout(), use.scaling.head_dim)),
                      rope["pairs_apart"].toDouble());
  if (rope.contains("trained_length"))
    text += differing("trained_length", static_cast<double>(use.scaling.original_max_position_embeddings),
                      rope["trained_length"].toDouble());
  if (rope.contains("factor")) text += differing("factor", use.scaling.factor, rope["factor"].toDouble());
  const QJsonObject inv_freq = rope["inv_freq"].toObject();
  for (const QString& pair : inv_freq.keys()) {
    const auto i = static_cast<std::size_t>(pair.toInt());
    if (i >= use.pairs.size()) return text + QStringLiteral("no pair %1\n").arg(pair);
    text += differing("inv_freq", use.pairs[i].inv_freq, inv_freq[pair].toDouble());
  }
  QJsonArray sections;
  for (const double each : use.mrope_section) sections.append(each);
  if (sections != rope["mrope_section"].toArray()) text += QStringLiteral("mrope_section differs\n");
  return text;
}

QString differing_layers(const std::vector<LayerKind>& kinds, const QJsonArray& expected) {
  if (std::ssize(kinds) != expected.size()) return QStringLiteral("%1 kinds of layers\n").arg(kinds.size());
  QString text;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const QJsonObject kind = expected[static_cast<qsizetype>(i)].toObject();
    text += differing("layer", kinds[i].name, kind["name"].toString());
    text += differing("count", static_cast<double>(kinds[i].count), kind["count"].toDouble());
    text += differing("window", static_cast<double>(kinds[i].window), kind["window"].toDouble());
    text += differing("rope", kinds[i].rope ? 1 : 0, kind["rope"].toBool() ? 1 : 0);
  }
  return text;
}

QString differing_tables(const std::vector<PositionTable>& tables, const QJsonArray& expected) {
  if (std::ssize(tables) != expected.size()) return QStringLiteral("%1 tables\n").arg(tables.size());
  QString text;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const QJsonArray table = expected[static_cast<qsizetype>(i)].toArray();
    text += differing("table", tables[i].key, table[0].toString());
    text += differing("positions", static_cast<double>(tables[i].length), table[1].toDouble());
    text += differing("learned", tables[i].learned ? 1 : 0, table[2].toBool() ? 1 : 0);
  }
  return text;
}

QString differing_report(const ConfigReport& report, const QJsonObject& expected) {
  QString text = differing("kind", kind_name(report.kind), expected["kind"].toString());
  const QJsonArray ropes = expected["ropes"].toArray();
  if (std::ssize(report.ropes) != ropes.size()) return text + QStringLiteral("%1 ropes\n").arg(report.ropes.size());
  for (std::size_t i = 0; i < report.ropes.size(); ++i)
    text += differing_rope(report.ropes[i], ropes[static_cast<qsizetype>(i)].toObject());
  if (expected.contains("layers")) text += differing_layers(report.layers, expected["layers"].toArray());
  if (expected.contains("tables")) text += differing_tables(report.tables, expected["tables"].toArray());
  return text;
}

/// A JSON value as the text after --set name=: without quotation marks and brackets.
std::string text_of_json(const JsonValue& value) {
  QString text = QString::fromStdString(indented_json(value)).simplified();
  text.remove(QRegularExpression(QStringLiteral("[\\[\\]\" ]")));
  return text.toStdString();
}

}  // namespace

class ConfigGoldenTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void published_configs_data() {
    QTest::addColumn<QString>("file");
    const QStringList files = QDir(folder()).entryList({"*.json"});
    QVERIFY(files.size() >= 240);
    for (const QString& file : files) QTest::newRow(qPrintable(file)) << file;
  }
  void published_configs() {
    QFETCH(QString, file);
    QFile source(folder() + QLatin1Char('/') + file);
    QVERIFY(source.open(QIODevice::ReadOnly));
    const QJsonObject golden = QJsonDocument::fromJson(source.readAll()).object();
    const auto report = read_model_config(QJsonDocument(golden["config"].toObject()).toJson().toStdString());
    QVERIFY2(report, report ? "" : report.error().message.c_str());
    const QString text = QString::fromStdString(config_report_text(*report));
    const QString difference = differing_report(*report, golden["expect"].toObject());
    QVERIFY2(difference.isEmpty(), qPrintable(difference + text.left(1500)));
    QVERIFY2(report->count(ConfigSeverity::error) == 0, qPrintable(text.left(1500)));
    QVERIFY2(report->count(ConfigSeverity::warning) == golden["warnings"].toInt(), qPrintable(text.left(1500)));
    for (const auto& words : golden["says"].toArray()) QVERIFY2(text.contains(words.toString()), qPrintable(text));
    for (const auto& words : golden["never"].toArray())
      QVERIFY2(!text.contains(words.toString()), qPrintable(words.toString() + "\n" + text.left(1500)));
  }

  /// The parameters printed under `views`, written after --set as they stand, are those of the
  /// method.
  void views_can_be_exported_data() { published_configs_data(); }
  void views_can_be_exported() {
    QFETCH(QString, file);
    QFile source(folder() + QLatin1Char('/') + file);
    QVERIFY(source.open(QIODevice::ReadOnly));
    const QJsonObject golden = QJsonDocument::fromJson(source.readAll()).object();
    const auto report = read_model_config(QJsonDocument(golden["config"].toObject()).toJson().toStdString());
    QVERIFY(report && report->schedule.check());
    for (const auto& view : report->views) {
      const Method* method = find_method(encoding_methods(), view.method);
      QVERIFY2(method, view.method.c_str());
      ParameterValues all = default_values(method->parameters);
      for (const auto& [name, value] : view.values.map()) {
        const ParameterSpec* spec = find_spec(method->parameters, name);
        QVERIFY2(spec, name.c_str());
        const auto parsed = parse_value(*spec, text_of_json(json_of(value)));
        QVERIFY2(parsed && *parsed == value, (name + " " + (parsed ? "" : parsed.error().message)).c_str());
        all.set(name, *parsed);
      }
      const auto checked = check_method_values(*method, all);
      QVERIFY2(checked, checked ? "" : checked.error().message.c_str());
    }
  }

  /// With bytes changed: a sentence of one line, or a report whose numbers are numbers.
  void damaged_configs_give_an_error_or_a_finite_report() {
    Random random(12);
    constexpr std::string_view bytes = "{}[]\",:\\0123456789.-+eEtfn \n";
    for (const QString& file : QDir(folder()).entryList({"*.json"})) {
      QFile source(folder() + QLatin1Char('/') + file);
      QVERIFY(source.open(QIODevice::ReadOnly));
      const QJsonObject golden = QJsonDocument::fromJson(source.readAll()).object();
      const std::string whole = QJsonDocument(golden["config"].toObject()).toJson().toStdString();
      for (int round = 0; round < 60; ++round) {
        std::string text = whole;
        for (Index edits = pick(random, 1, 3); edits > 0; --edits)
          text[static_cast<std::size_t>(pick(random, 0, std::ssize(text) - 1))] =
              bytes[static_cast<std::size_t>(pick(random, 0, std::ssize(bytes) - 1))];
        const auto report = read_model_config(text);
        if (!report) {
          QVERIFY2(report.error().message.find('\n') == std::string::npos, text.c_str());
          continue;
        }
        QVERIFY2(report->summary.find('\n') == std::string::npos, text.c_str());
        for (const auto& finding : report->findings) QVERIFY2(finding.sentence.size() <= 400, text.c_str());
        for (const auto& use : report->ropes) QVERIFY2(std::isfinite(use.logit_factor()), text.c_str());
        const auto valid = report->schedule.check();
        QVERIFY2(valid, (text + (valid ? "" : valid.error().message)).c_str());
        for (const auto& kind : report->layers) QVERIFY2(kind.count > 0 && kind.window >= 0, text.c_str());
      }
    }
  }
};

VQSCOPE_TEST(ConfigGoldenTest)
#include "config_golden_test.moc"
