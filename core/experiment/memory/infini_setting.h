// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/memory/infini_attention.h"
#include "core/experiment/memory/memory_setting.h"

#include <string>
#include <vector>

namespace vqscope {

/// memory_parameters without normalize: the memory uses queries and keys as they are.
std::vector<ParameterSpec> infini_parameters();

/// `rule`: one of the rules. `rules`: some of them, all by default.
ParameterSpec infini_rule_parameter();
ParameterSpec infini_rules_parameter();
InfiniRule infini_rule(const std::string& id);

/// `polarity` and `beta`, from which infini_options are made, with local scores q·k / √d_k.
std::vector<ParameterSpec> infini_gate_parameters();
InfiniOptions infini_options(const ParameterValues& values, const MemorySetting& setting, InfiniRule rule);

/// Number of segments; the last may be shorter.
Index segments_of(const MemorySetting& setting);
Range segment_at(const MemorySetting& setting, Index segment);

/// Stores the pairs of a segment.
void store_segment(const MemorySetting& setting, const MemoryTokens& tokens, Index segment, InfiniRule rule,
                   const std::stop_token& stop, InfiniMemory& memory);

/// The memory's output for a stored key, compared with the stored value.
struct ReadOut {
  double error = 0;   ///< |read - v| / |v|
  double cosine = 0;  ///< cosine of the angle between them
};
ReadOut read_out(const InfiniMemory& memory, const float* key, const float* value);

Citation infini_citation();

}  // namespace vqscope
