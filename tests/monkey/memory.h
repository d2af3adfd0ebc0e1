// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vqscope::monkey {

/// Current memory of the process.
double residentMebibytes();

/// Bounds what a defect can take from the machine: files by 64 MiB, and address space where no
/// sanitizer needs it.
void limitResources();

}  // namespace vqscope::monkey
