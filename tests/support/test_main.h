// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <vector>

namespace vqscope::test {

using TestFactory = std::function<QObject*()>;

/// The classes of this binary, in the order in which their files were linked.
std::vector<TestFactory>& test_classes();

/// Runs them all; the exit code of main.
int runTests(int argc, char** argv);

struct Registration {
  explicit Registration(TestFactory factory) { test_classes().push_back(std::move(factory)); }
};

}  // namespace vqscope::test

/// Puts a Qt Test class on the list of the binary that it is linked into.
#define VQSCOPE_TEST(Class) \
  static const vqscope::test::Registration registration_of_##Class([]() -> QObject* { return new Class; });
