// SPDX-License-Identifier: GPL-3.0-or-later
// The keys that only one rope_type reads. Mistakes become findings and leave the values unchanged.
#pragma once

#include "core/config/report/config_ledger.h"

namespace vqscope {

void read_yarn(const ConfigObject& rope, RopeScaling& scaling);
void read_llama3(const ConfigObject& rope, RopeScaling& scaling);
void read_longrope(const ConfigObject& rope, RopeScaling& scaling);

/// mrope_section: the pairs are divided among time, height and width; the frequencies are those of
/// default.
void check_sections(const ConfigObject& rope, Index pairs);

}  // namespace vqscope
