// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include <map>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A row of a table: "findings[].batch", "integer or null".
struct Described {
  QStringList types;
  bool isOptional = false;
};
using Section = std::map<QString, Described>;

/// The table of the section that names the command.
Section describedBy(const QString& guide, const QString& command) {
  static const QRegularExpression row("^\\| `([^`]+)` \\| ([a-z ]+)([?]?) \\|", QRegularExpression::MultilineOption);
  const qsizetype begin = guide.indexOf("## What does `" + command + "` print?");
  const QString text = guide.mid(begin, guide.indexOf("\n## ", begin + 1) - begin);
  Section section;
  for (auto each = row.globalMatch(text); each.hasNext();) {
    const auto match = each.next();
    section[match.captured(1)] = {match.captured(2).split(" or "), !match.captured(3).isEmpty()};
  }
  return section;
}

bool hasType(const QJsonValue& value, const QString& type) {
  if (type == "any") return true;
  if (type == "values" || type == "details") return value.isObject();
  if (type == "integer") return value.isDouble() && value.toDouble() == std::floor(value.toDouble());
  if (type == "number") return value.isDouble();
  if (type == "string") return value.isString();
  if (type == "boolean") return value.isBool();
  if (type == "array") return value.isArray();
  return type == "null" && value.isNull();
}

/// What is printed and not described, or of another type, or described and missing.
void compareValue(const QString& path, const QJsonValue& value, const Section& section, QStringList& mistakes) {
  if (!path.isEmpty() && (!path.endsWith("[]") || section.contains(path))) {
    const auto found = section.find(path);
    if (found == section.end()) return mistakes.append(path + " is not described");
    const auto& types = found->second.types;
    if (std::ranges::none_of(types, [&](const QString& type) { return hasType(value, type); }))
      mistakes.append(path + " is not " + types.join(" or "));
    if (types.contains("values") || types.contains("details") || types.contains("any")) return;
  }
  for (const auto& item : value.toArray()) compareValue(path + "[]", item, section, mistakes);
  if (!value.isObject()) return;
  const QJsonObject object = value.toObject();
  const QString before = path.isEmpty() ? QString() : path + ".";
  for (const QString& key : object.keys()) compareValue(before + key, object[key], section, mistakes);
  for (const auto& [name, described] : section)
    if (name.startsWith(before) && !name.mid(before.size()).contains('.') && !name.endsWith("[]") &&
        !described.isOptional && !object.contains(name.mid(before.size())))
      mistakes.append(name + " is missing");
}

}  // namespace

/// The guide's page of JSON against what the commands print.
class JsonGuideTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void printed_names_are_described_data() {
    QTest::addColumn<QString>("section");
    QTest::addColumn<QStringList>("arguments");
    const auto add = [](const char* section, const QString& arguments) {
      QTest::newRow(qPrintable(arguments)) << QString(section) << arguments.split(' ');
    };
    add("check --json", "check --set mask=packed --set q_length=64 --json");
    add("check --json", "check --set mask=sliding_window --set sliding_window=129 --window 128 --json");
    add("check --json", "check --set mask=causal --set q_length=8 --objective bidirectional --json");
    add("check --json", "check --set q_length=8 --baseline known.json --json");
    add("row N --json", "row 3 --set q_length=8 --json");
    add("row N --json", "row 5 --set mask=packed --set q_length=32 --keys 2:9 --json");
    add("diff --json", "diff --set mask=packed --set q_length=64 --minus mask=causal --json");
    add("diff --json", "diff --set q_length=8 --minus q_length=8 --json");
    add("recognise --json", "recognise --set mask=packed --set q_length=64 --json");
    add("recognise --json", "recognise --set mask=longformer --set q_length=64 --json");
    for (const char* config : {"llama-3.1-8b", "gemma-3-27b", "t5-base", "deepseek-v3"})
      add("config MODEL --json", "config " + sourcePath(QString("resources/configs/%1.json").arg(config)) + " --json");
    add("list --json", "list --json");
  }

  void printed_names_are_described() {
    QFETCH(QString, section);
    QFETCH(QStringList, arguments);
    QFile guide(sourcePath("resources/docs/guide/json.md"));
    QVERIFY(guide.open(QIODevice::ReadOnly));
    const Section described = describedBy(QString::fromUtf8(guide.readAll()), section);
    QVERIFY(described.size() > 3);
    writtenFile(m_folder, "known.json", R"({"known_findings": []})");
    const auto printed = QJsonDocument::fromJson(runProgram(m_folder, arguments).out);
    QVERIFY(printed.isObject());
    QStringList mistakes;
    compareValue(QString(), printed.object(), described, mistakes);
    mistakes.removeDuplicates();
    QCOMPARE(mistakes.mid(0, 12).join("; "), QString());
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(JsonGuideTest)
#include "json_guide_test.moc"
