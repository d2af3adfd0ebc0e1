// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/run/needed_codes.h"
#include "core/experiment/setting/vq_setting.h"

#include <string>

namespace vqscope {

/// What codewords cost attention over the user's own tensors: errors of the outputs and weights of
/// causal attention with them, over all queries or, of a long sequence, over some at equal
/// distances, and how many codewords an output error of 10 % needs, unless a codebook is given.
/// `setting` has passed vq_setting.
Result<VqAnswer> vq_answer(const VqSetting& setting, const Work& work = {});

/// The remark of the experiments: the sentence of the answer, of the user's tensors, then
/// setting_remark().
std::string vq_remark(const ParameterValues& values, const Work& work);

}  // namespace vqscope
