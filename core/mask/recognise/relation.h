// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/recognise/recognise.h"

#include <memory>
#include <stop_token>
#include <string>

namespace vqscope {

/// What the second mask is in terms of the first: "B is A with a window of 129 in place of a window
/// of 128". If they have no term in common, what each is: "A is causal, B is prefix 4". Empty: one of
/// them has no exact description, or both have the same.
std::string relation_sentence(const Recognition& first, const Recognition& second, const std::string& first_name,
                              const std::string& second_name);

/// The same for two masks, as far as they are recognised within a part of the usual steps.
std::string relation_of(const Mask& first, const Mask& second, const std::string& first_name,
                        const std::string& second_name, const std::stop_token& stop = {});

}  // namespace vqscope
