// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/model/config/transformer_config.h"

#include <span>
#include <string>
#include <vector>

namespace vqscope {

/// The biases of bias_methods() that a model can add: id and title. T5's is none of them: a model
/// learns its table.
std::vector<Choice> relative_bias_choices();

/// The method of bias_methods() that a model adds to its scores (TransformerConfig::relative_bias);
/// null: none.
const Method* bias_method(const TransformerConfig& config);

/// The parameters of that bias which the model learns, in each layer a number a head; empty: none.
std::span<const LearntParameter> learnt_parameters(const TransformerConfig& config);

/// Name of the tensor [heads] in a layer's attention: "kerple_r1", after the group of the parameter.
std::string learnt_tensor_name(const Method& method, const LearntParameter& parameter);

/// The bias of one head for distances 0 to out.size() - 1 between query and key, as the method
/// defines it. `learnt`: the values of its learnt parameters; other parameters are those of the
/// config with the same name, or their defaults.
void relative_bias(const TransformerConfig& config, Index head, std::span<const double> learnt, std::span<double> out);

/// Its derivative by learnt parameter `number`, by central differences.
void relative_bias_slope(const TransformerConfig& config, Index head, std::span<const double> learnt,
                         std::size_t number, std::span<double> out);

}  // namespace vqscope
