// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/json.h"

#include "core/io/json/json_text.h"
#include "tests/core/export/test_numbers.h"
#include "tests/support/test_main.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

QJsonObject parsed(const Numbers& numbers) {
  return QJsonDocument::fromJson(QByteArray::fromStdString(text_of(numbers, NumberFormat::json))).object();
}

QByteArray compact(const QJsonValue& value) { return QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact); }

}  // namespace

class JsonTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void matrix() {
    const Method& method = matrix_method();
    const auto numbers = make_numbers({&method, default_values(method.parameters), Rect{{1, 3}, {0, 4}}});
    QVERIFY(numbers);
    const QJsonObject json = parsed(*numbers);
    QCOMPARE(json["method"].toString(), QString("distances"));
    QCOMPARE(json["parameters"]["q_length"].toInt(), 512);
    QCOMPARE(json["parameters"]["bidirectional"].toBool(), true);
    QCOMPARE(compact(json["shape"]), QByteArray("[[2,4]]"));
    QCOMPARE(compact(json["rows"]), QByteArray("[[1,3]]"));
    QCOMPARE(compact(json["values"]), QByteArray("[[[1,0,17,18],[2,1,0,17]]]"));
  }

  void a_remark_on_the_values() {
    Method method = matrix_method();
    method.remark = [](const ParameterValues& values, const Work&) {
      return values.boolean("bidirectional") ? "keys \"ahead\" have buckets" : std::string();
    };
    auto values = default_values(method.parameters);
    const auto remark_of = [&](const std::optional<ParameterValues>& minus = {}) -> QJsonValue {
      return parsed(*make_numbers({&method, values, Rect{{0, 1}, {0, 1}}, minus})).value("remark");
    };
    QCOMPARE(remark_of().toString(), QString("keys \"ahead\" have buckets"));
    QVERIFY2(remark_of(values).isUndefined(), "of a difference it would be about one side");
    values.set("bidirectional", false);
    QVERIFY(remark_of().isUndefined());
  }

  void nan_and_infinity_are_null() {
    const double cells[] = {0.5, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};
    const auto numbers = field_numbers({1, 3}, CellType::float32, [&](Index, Index col) { return cells[col]; });
    QCOMPARE(compact(parsed(numbers)["values"]), QByteArray("[[[0.5,null,null]]]"));
  }

  void curves_with_facts() {
    const double none = std::numeric_limits<double>::quiet_NaN();
    const CurveSet set{.x_name = "x",
                       .x = {1, 2},
                       .curves = {{"a", {3, 4.5}}},
                       .facts = {{"attention_factor", 1.25}, {"first_negative", none}}};
    const QJsonObject json = parsed(curve_numbers(set));
    QCOMPARE(compact(json["columns"]), QByteArray("[[\"x\",\"a\"]]"));
    QCOMPARE(compact(json["shape"]), QByteArray("[[2,2]]"));
    QCOMPARE(compact(json["values"]), QByteArray("[[[1,3],[2,4.5]]]"));
    QCOMPARE(json["attention_factor"].toDouble(), 1.25);
    QVERIFY(json["first_negative"].isNull());
    QVERIFY(json["exact"].toBool());
  }

  void principal_curve_gives_the_values() {
    CurveSet set{.x_name = "pair", .x = {0, 1}, .curves = {{"inv_freq", {1, 0.5}}, {"wavelength", {6, 12}}}};
    set.principal = 0;
    const QJsonObject json = parsed(curve_numbers(set));
    QCOMPARE(compact(json["values"]), QByteArray("[[1,0.5]]"));
    QCOMPARE(compact(json["shape"]), QByteArray("[[2]]"));
    QCOMPARE(compact(json["pair"]), QByteArray("[[0,1]]"));
    QCOMPARE(compact(json["wavelength"]), QByteArray("[[6,12]]"));
    QCOMPARE(compact(json["columns"]), QByteArray("[[\"inv_freq\"]]"));
  }

  void texts_and_values() {
    QCOMPARE(json_text("a\"\\\n"), std::string("\"a\\\"\\\\\\n\""));
    QCOMPARE(json_value(std::vector<Index>{1, 2}), std::string("[1, 2]"));
    QCOMPARE(json_value(std::vector<std::string>{"a", "b"}), std::string("[\"a\", \"b\"]"));
    QCOMPARE(json_value(10000.0), std::string("10000"));
    QCOMPARE(json_value(1e300), std::string("1e+300"));
    QCOMPARE(json_value(false), std::string("false"));
  }
};

VQSCOPE_TEST(JsonTest)
#include "json_test.moc"
