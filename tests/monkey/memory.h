// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vqscope::monkey {

/// What the process holds in memory now.
double residentMebibytes();

/// Bounds what a defect can take from the machine: files by 64 MiB, and address space where no sanitizer needs it.
void limitResources();

}  // namespace vqscope::monkey
