// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_case.h"
#include "tests/support/warnings.h"

namespace vqscope::test {

void TestCase::init() {
  failOnWarnings();
  beforeEach();
}

// Qt Test drops the request at the end of a function, before cleanup.
void TestCase::cleanup() {
  failOnWarnings();
  afterEach();
}

}  // namespace vqscope::test
