// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/names/known_names.h"

#include "core/base/text.h"
#include "core/mask/language/code/code.h"
#include "core/mask/language/names/function_row.h"
#include "core/mask/language/parse/operators.h"
#include "tests/core/mask/language/cells.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <map>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

class KnownNamesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void every_known_variable_means_something() {
    for (const std::string_view name : known_variables()) {
      const std::string text(name);
      const bool is_array = text == "document_id" || text == "position_ids" || text == "offsets";
      const auto parsed = MaskProgram::parse(is_array ? text + "[kv_idx] > 0" : text + " > 0");
      QVERIFY2(parsed, text.c_str());
      QVERIFY2(is_array || variable_of(text), text.c_str());
      QVERIFY2(parsed.program->integers().empty(), text.c_str());
    }
  }

  void every_operator_has_its_function_among_those_of_torch() {
    for (const Operator& row : operators())
      if (!row.functions.empty()) {
        const auto& all = torch_functions();
        QCOMPARE(std::ranges::count(all, std::string(row.function())), 1);
        QVERIFY(is_function(row.function()));
      }
  }

  void a_name_belongs_to_one_row() {
    std::map<std::pair<Called, std::string>, const FunctionRow*> all;
    for (const FunctionSection& section : function_sections())
      for (const FunctionRow& row : section.rows) {
        QVERIFY(!row.name().empty());
        for (const auto& [as, names] : {std::pair(Called::alone, row.names), std::pair(section.methods, row.methods)})
          for (const std::string_view name : split(names, ' '))
            if (!name.empty())
              QVERIFY2(all.try_emplace({as, std::string(name)}, &row).second, std::string(name).c_str());
      }
    for (const auto& [key, row] : all) {
      QCOMPARE(function_row(key.second, key.first), row);
      if (key.first == Called::alone || key.first == Called::on_value) QCOMPARE(function_row(key.second), row);
    }
    QVERIFY(!function_row("") && !function_row("lower") && !function_row("view", Called::alone));
    QCOMPARE(function_row("clip", Called::alone)->name(), std::string_view("clamp"));
    QCOMPARE(function_row("new_zeros", Called::on_value), function_row("zeros", Called::alone));
  }

  void examples_are_taken() {
    for (const FunctionSection& section : function_sections())
      for (const FunctionRow& row : section.rows) {
        const std::string example(row.example), name(row.name());
        if (example.empty()) continue;
        QVERIFY2(example.find(name + "(") != std::string::npos, example.c_str());
        const auto parsed = MaskProgram::parse(
            "x = torch.tensor([2, 0, 1])\nm = torch.tensor([[1, 0], [1, 1]])\nd = {\"a\": 1}\ns = \"ab\"\n"
            "found = [" +
            example + "]\nq_idx >= kv_idx and len(found) == 1");
        QVERIFY2(parsed, (example + ": " + parsed.error.message).c_str());
      }
  }

  void no_name_is_listed_twice() {
    for (const auto* all : {&plain_functions(), &torch_functions()}) {
      auto sorted = *all;
      std::ranges::sort(sorted);
      QVERIFY(std::ranges::adjacent_find(sorted) == sorted.end());
      for (const std::string& name : sorted) QVERIFY2(!name.empty() && is_function(name), name.c_str());
    }
    QVERIFY(std::ranges::is_sorted(known_functions()));
  }

  /// A known function is never reported as unknown, whatever else is wrong with the call.
  void every_known_function_is_known_to_the_compiler() {
    for (const std::string& name : torch_functions()) {
      const auto parsed = MaskProgram::parse("torch." + name + "(q_idx) > 0");
      if (!parsed) QVERIFY2(parsed.error.message.find("there are") == std::string::npos, parsed.error.message.c_str());
    }
    for (const std::string& name : plain_functions()) {
      const auto parsed = MaskProgram::parse(name + "(q_idx) > 0");
      if (!parsed)
        QVERIFY2(parsed.error.message.find("not defined") == std::string::npos, parsed.error.message.c_str());
    }
  }

  void names_that_are_near_are_offered() {
    QCOMPARE(near_variable("kv_idxx"), std::optional<std::string>("kv_idx"));
    QVERIFY(!near_variable("q") && !near_variable("window"));
    const auto parsed = MaskProgram::parse("kv_indx <= q_idx");
    QVERIFY(parsed);
    QCOMPARE(parsed.program->warnings().size(), std::size_t{1});
    COMPARE_TEXT(parsed.program->warnings()[0].message, "kv_indx is taken as a parameter; did you mean kv_idx?");
  }

  void guesses_by_hand() {
    QCOMPARE(likely_value("WINDOW_SIZE", 4096), std::optional<Index>(128));
    QCOMPARE(likely_value("num_sinks", 4096), std::optional<Index>(4));
    QCOMPARE(likely_value("seq_len", 4096), std::optional<Index>(4096));
    QCOMPARE(likely_value("BLOCK", 10), std::optional<Index>(64));
    QVERIFY(!likely_value("x", 4096));
  }

  void methods_that_change_their_object() {
    for (const char* name : {"append", "fill_", "update"}) QVERIFY(changes_object(name));
    for (const char* name : {"fill", "sum", "copy", ""}) QVERIFY(!changes_object(name));
    QVERIFY(is_module("torch") && is_module("math") && !is_module("tf"));
    QVERIFY(is_module("mx") && is_numpy_module("mx") && is_module("nn") && is_torch_module("nn"));
    QVERIFY(makes_block_mask("create_block_mask") && makes_block_mask("cached_create_block_mask_2"));
    QVERIFY(!makes_block_mask("block_mask"));
  }
};

VQSCOPE_TEST(KnownNamesTest)
#include "known_names_test.moc"
