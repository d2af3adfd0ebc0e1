// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <initializer_list>
#include <string_view>

namespace vqscope {

/// Parameters of VqSetting except `without` and the bias. Without `k_tensor`, tokens are always
/// synthetic.
std::vector<ParameterSpec> vq_parameters(std::initializer_list<std::string_view> without = {});

/// The spec of that name, which must exist; methods change its default or its role.
ParameterSpec& spec_of(std::vector<ParameterSpec>& specs, std::string_view name);

/// `n_code_max` and `length_max` replace n_code or q_length in curves over codebook sizes or
/// lengths.
ParameterSpec n_code_max_parameter();
ParameterSpec length_max_parameter();

/// vq_parameters with those of the bias.
std::vector<ParameterSpec> biased_vq_parameters(std::initializer_list<std::string_view> without = {});

/// A citation of a place in the paper, with the paper's code.
Citation vq_citation(const std::string& place);

/// The end of every formula of the experiments with VQ attention.
inline const std::string vq_measured = "measured on the tokens selected by data, not performance of a model";

}  // namespace vqscope
