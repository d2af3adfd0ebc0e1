// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <QString>

#include <optional>
#include <span>
#include <string>

namespace vqscope {

/// What titles call a mask's text: the name of its function, or of the functions that it combines.
/// A combination with a general name, such as `mask_mod`, is "causal ∧ window"; a text without a name "text mask".
QString maskTextName(const QString& text);

/// A mask that is a text, among the values of a method.
struct TextMask {
  std::string parameter;  ///< of the text
  std::string choice;     ///< the parameter whose value says that the mask is a text
  QString name;
};

/// Nothing if the mask is no text.
std::optional<TextMask> textMaskIn(std::span<const ParameterSpec> specs, const ParameterValues& values);

}  // namespace vqscope
