// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <QString>

#include <optional>

namespace vqscope {

/// Longer lists are shown as their number of items.
inline constexpr Index longest_shown_list = 4096;

/// Parses a number, a list of numbers or a tensor's name: `2097152`, `2 097 152`, `2,097,152`,
/// `2^21`, `64k` (65,536: k, M and G are powers of 1024), `1e6`. If the parameter has an
/// `automatic` value, an empty text means the minimum. The range is not checked.
Result<ParameterValue> readValue(const ParameterSpec& spec, const QString& text);

/// Text for editing; empty for the automatic value.
QString plainText(const ParameterSpec& spec, const ParameterValue& value);

/// Text for reading, with separated thousands.
QString shownText(const ParameterSpec& spec, const ParameterValue& value);

/// Whether the value is the automatic one.
bool isAutomatic(const ParameterSpec& spec, const ParameterValue& value);

/// Number of items of a list of numbers; nothing for other values.
std::optional<Index> listSize(const ParameterValue& value);

/// The number of an integer or a real.
double asNumber(const ParameterValue& value);
ParameterValue asValue(const ParameterSpec& spec, double number);

}  // namespace vqscope
