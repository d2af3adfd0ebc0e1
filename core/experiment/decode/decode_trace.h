// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/decode/decode_fault.h"
#include "core/method/method.h"

namespace vqscope {

/// A batch that is decoded step by step.
struct DecodeBatch {
  std::vector<DecodeLane> lanes;
  Index step = 0;  ///< new tokens so far
  DecodeFault fault = DecodeFault::none;
};

/// `lengths`, `steps`, `step`, `policy` and its sizes, `fault`.
std::vector<ParameterSpec> decode_parameters();
/// `step`, from 0 to the number of steps.
std::vector<ParameterSpec> step_parameter(const ParameterValues& values);
Result<void> check_decode(const ParameterValues& values);
/// Of values that check_decode allows.
DecodeBatch decode_batch(const ParameterValues& values);
/// What is wrong in which lane, and how `vqscope check` finds it; empty: nothing.
std::string decode_remark(const ParameterValues& values, const Work& work);

/// `decode_trace`: what each token or slot of each lane is when the newest token reads.
Method decode_trace_method();

}  // namespace vqscope
