// SPDX-License-Identifier: GPL-3.0-or-later
// The keys that only one rope_type reads. Mistakes become findings and leave the values unchanged.
#pragma once

#include "core/config/report/config_ledger.h"

namespace vqscope {

/// Whether an object with a scaling has this rope_type, as the file spells it.
bool names_type(const ConfigValue& rope, std::string_view name);

void read_yarn(const ConfigObject& rope, RopeScaling& scaling);
void read_llama3(const ConfigObject& rope, RopeScaling& scaling);
void read_longrope(const ConfigObject& rope, RopeScaling& scaling);

/// mrope_section and xdrope_section: the sections must add up to all pairs; the frequencies are those of default.
void check_sections(const ConfigObject& rope, Index pairs);

}  // namespace vqscope
