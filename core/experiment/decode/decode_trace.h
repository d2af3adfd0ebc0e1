// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/experiment/decode/decode_fault.h"
#include "core/method/parameter.h"

namespace vqscope {

/// A batch at one step of decoding.
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
/// The batch of values that passed check_decode.
DecodeBatch decode_batch(const ParameterValues& values);
/// Faults by lane, and how `vqscope check` finds them; empty: no fault.
std::string decode_remark(const ParameterValues& values, const Work& work);

}  // namespace vqscope
