// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace vqscope {

/// Date and time now, for the foot of a report: "2026-11-28 20:30 UTC".
std::string reportDate();

}  // namespace vqscope
