// SPDX-License-Identifier: GPL-3.0-or-later
// The keys that only one rope_type reads. Mistakes become findings and leave the values unchanged.
#pragma once

#include "core/config/report/config_ledger.h"

namespace vqscope {

/// Whether an object with a scaling has this rope_type, as the file spells it.
bool names_type(const ConfigValue& rope, std::string_view name);

/// Whether readers have code of their own for yarn, because no factor multiplies the model's cos and sin, or another
/// one. `rope`: the object with the scaling, or null.
bool has_own_yarn(std::string_view model_type, const ConfigValue* rope);

void read_yarn(const ConfigObject& rope, RopeScaling& scaling);
void read_llama3(const ConfigObject& rope, RopeScaling& scaling);
void read_longrope(const ConfigObject& rope, RopeScaling& scaling);

/// mrope_section and xdrope_section: the sections must add up to all pairs; the frequencies are those of default.
void check_sections(const ConfigObject& rope, Index pairs);

}  // namespace vqscope
