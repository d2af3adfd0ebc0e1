// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "tests/support/environment.h"
#include "tests/support/test_main.h"
#include "tests/support/warnings.h"

#include <QTest>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

namespace vqscope::test {
namespace {

bool hasFunction(const TestClass& tested, std::string_view name) {
  return tested.functions->indexOfMethod((std::string(name) + "()").c_str()) >= 0;
}

/// The error for an unknown class.
std::string unknownClass(std::string_view given) {
  std::vector<std::string> names;
  for (const auto& tested : test_classes()) {
    if (hasFunction(tested, given))
      return "\"" + std::string(given) + "\" is a function of a test class: " + tested.name + " " + std::string(given);
    names.emplace_back(tested.name);
  }
  return "no test class of this program is called \"" + shortened(given) + "\"" + did_you_mean(given, names) +
         " (--list prints all)";
}

int printNames() {
  for (const auto& tested : test_classes()) std::printf("%s\n", tested.name);
  return 0;
}

bool passes(const TestClass& tested, int argc, char** argv) {
  const QTemporaryDir home;
  keepStateIn(home);
  const auto test = tested.make();
  failOnWarnings();  // in initTestCase too
  return QTest::qExec(test.get(), argc, argv) == 0;
}

}  // namespace

std::vector<TestClass>& test_classes() {
  static std::vector<TestClass> all;
  return all;
}

int runTests(int argc, char** argv, const ApplicationMaker& application) {
  auto& classes = test_classes();
  std::ranges::sort(classes, {}, [](const TestClass& tested) { return std::string_view(tested.name); });
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "--list") return printNames();

  std::span<const TestClass> chosen = classes;
  if (!first.empty() && !first.starts_with('-')) {
    const auto found = std::ranges::find(classes, first, &TestClass::name);
    if (found == classes.end()) {
      std::fprintf(stderr, "%s\n", unknownClass(first).c_str());
      return 2;
    }
    chosen = chosen.subspan(static_cast<std::size_t>(found - classes.begin()), 1);
    // Qt Test takes the rest of the arguments, behind the program's name.
    argv[1] = argv[0];
    --argc;
    ++argv;
  }

  const auto running = application(argc, argv);
  countWarnings();
  int failed = 0;
  for (const auto& tested : chosen) failed += !passes(tested, argc, argv);
  return failed == 0 && countedWarnings() == 0 ? 0 : 1;
}

}  // namespace vqscope::test
