// SPDX-License-Identifier: GPL-3.0-or-later
// Dictionaries and sets in mask texts.
#include "core/mask/language/compile/tree/tree.h"

#include "core/mask/language/parse/parse.h"
#include "tests/core/mask/language/cells.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::language;
using namespace vqscope::test;

class DictionariesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void methods_by_hand() {
    const std::string d = "d = {'a': 1, 2: 3, None: 4, (1, 2): 5}\n";
    for (const char* text : {"d['a'] == 1",
                             "d[2] == 3",
                             "d[None] == 4",
                             "d[1, 2] == 5",
                             "d[True + 1] == 3",
                             "len(d) == 4",
                             "'a' in d",
                             "'b' not in d",
                             "d.get('b', 7) == 7",
                             "d.get('a', 7) == 1",
                             "d.get('b') is None",
                             "list(d.keys())[1] == 2",
                             "list(d.values())[2] == 4",
                             "list(d.items())[0][1] == 1",
                             "{**d, 'a': 9}['a'] == 9",
                             "dict(d, z=6)['z'] == 6",
                             "d.copy()['a'] == 1",
                             "sum(v for v in d.values()) == 13",
                             "dict([(1, 2)])[1] == 2",
                             "len({1, 2, 1}) == 2"})
      COMPARE_TEXT(truth_of(d + text), "1");
  }

  void changes_by_hand() {
    const std::string d = "d = {'a': 1}\n";
    for (const char* text :
         {"d['b'] = 2\nreturn d['b'] == 2", "d['a'] += 4\nreturn d['a'] == 5", "d.update(b=3)\nreturn d['b'] == 3",
          "d.update({'a': 8})\nreturn d['a'] == 8", "x = d.setdefault('a', 5)\nreturn x == 1",
          "x = d.setdefault('c', 5)\nreturn d['c'] == 5", "x = d.pop('a')\nreturn (x == 1) & (len(d) == 0)",
          "x = d.pop('q', 6)\nreturn (x == 6) & (len(d) == 1)", "e = d\ne['a'] = 7\nreturn d['a'] == 7",
          "e = d.copy()\ne['a'] = 7\nreturn d['a'] == 1"})
      COMPARE_TEXT(truth_of(d + text), "1");
  }

  /// 1, 1.0 and True are one key, as in Python.
  void keys_that_are_equal_are_one() {
    for (const char* text : {"len({1: 0, True: 1}) == 1", "{1: 2, True: 3}[1] == 3", "{0.5: 1}[1 / 2] == 1",
                             "{2.0: 1}[2] == 1", "len({'1': 0, 1: 1}) == 2", "len({(1, 2): 0, '(1, 2)': 1}) == 2"})
      COMPARE_TEXT(truth_of(text), "1");
  }

  void masks_may_be_chosen_by_name() {
    const std::string text =
        "masks = {'causal': lambda b, h, q, kv: kv <= q, 'self': lambda b, h, q, kv: kv == q}\n"
        "mask = masks['self']\n";
    COMPARE_TEXT(cells_of(text, 2), "1001");
  }

  void errors_of_dictionaries() {
    COMPARE_TEXT(error_of("{'a': 1, 2: 3}['b'] == 1"), "this dictionary has no key 'b'; it has 'a', 2");
    COMPARE_TEXT(error_of("{}['b'] == 1"), "this dictionary has no key 'b'; it is empty");
    COMPARE_TEXT(error_of("{1: 2}[kv_idx] == 1"),
                 "the key of a dictionary must not depend on the cell; make an array of its "
                 "values with torch.tensor and index that");
    COMPARE_TEXT(error_of("dict([1]) == 2"), "a dictionary must be made of pairs (key, value)");
    COMPARE_TEXT(error_of("{1: 2} + 1 == 2"),
                 "this is a dictionary, a number or a truth value is needed here; choose one with [...]");
  }

  void names_that_begin_empty_are_found() {
    const auto kept = [](const std::string& text) { return kept_dictionaries(parse(text).syntax); };
    QCOMPARE(kept("if size in cache:\n  x = 1\ncache[size] = 2\nx"), std::set<std::string>{"cache"});
    QCOMPARE(kept("cache[size] = 2\nx"), std::set<std::string>{});
    QCOMPARE(kept("if size in sizes:\n  x = 1\nx"), std::set<std::string>{});
    const auto once = [](const std::string& text) { return made_once(parse(text).syntax); };
    QCOMPARE(once("def f(self):\n  if self.mask is None:\n    self.mask = 1\n  return self.mask\n"),
             std::set<std::string>{"self.mask"});
    QCOMPARE(once("def f(self):\n  self.mask = 1\n  return self.mask\n"), std::set<std::string>{});
  }
};

VQSCOPE_TEST(DictionariesTest)
#include "dictionaries_test.moc"
