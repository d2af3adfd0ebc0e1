// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/parity/parity.h"
#include "core/report/document/document.h"

namespace vqscope {

/// A page on how two captures differ, for who mends it.
ReportDocument parityDocument(const Parity& parity, const Capture& a, const Capture& b);

}  // namespace vqscope
