// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sweep.h"

#include "core/base/text.h"
#include "tests/core/run/test_sweep.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <set>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const ParameterSpec& spec(std::string_view name) { return *find_spec(line_method().parameters, name); }

std::string values_of(std::string_view name, std::string_view text) {
  const auto values = parse_varied(spec(name), text);
  if (!values) return values.error().message;
  std::string shown;
  for (const auto& value : *values) shown += (shown.empty() ? "" : " ") + format_value(value);
  return shown;
}

std::string refusal(const Sweep& sweep) {
  const auto checked = check_sweep(sweep);
  return checked ? std::string() : checked.error().message;
}

std::string no_range(const std::string& text) {
  return "--vary seed is " + text +
         ", a range must be lo:hi, lo:hi:step with a step above 0, or lo:hi:*factor with a factor above 1 and lo above "
         "0";
}

}  // namespace

class SweepTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void values_data() {
    QTest::addColumn<std::string>("name");
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("values");
    const auto add = [](const char* tag, const std::string& name, const std::string& text, const std::string& values) {
      QTest::newRow(tag) << name << text << values;
    };
    add("one", "seed", "7", "7");
    add("listed", "seed", "3, 1,2k", "3 1 2048");
    add("range", "seed", "2:5", "2 3 4 5");
    add("step", "seed", "0:10:4", "0 4 8");
    add("factor", "seed", "32:512:*2", "32 64 128 256 512");
    add("factor beyond the end", "seed", "1:10:*3", "1 3 9");
    add("a factor that is no integer", "seed", "1:4:*1.2", "1 2 3 4");
    add("real step", "slope", "0:0.3:0.1", "0 0.1 0.2 0.3");
    add("decimal steps", "slope", "0.1:0.9:0.1", "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9");
    add("thirds", "slope", "0:1:0.3333333333333333", "0 0.3333333333333333 0.6666666666666666 1");
    add("real factor", "slope", "0.5:2:*2", "0.5 1 2");
    add("choices", "kind", "bent,straight", "bent straight");
    add("lists", "sizes", "1,2;3", "1,2 3");
    add("twice", "seed", "1,2,1", "--vary seed has the value 1 twice");
    add("not a number", "seed", "a", "seed is a but must be an integer from 0 to 1000");
    add("backwards", "seed", "5:2", no_range("5:2"));
    add("no step", "seed", "1:9:0", no_range("1:9:0"));
    add("half a step", "seed", "1:9:0.5", no_range("1:9:0.5"));
    add("factor of zero", "seed", "0:9:*2", no_range("0:9:*2"));
    add("factor of one", "seed", "1:9:*1", no_range("1:9:*1"));
    add("four parts", "seed", "1:9:2:3", no_range("1:9:2:3"));
    add("too many", "slope", "0:1:1e-9", "--vary slope takes more than 100000 values; use a larger step");
  }
  void values() {
    QFETCH(std::string, name);
    QFETCH(std::string, text);
    QFETCH(std::string, values);
    QCOMPARE(values_of(name, text), values);
  }

  void the_last_one_changes_first() {
    const Sweep sweep = line_sweep();
    QCOMPARE(point_count(sweep), 6.0);
    std::vector<std::string> texts;
    for (Index i = 0; i < 6; ++i) texts.push_back(point_text(sweep, sweep_point(sweep, i)));
    QCOMPARE(texts, (std::vector<std::string>{"slope=1 seed=0", "slope=1 seed=1", "slope=1 seed=2", "slope=2 seed=0",
                                              "slope=2 seed=1", "slope=2 seed=2"}));
  }

  void each_point_has_an_id_of_its_own() {
    Sweep sweep = line_sweep();
    sweep.varied[0].values.clear();
    for (int i = 0; i < 100; ++i) sweep.varied[0].values.emplace_back(static_cast<double>(i) / 7);
    std::set<std::string> ids;
    for (Index i = 0; i < 300; ++i) ids.insert(sweep_point(sweep, i).id);
    QCOMPARE(ids.size(), std::size_t{300});
    for (const auto& id : ids)
      QVERIFY(id.size() == 16 && id.find_first_not_of("0123456789abcdef") == std::string::npos);
  }

  /// Files of today are found by the program of tomorrow. 64-bit FNV-1a of the method's id, then of
  /// names and values in the order of names, a byte 0xff after each: by a few lines of Python.
  void ids_are_stable() {
    QCOMPARE(run_id(line_method(), default_values(line_method().parameters)), std::string("b76220f6e1be6e4f"));
  }

  void invalid_sweeps_are_refused_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<std::string>("message");
    const auto add = [](const char* tag, int which, const std::string& message) {
      QTest::newRow(tag) << which << message;
    };
    add("twice", 0, "--vary names seed twice");
    add("no values", 1, "--vary seed has no values");
    add("out of range", 2, "point slope=1 seed=2000: seed is 2000 but must be an integer from 0 to 1000");
    add("not looked at", 3, "point slope=1 bend=3: bend is not used while kind is straight");
    add("too many", 4, "the sweep has 1002001000 points but must have at most 100000: vary fewer values");
  }
  void invalid_sweeps_are_refused() {
    QFETCH(int, which);
    QFETCH(std::string, message);
    Sweep sweep = line_sweep();
    const auto many = parse_varied(spec("seed"), "0:1000").value();
    switch (which) {
      case 0: sweep.varied.push_back({"seed", {Index{5}}}); break;
      case 1: sweep.varied[1].values.clear(); break;
      case 2: sweep.varied[1].values = {Index{2000}}; break;
      case 3: sweep.varied[1] = {"bend", {Index{3}}}; break;
      default:
        sweep.varied = {{"seed", many}, {"slope", parse_varied(spec("slope"), "0:1000").value()}, {"sizes", {}}};
        for (Index i = 0; i < 1000; ++i) sweep.varied[2].values.emplace_back(std::vector<Index>{i});
    }
    QCOMPARE(refusal(sweep), message);
  }

  void a_matrix_is_no_curve() {
    const Method field{.id = "map", .recipe = FieldRecipe{}};
    QCOMPARE(refusal({.method = &field, .fixed = {}, .varied = {}}),
             std::string("map has no curves; a sweep needs a method that vqscope list shows as curves"));
  }
};

VQSCOPE_TEST(SweepTest)
#include "sweep_test.moc"
