// SPDX-License-Identifier: GPL-3.0-or-later
// The only source of the core that knows which parts this build has.
#include "core/catalogue/parts.h"

#if VQSCOPE_LAB
#include "core/experiment/lab/lab_part.h"
#endif

namespace vqscope {

std::span<const Part> added_parts() {
  static const std::vector<Part> all {
#if VQSCOPE_LAB
    lab_part(),
#endif
  };
  return all;
}

std::string_view left_out_remark() { return VQSCOPE_LAB ? "" : "; this build leaves out the lab"; }

}  // namespace vqscope
