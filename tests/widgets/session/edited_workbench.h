// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/session/workbench.h"

#include <utility>

namespace vqscope::test {

/// On the page that the tests edit.
struct EditedBench : Workbench {
  EditedBench() { showPage("buckets"); }
};

/// The page with another value.
inline ShownPage withValue(const Workbench& workbench, const char* name, ParameterValue value,
                           const char* page = "buckets") {
  ShownPage next = workbench.page(page);
  next.values.set(name, std::move(value));
  return next;
}

inline Index lengthOf(const Workbench& workbench) { return workbench.page("buckets").values.integer("q_length"); }

}  // namespace vqscope::test
