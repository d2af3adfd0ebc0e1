// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/method/parameter.h"

#include <string>

namespace vqscope {

/// What codewords cost attention over the user's own tensors, all heads of them: the sentence that
/// `run vq_attention` gives for the same files, then the error of the shown head, then the mask of
/// the file if it is not applied. `values` are those of an experiment that names the tensors.
Result<std::string> vq_answer(const ParameterValues& values, const Work& work = {});

/// The remark of the experiments: the answer, of the user's tensors, then setting_remark().
std::string vq_remark(const ParameterValues& values, const Work& work);

}  // namespace vqscope
