// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/run_store.h"

namespace vqscope::test {

inline RunStore kept_runs() { return RunStore(default_run_folder()); }

}  // namespace vqscope::test
