// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/relative/relative_field.h"

#include <limits>
#include <vector>

namespace vqscope {

/// Where the first piece of a RelativeFunction begins.
inline constexpr Index before_all = std::numeric_limits<Index>::min();

/// A method whose cells are a function of relative position alone.
struct RelativeMethod {
  std::string id, title, category, help;
  Citation citation;
  std::optional<EncodingTraits> traits = {};
  std::optional<BiasTraits> bias = {};                              ///< of what is added to scores
  std::vector<ParameterSpec> parameters;                            ///< its own, after the sequence's lengths
  std::function<ParameterValues(const ParameterValues&)> in_force;  ///< besides kv_length; empty: nothing
  std::function<Result<void>(const ParameterValues&)> check;
  std::string value_name;  ///< also the title of the values
  ValueScale scale = ValueScale::diverging;
  bool difference = false;   ///< as FieldRecipe
  bool logarithmic = false;  ///< as FieldRecipe
  std::vector<std::string> related;
  std::function<std::string(const ParameterValues&)> untrained = {};  ///< as FieldRecipe
  std::function<Result<RelativeFunction>(const ParameterValues&)> function;
  /// The derivation of the value at a relative position; empty: none.
  std::function<std::string(const ParameterValues&, Index relative)> why;
};

/// [q_length, kv_length] float32; query i stands at past_len + i.
Method relative_method(const RelativeMethod& method);

/// `num_heads` and `head`, which every bias by head has.
std::vector<ParameterSpec> head_parameters(const std::string& group);
Result<void> check_head(const ParameterValues& values);

/// "k is 5 behind q", "k is q", "k is 1 ahead of q".
std::string place_text(Index relative);

}  // namespace vqscope
