// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"

namespace vqscope::test {

std::vector<TestFactory>& test_classes() {
  static std::vector<TestFactory> all;
  return all;
}

}  // namespace vqscope::test
