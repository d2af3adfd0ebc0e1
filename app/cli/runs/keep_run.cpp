// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/runs/keep_run.h"

#include "app/process/console.h"
#include "core/run/run_store.h"
#include "widgets/parts/file_name.h"

namespace vqscope {

void keepRun(const QString& folder, const Method& method, const ParameterValues& values, const CurveSet& curves,
             double seconds) {
  const Run run = ended_run(method, values, curves, seconds, VQSCOPE_VERSION);
  if (const auto kept = RunStore(bytesOf(folder)).keep(run); !kept)
    warn("the run is not kept: " + kept.error().message);
}

}  // namespace vqscope
