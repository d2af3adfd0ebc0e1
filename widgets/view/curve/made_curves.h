// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/method/curve_set.h"
#include "core/method/method.h"
#include "widgets/parts/live_curves.h"

#include <QString>

#include <functional>
#include <stop_token>

namespace vqscope {

/// Receives curves, or a part of them: every few seconds, and after a stop.
using KeepCurves =
    std::function<void(const Method&, const ParameterValues&, const CurveSet&, double seconds, bool complete)>;
/// Makes curves on a worker.
using MakeCurves = std::function<Result<CurveSet>(const Method&, const ParameterValues&, const Work&)>;

/// On a worker. What is known while it runs is in `live`; `keep` gets it regularly, so that a crash
/// loses only the last seconds. Without `make` or `keep`: make_curves(), and nothing is kept.
Result<CurveSet> madeCurves(const Method& method, const ParameterValues& values, LiveCurves& live,
                            const MakeCurves& make, const KeepCurves& keep, const std::stop_token& stop);

/// Origin, formula and source of the numbers, as rich text.
QString explanationOf(const Method& method, const CurveSet& curves);

/// The values of all curves at a sample.
CellReport reportAt(const CurveSet& curves, std::size_t sample);

}  // namespace vqscope
