// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/values_json.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class ValuesJsonTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  void each_kind_of_value() {
    ParameterValues values;
    values.set("integer", Index{512});
    values.set("real", 0.5);
    values.set("boolean", true);
    values.set("text", std::string("ab"));
    values.set("choices", std::vector<std::string>{"a"});
    values.set("lengths", std::vector<Index>{3, 5});
    values.set("factors", std::vector<double>{});
    COMPARE_TEXT(indented_json(json_of(values)),
                 "{\n    \"boolean\": true,\n    \"choices\": [\n        \"a\"\n    ],\n    \"factors\": [\n    ],\n"
                 "    \"integer\": 512,\n    \"lengths\": [\n        3,\n        5\n    ],\n    \"real\": 0.5,\n"
                 "    \"text\": \"ab\"\n}\n");
  }
};

VQSCOPE_TEST(ValuesJsonTest)
#include "values_json_test.moc"
