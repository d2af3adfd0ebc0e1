// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"

namespace vqscope {

/// "error", "warning", "note".
std::string severity_name(ConfigSeverity severity);
/// "read", "ignored", "misspelt", "unknown", "unrelated".
std::string key_use_name(KeyUse use);
/// "kept", "blended", "scaled".
std::string fate_name(PairFate fate);
/// "rope", "t5_buckets", "alibi", "learned", "sinusoidal", "relative", "convolutional", "none",
/// "unknown".
std::string kind_name(PositionScheme kind);

/// One line: the encoding of the model, and for RoPE how many pairs are kept, blended and scaled.
std::string config_summary(const ConfigReport& report);

/// "line 12: error: rope_scaling.factor is …".
std::string finding_text(const ConfigFinding& finding);

/// "attention logits × 1.29648; inv_freq of pair 20 × 0.97": how a reader differs from Hugging
/// Face.
std::string implementation_text(const RopeImplementation& implementation);

/// The whole report as text: summary, findings, the pairs as a table, readers, keys.
std::string config_report_text(const ConfigReport& report);

}  // namespace vqscope
