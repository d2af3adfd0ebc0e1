// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/test_case.h"

#include <QCoreApplication>

#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

namespace vqscope::test {

struct TestClass {
  const char* name;
  const QMetaObject* functions;
  std::function<std::unique_ptr<TestCase>()> make;
};

/// The classes of this binary, in the order in which their files were linked.
std::vector<TestClass>& test_classes();

using ApplicationMaker = std::function<std::unique_ptr<QCoreApplication>(int& argc, char** argv)>;

/// Runs test classes and returns the exit status. Without arguments, runs all classes; `--list`
/// prints their names; a name runs that class alone. Arguments after it, or with a dash, go to Qt
/// Test. The application is made only if there is something to run.
int runTests(int argc, char** argv, const ApplicationMaker& application);

struct Registration {
  explicit Registration(TestClass added) { test_classes().push_back(std::move(added)); }
};

}  // namespace vqscope::test

/// Puts a test class on the list of the binary that it is linked into.
#define VQSCOPE_TEST(Class)                                           \
  static_assert(std::is_base_of_v<vqscope::test::TestCase, Class>,    \
                "a test class derives from vqscope::test::TestCase"); \
  static const vqscope::test::Registration registration_of_##Class(   \
      {#Class, &Class::staticMetaObject, [] { return std::make_unique<Class>(); }});
