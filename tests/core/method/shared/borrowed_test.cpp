// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/shared/borrowed.h"

#include "core/method/shared/common_parameters.h"
#include "core/relative/relative_field.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <limits>

using namespace vqscope;

namespace {

ParameterSpec integer_of(std::string name, ParameterRole role = ParameterRole::method) {
  return {.name = std::move(name), .role = role, .default_value = Index{1}, .minimum = 0, .maximum = 9};
}

/// slope · d, one token long; q_length is of the tokens.
Method sloped() {
  Method method{.id = "sloped", .parameters = {integer_of("slope"), integer_of("q_length", ParameterRole::shape)}};
  FieldRecipe recipe;
  recipe.make = [](const ParameterValues& values, const Work&) -> Result<std::shared_ptr<const Field>> {
    const auto slope = static_cast<double>(values.integer("slope"));
    RelativeFunction f{{smooth_from(std::numeric_limits<Index>::min(), [slope](double d) { return slope * d; })}};
    const Index length = values.integer("q_length");
    return std::shared_ptr<const Field>(
        std::make_shared<RelativeField>(Extent{length, length}, 0, std::move(f), RelativeTexts{"bias", {}}));
  };
  method.recipe = recipe;
  return method;
}

std::vector<std::string> names_of(const std::vector<ParameterSpec>& specs) {
  std::vector<std::string> names;
  for (const auto& spec : specs) names.push_back(spec.name);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

class BorrowedTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void borrowed_parameters_exclude_token_counts() {
    std::vector<ParameterSpec> specs{integer_of("own")};
    borrow_parameters(specs, sloped().parameters, "biases", "sloped");
    QCOMPARE(names_of(specs), (Names{"own", "slope"}));
    QVERIFY(specs[1].relevant == (std::vector<Relevance>{{"biases", {"sloped"}}}));
    QVERIFY(specs[0].relevant.empty());
  }

  void shared_parameter_occurs_once_and_is_relevant_for_both() {
    std::vector<ParameterSpec> specs;
    borrow_parameters(specs, sloped().parameters, "biases", "first");
    borrow_parameters(specs, sloped().parameters, "biases", "second");
    QCOMPARE(names_of(specs), Names{"slope"});
    QVERIFY(specs[0].relevant == (std::vector<Relevance>{{"biases", {"first", "second"}}}));
    ParameterValues values;
    values.set("biases", Names{"second"});
    QVERIFY(is_relevant(specs[0], values) && is_chosen(values, "biases", "second"));
    values.set("biases", Names{"third"});
    QVERIFY(!is_relevant(specs[0], values) && !is_chosen(values, "biases", "second"));
  }

  /// A parameter that is relevant by one of its method's own keeps that condition.
  void conditions_of_its_own_are_kept() {
    ParameterSpec spec = integer_of("factor");
    spec.relevant = {{"rope_type", {"linear"}}};
    std::vector<ParameterSpec> specs;
    borrow_parameters(specs, std::vector{spec}, "scores", "rope");
    QVERIFY(specs[0].relevant == spec.relevant);
  }

  void borrowed_values_are_the_methods_with_default_tokens() {
    ParameterValues values;
    values.set("slope", Index{5});
    values.set("q_length", Index{9});
    values.set("other", Index{3});
    const auto own = borrowed_values(sloped(), values);
    QCOMPARE(own.map().size(), std::size_t{2});
    QCOMPARE(own.integer("slope"), Index{5});
    QCOMPARE(own.integer("q_length"), Index{1});
  }

  void error_names_the_method() {
    ParameterValues values;
    values.set("slope", Index{5});
    QVERIFY(check_borrowed(sloped(), values));
    values.set("slope", Index{10});
    COMPARE_ERROR(check_borrowed(sloped(), values), "sloped: slope is 10 but must be an integer from 0 to 9");
  }

  void the_function_of_a_method() {
    ParameterValues values;
    values.set("slope", Index{3});
    const auto f = borrowed_function(sloped(), values);
    QVERIFY(f.has_value());
    QCOMPARE(f->at(-7), -21.0);
    values.set("slope", Index{10});
    COMPARE_ERROR(borrowed_function(sloped(), values), "slope is 10 but must be an integer from 0 to 9");
  }

  void one_at_least_must_be_chosen() {
    ParameterValues values;
    values.set("biases", Names{});
    COMPARE_ERROR(check_chosen(values, "biases"), "biases is empty but must name one at least");
    values.set("biases", Names{"alibi"});
    QVERIFY(check_chosen(values, "biases"));
  }
};

VQSCOPE_TEST(BorrowedTest)
#include "borrowed_test.moc"
