// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/parameter_model.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

ParameterSpec integer_spec(const std::string& name, Index default_value) {
  return {.name = name, .help = name, .default_value = default_value, .maximum = 100};
}

ParameterValues valuesOf(std::initializer_list<std::pair<const char*, ParameterValue>> given) {
  ParameterValues values;
  for (const auto& [name, value] : given) values.set(name, value);
  return values;
}

/// A model of a = 1 and b = 2, and its signals.
struct Watched {
  ParameterModel model;
  std::vector<std::string> reports;

  Watched() {
    model.setSpecs({integer_spec("a", 1), integer_spec("b", 2)}, {});
    QObject::connect(&model, &ParameterModel::valueSet, &model,
                     [this](const std::string& name) { reports.push_back(name + " " + shown(name)); });
    QObject::connect(&model, &ParameterModel::settled, &model, [this] { reports.emplace_back("settled"); });
    QObject::connect(&model, &ParameterModel::entered, &model,
                     [this](const std::string& name, const ParameterValue& value, bool finished) {
                       reports.push_back("entered " + name + " " + format_value(value) + (finished ? "" : " …"));
                     });
    QObject::connect(&model, &ParameterModel::enteredTogether, &model, [this](const ParameterValues& values) {
      reports.push_back("entered " + std::to_string(values.map().size()));
    });
  }
  std::string shown(const std::string& name) const { return format_value(*model.values().find(name)); }
  std::vector<std::string> takeReports() { return std::exchange(reports, {}); }
};

using Reports = std::vector<std::string>;

}  // namespace

class ParameterModelTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void namesBeginWithTheirDefaults() {
    const Watched s;
    QCOMPARE(s.shown("a"), std::string("1"));
    QCOMPARE(s.shown("b"), std::string("2"));
  }

  /// Unknown names are ignored; names that are not given keep their values, without a signal.
  void valuesAreGiven() {
    Watched s;
    s.model.setValues(valuesOf({{"b", Index{7}}, {"z", Index{8}}}));
    QCOMPARE(s.takeReports(), (Reports{"b 7", "settled"}));
    QCOMPARE(s.shown("a"), std::string("1"));
    QVERIFY(!s.model.values().find("z"));
  }

  /// Receivers of an entered value find it set, and all rows show it.
  void entryIsSetBeforeItsSignal() {
    Watched s;
    s.model.enter("a", Index{5}, false);
    s.model.enter("a", Index{5}, true);
    QCOMPARE(s.takeReports(), (Reports{"a 5", "settled", "entered a 5 …", "a 5", "settled", "entered a 5"}));
    s.model.enterTogether(valuesOf({{"a", Index{3}}, {"b", Index{4}}}));
    QCOMPARE(s.takeReports(), (Reports{"a 3", "b 4", "settled", "entered 2"}));
  }

  void otherSpecsKeepUnchangedParameters() {
    Watched s;
    s.model.setValues(valuesOf({{"a", Index{5}}, {"b", Index{6}}}));
    s.takeReports();
    const auto given = valuesOf({{"a", Index{50}}, {"b", Index{60}}, {"c", Index{70}}});
    s.model.setSpecs({integer_spec("c", 3), integer_spec("b", 9), integer_spec("a", 1)}, given);
    QCOMPARE(s.shown("a"), std::string("5"));   // the same parameter
    QCOMPARE(s.shown("b"), std::string("60"));  // another default: another parameter
    QCOMPARE(s.shown("c"), std::string("70"));
    s.model.setSpecs({integer_spec("c", 3)}, {});
    QVERIFY(!s.model.values().find("a"));
    QVERIFY(s.reports.empty());
  }

  /// A free name of a text that was a number may become a list: its value is no value of it.
  void valueOfAnotherKindIsIgnored() {
    Watched s;
    const ParameterSpec list{
        .name = "a", .help = "a", .kind = ParameterKind::integer_list, .default_value = std::vector<Index>{1, 2}};
    s.model.setSpecs({list}, valuesOf({{"a", Index{5}}}));
    QCOMPARE(*s.model.values().find("a"), ParameterValue(std::vector<Index>{1, 2}));
  }

  void draftEndsWhenTheValuesChange() {
    Watched s;
    const auto session = valuesOf({{"a", Index{1}}, {"b", Index{2}}});
    s.model.enter("a", Index{99}, true);
    QVERIFY(!s.model.hasDraft());
    s.model.keepDraft(session);
    QVERIFY(s.model.hasDraft() && s.model.isDraftOf(session));
    QVERIFY(!s.model.isDraftOf(valuesOf({{"a", Index{1}}, {"b", Index{3}}})));
    QCOMPARE(s.shown("a"), std::string("99"));
    s.model.setValues(session);
    QVERIFY(!s.model.hasDraft());
    QCOMPARE(s.shown("a"), std::string("1"));
  }
};

VQSCOPE_TEST(ParameterModelTest)
#include "parameter_model_test.moc"
