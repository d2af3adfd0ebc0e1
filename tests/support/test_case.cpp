// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_case.h"
#include "tests/support/warnings.h"

namespace vqscope::test {

void TestCase::init() {
  failOnWarnings();
  beforeEach();
}

// Qt Test forgets the request when a function ends, before the cleanup.
void TestCase::cleanup() {
  failOnWarnings();
  afterEach();
}

}  // namespace vqscope::test
