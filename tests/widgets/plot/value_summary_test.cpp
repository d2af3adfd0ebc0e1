// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/value_summary.h"

#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "core/session/command_arguments.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/widgets/plot/matrix_cases.h"
#include "widgets/parts/text.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Values of a command line with these arguments.
ParameterValues parsed(const Method& method, const QString& arguments, const QString& option, ParameterValues values) {
  const QStringList parts = arguments.split(' ', Qt::SkipEmptyParts);
  for (qsizetype i = 0; i + 1 < parts.size(); i += 2) {
    if (parts[i] != option) return {};
    const QString name = parts[i + 1].section('=', 0, 0);
    const auto* spec = find_spec(method.parameters, name.toStdString());
    if (!spec) return {};
    auto value = parse_value(*spec, parts[i + 1].section('=', 1).toStdString());
    if (!value) return {};
    values.set(spec->name, *value);
  }
  return values;
}

/// Another value than the default one, within the parameter's range.
ParameterValue another(const ParameterSpec& spec) {
  switch (spec.kind) {
    case ParameterKind::boolean: return !std::get<bool>(spec.default_value);
    case ParameterKind::choice: return spec.choices.back().id;
    case ParameterKind::choice_set: return std::vector<std::string>{spec.choices.back().id};
    case ParameterKind::integer_list: return std::vector<Index>{static_cast<Index>(spec.maximum), 3, 12345};
    case ParameterKind::real_list: return std::vector<double>{spec.maximum, 1.5, spec.minimum};
    case ParameterKind::real: return spec.minimum + (spec.maximum - spec.minimum) / 3;
    case ParameterKind::text: return std::string("True");
    case ParameterKind::tensor: return std::string("q.npy");
    case ParameterKind::integer: break;
  }
  return static_cast<Index>(spec.maximum) - 1;
}

}  // namespace

class ValueSummaryTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void titlesNameTheLengthAndDifferingValues() {
    const Method& method = *find_method("t5_bucket");
    QCOMPARE(valueSummary(method, valuesOf("t5_bucket", {})), QString("T 512"));
    QCOMPARE(valueSummary(method, valuesOf("t5_bucket", {{"num_buckets", Index{64}}, {"bidirectional", false}})),
             QString::fromUtf8("T 512 · num_buckets 64 · not bidirectional"));
  }

  /// Titles have no folders, and a mask's names as its text has them.
  void titlesAreShort() {
    ParameterSpec tensor = make_parameter("q_tensor", "Data", "Queries.", {.kind = ParameterKind::tensor});
    QCOMPARE(valueText(tensor, std::string("/home/ada/runs/q.npz:q[0,1]")), QString("q_tensor q.npz:q[0,1]"));
    ParameterSpec window = make_parameter("text.WINDOW", "Names", "A name.", {.minimum = 1, .maximum = 512});
    QCOMPARE(valueText(window, Index{128}), QString("WINDOW 128"));
    const ParameterSpec models = make_parameter("models", "Data", "Models.", {.kind = ParameterKind::choice_set});
    QCOMPARE(valueText(models, std::vector<std::string>{"a", "b"}), QString("models a,b"));
    QCOMPARE(valueText(models, std::vector<std::string>{"a", "b", "c", "d", "e"}), QString("5 models"));
  }

  /// Tensors are named together, in place of the choice that has them used.
  void tensorsAreFiles() {
    if (!left_out_remark().empty()) QSKIP("the lab is left out");
    const Method& method = *find_method("vq_weights");
    const auto summary = [&](const char* q, const char* k) {
      return valueSummary(method, valuesOf("vq_weights", {{"data", std::string("tensors")},
                                                          {"q_tensor", std::string(q)},
                                                          {"k_tensor", std::string(k)}}));
    };
    QCOMPARE(summary("/a/q.npy", "/a/k.npy"), QString("q.npy, k.npy"));
    QCOMPARE(summary("/a/b.npz:q[0]", "/a/b.npz:k[0]"), QString("b.npz:q[0], k[0]"));
    QCOMPARE(valueSummary(method, valuesOf("vq_weights", {{"data", std::string("tensors")}})), QString("tensors"));
  }

  /// The spec decides how a value is named: its short name, and whether its default is named too.
  void titlesFollowTheSpecs() {
    Method method{.id = "any", .recipe = CurveRecipe{}};
    method.parameters = {{.name = "length",
                          .default_value = Index{8},
                          .maximum = 9,
                          .short_label = "L",
                          .in_summary = InSummary::always},
                         {.name = "kind",
                          .kind = ParameterKind::choice,
                          .default_value = std::string("a"),
                          .choices = {{"a", {}}, {"b", {}}},
                          .in_summary = InSummary::always},
                         {.name = "size", .default_value = Index{2}, .maximum = 9, .short_label = "s"},
                         {.name = "even", .kind = ParameterKind::boolean, .default_value = true},
                         {.name = "cells",
                          .kind = ParameterKind::integer_list,
                          .default_value = std::vector<Index>{},
                          .maximum = 9,
                          .in_summary = InSummary::never}};
    auto values = default_values(method.parameters);
    QCOMPARE(valueSummary(method, values), QString::fromUtf8("L 8 · a"));
    values.set("size", Index{3});
    values.set("even", false);
    values.set("cells", std::vector<Index>{1});
    QCOMPARE(valueSummary(method, values), QString::fromUtf8("L 8 · a · s 3 · not even"));
  }

  void masksAreNamedAndTheirTextsAreNot() {
    const Method& method = *find_method("visibility");
    QCOMPARE(valueSummary(method, valuesOf("visibility", {{"q_length", Index{16}}})),
             QString::fromUtf8("causal · T 16"));
    QCOMPARE(valueSummary(method, valuesOf("visibility", {{"q_length", Index{16}},
                                                          {"mask", std::string("custom")},
                                                          {"mask_text", std::string("q_idx == kv_idx")}})),
             QString::fromUtf8("text mask · T 16"));
    QCOMPARE(valueSummary(method, valuesOf("visibility", {{"q_length", Index{2}},
                                                          {"mask", std::string("dump")},
                                                          {"mask_rows", std::vector<Index>{2, 1, 0, 2}}})),
             QString::fromUtf8("imported · T 2"));
  }

  void defaultsNeedNoArguments() {
    for (const Method& method : methods()) {
      COMPARE_TEXT(set_arguments(method, default_values(method.parameters)), "");
      COMPARE_TEXT(minus_arguments(method, default_values(method.parameters), default_values(method.parameters)), "");
    }
  }

  void argumentsAreTheCommandLines() {
    COMPARE_TEXT(set_arguments(*find_method("t5_bucket"), valuesOf("t5_bucket", {{"q_length", Index{2097152}}})),
                 " --set q_length=2097152");
    COMPARE_TEXT(minus_arguments(*find_method("t5_bucket"), valuesOf("t5_bucket", {{"q_length", Index{8}}}),
                                 valuesOf("t5_bucket", {{"q_length", Index{8}}, {"num_buckets", Index{64}}})),
                 " --minus num_buckets=64");
  }

  void everyParameterRoundTrips_data() {
    QTest::addColumn<QString>("id");
    for (const Method& method : methods()) QTest::newRow(method.id.c_str()) << QString::fromStdString(method.id);
  }

  void everyParameterRoundTrips() {
    QFETCH(QString, id);
    const Method& method = *find_method(id.toStdString());
    const auto defaults = default_values(method.parameters);
    ParameterValues all = defaults;
    for (const auto& spec : method.parameters) {
      ParameterValues values = defaults;
      values.set(spec.name, another(spec));
      all.set(spec.name, another(spec));
      const QString arguments = text(set_arguments(method, values));
      if (!is_relevant(spec, values)) {
        QVERIFY2(arguments.isEmpty(), "a command line would refuse what is not used");
        continue;
      }
      QVERIFY2(parsed(method, arguments, "--set", defaults) == values, qPrintable(arguments));
      QVERIFY2(parsed(method, text(minus_arguments(method, defaults, values)), "--minus", defaults) == values,
               qPrintable(arguments));
    }
    for (const auto& spec : method.parameters)
      if (!is_relevant(spec, all)) all.set(spec.name, spec.default_value);
    // Values that follow from others are omitted if they are unchanged.
    if (method.free_parameters)
      for (const auto& spec : method.free_parameters(all))
        if (const auto* value = all.find(spec.name);
            value && *value == spec.default_value && spec.kind == ParameterKind::integer)
          all.set(spec.name, static_cast<Index>(spec.minimum));
    QVERIFY2(parsed(method, text(set_arguments(method, all)), "--set", defaults) == all,
             set_arguments(method, all).c_str());
  }
};

VQSCOPE_TEST(ValueSummaryTest)
#include "value_summary_test.moc"
