// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/json_value.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>
#include <QTest>

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

using namespace vqscope;

namespace {

/// Qt's text of the same value, as in files of earlier versions.
std::string by_qt(const QJsonArray& array) { return QJsonDocument(array).toJson().toStdString(); }

/// The same random tree as ours and as Qt's.
std::pair<JsonValue, QJsonValue> tree(QRandomGenerator& random, int depth) {
  const Index number = random.bounded(2000) - 1000;
  switch (random.bounded(depth > 0 ? 8 : 5)) {
    case 0: return {nullptr, QJsonValue()};
    case 1: return {number % 2 == 0, number % 2 == 0};
    case 2: return {number, qint64{number}};
    case 3: return {static_cast<double>(number) / 8, static_cast<double>(number) / 8};
    case 4: return {std::to_string(number), QString::number(number)};
    case 5: {
      const std::vector<Index> numbers(static_cast<std::size_t>(random.bounded(4)), number);
      QJsonArray qt;
      for (const Index each : numbers) qt.append(qint64{each});
      return {numbers, qt};
    }
    case 6: {
      JsonArray ours;
      QJsonArray qt;
      for (int i = random.bounded(4); i > 0; --i) {
        auto [our_item, qt_item] = tree(random, depth - 1);
        ours.push_back(our_item);
        qt.append(qt_item);
      }
      return {ours, qt};
    }
    default: {
      JsonObject ours;
      QJsonObject qt;
      for (int i = random.bounded(4); i > 0; --i) {
        auto [our_item, qt_item] = tree(random, depth - 1);
        const std::string name = "name " + std::to_string(random.bounded(30));
        ours[name] = our_item;
        qt[QString::fromStdString(name)] = qt_item;
      }
      return {ours, qt};
    }
  }
}

}  // namespace

class JsonValueTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void a_small_document() {
    const JsonObject object{{"b", JsonArray{1, 2.5, "x", nullptr}},
                            {"a", JsonObject{{"yes", true}, {"none", JsonArray()}}},
                            {"empty", JsonObject()}};
    COMPARE_TEXT(indented_json(object),
                 "{\n    \"a\": {\n        \"none\": [\n        ],\n        \"yes\": true\n    },\n"
                 "    \"b\": [\n        1,\n        2.5,\n        \"x\",\n        null\n    ],\n"
                 "    \"empty\": {\n    }\n}\n");
  }

  void lists_are_arrays() {
    COMPARE_TEXT(indented_json(std::vector<Index>{3, -4}), "[\n    3,\n    -4\n]\n");
    COMPARE_TEXT(indented_json(std::vector<std::string>{"a"}), "[\n    \"a\"\n]\n");
  }

  void aLongListOfNumbersHasOneLine() {
    const auto linesOf = [](const JsonValue& value) {
      return std::ranges::count(indented_json(JsonObject{{"a", value}, {"b", 1}}), '\n');
    };
    QCOMPARE(linesOf(std::vector<Index>(1024)), 1024 + 5);
    QCOMPARE(linesOf(std::vector<Index>(1025, 7)), 4);
    QVERIFY(indented_json(std::vector<double>(1025, 0.5)).starts_with("[0.5,0.5,"));
  }

  void on_one_line() {
    const JsonObject object{{"b", JsonArray{1, 2.5, "x", nullptr, JsonArray()}},
                            {"a", JsonObject{{"yes", true}}},
                            {"numbers", std::vector<double>{0.5, 3}}};
    COMPARE_TEXT(compact_json(object), R"({"a":{"yes":true},"b":[1,2.5,"x",null,[]],"numbers":[0.5,3]})");
    COMPARE_TEXT(compact_json(JsonObject()), "{}");
  }

  /// Random trees, in both layouts.
  void trees_as_qt_writes_them() {
    QRandomGenerator random(2);
    for (int i = 0; i < 500; ++i) {
      const auto [ours, qt] = tree(random, 4);
      const QJsonDocument document(QJsonArray{qt});
      COMPARE_TEXT(indented_json(JsonArray{ours}), document.toJson().toStdString());
      COMPARE_TEXT(compact_json(JsonArray{ours}), document.toJson(QJsonDocument::Compact).toStdString());
    }
  }

  void texts_as_qt_writes_them() {
    for (const char* each : {"", "plain", "\"quoted\" \\ /", "\b\f\n\r\t\x01\x1f\x7f", "über ∧ 𝛼"})
      QCOMPARE(indented_json(JsonArray{each}), by_qt({QString::fromUtf8(each)}));
    COMPARE_TEXT(indented_json("a\xff"), "\"a\\udcff\"\n");
  }

  void numbers_as_qt_writes_them() {
    const auto same = [](double value) { QCOMPARE(indented_json(JsonArray{value}), by_qt({value})); };
    for (const double value : {0.0,
                               1.0,
                               -1.0,
                               0.1,
                               1e-3,
                               1e-4,
                               1e-5,
                               1.5e-4,
                               123456.75,
                               1e6,
                               1e15,
                               9007199254740991.0,
                               9007199254740992.0,
                               -0.0,
                               1.1e17,
                               109951162777600012345.0,
                               1e16,
                               1e20,
                               1e21,
                               1e22,
                               1.5e300,
                               5e-324,
                               2.0 / 3,
                               std::numeric_limits<double>::max(),
                               std::numeric_limits<double>::infinity(),
                               std::nan("")})
      same(value);
    QRandomGenerator random(1);
    for (int i = 0; i < 20'000; ++i) {
      same(std::bit_cast<double>(random.generate64()));
      same(std::ldexp(random.generateDouble() - 0.5, static_cast<int>(random.bounded(60)) - 30));
      same(std::pow(10.0, random.bounded(12) - 6) * random.bounded(1000));
    }
    for (const Index value :
         {Index{0}, Index{-7}, std::numeric_limits<Index>::max(), std::numeric_limits<Index>::min()})
      QCOMPARE(indented_json(JsonArray{value}), by_qt({qint64{value}}));
  }
};

VQSCOPE_TEST(JsonValueTest)
#include "json_value_test.moc"
