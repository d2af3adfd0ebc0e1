// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/parity/difference_map.h"
#include "core/report/document/document.h"

namespace vqscope {

/// The tensor of each layer that differs most beside what noise explains.
ReportPicture layersPicture(const CaptureComparison& comparison);

/// B - A in the sample and head of the first difference.
ReportPicture mapPicture(const DifferenceMap& map, const FirstDifference& first);

/// The row of the first difference in A and in B.
ReportPicture rowPicture(const DifferenceMap& map, const FirstDifference& first);

/// The numbers of that row about the first difference.
ReportTable rowTable(const DifferenceMap& map, const FirstDifference& first);

}  // namespace vqscope
