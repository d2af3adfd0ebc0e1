// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <initializer_list>
#include <string_view>

namespace vqscope {

/// The knobs of VqSetting but for some of them and for the bias. Without `k_tensor` tokens are drawn always.
std::vector<ParameterSpec> vq_parameters(std::initializer_list<std::string_view> without = {});

/// The one of that name, which must be there: methods change its default or its role.
ParameterSpec& spec_of(std::vector<ParameterSpec>& specs, std::string_view name);

/// `n_code_max` and `length_max`: of curves over codebooks or lengths, in the place of n_code or q_length.
ParameterSpec n_code_max_parameter();
ParameterSpec length_max_parameter();

/// vq_parameters with those of the bias.
std::vector<ParameterSpec> biased_vq_parameters(std::initializer_list<std::string_view> without = {});

/// A citation of the paper's place, with the code that it comes with.
Citation vq_citation(const std::string& place);

/// How every formula of the experiments on drawn tokens ends.
inline const std::string vq_measured = "measured on the tokens that data names, not performance of a model";

}  // namespace vqscope
