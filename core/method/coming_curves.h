// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "core/method/method.h"

#include <functional>
#include <memory>

namespace vqscope {

/// Waits for curves that are being computed elsewhere; null: they were stopped or have failed, or
/// the work that waits was stopped.
using ComingCurves = std::function<std::shared_ptr<const CurveSet>(const Work&)>;

/// Curves of the method on the values: those that are coming, or made here.
inline Result<CurveSet> coming_curves(const ComingCurves& coming, const Method& method, const ParameterValues& values,
                                      const Work& work) {
  if (coming)
    if (const auto curves = coming(work)) return *curves;
  if (work.stop.stop_requested()) return cancelled();
  return make_curves(method, values, work);
}

}  // namespace vqscope
