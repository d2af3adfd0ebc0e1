// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <QString>

#include <optional>

namespace vqscope {

/// Lists of more items are told by their number.
inline constexpr Index longest_shown_list = 4096;

/// What people type for a number, a list of numbers or a tensor's name: `2097152`, `2 097 152`, `2,097,152`, `2^21`,
/// `64k` (65,536: k, M and G are powers of 1024), `1e6`. Nothing where `automatic` is offered means the minimum. Not
/// checked against the range.
Result<ParameterValue> readValue(const ParameterSpec& spec, const QString& text);

/// As one edits it: nothing for the value that `automatic` stands for.
QString plainText(const ParameterSpec& spec, const ParameterValue& value);

/// As one reads it: thousands apart.
QString shownText(const ParameterSpec& spec, const ParameterValue& value);

/// Whether the value is the one that `automatic` stands for.
bool isAutomatic(const ParameterSpec& spec, const ParameterValue& value);

/// Items of a list of numbers, nothing of any other value.
std::optional<Index> listSize(const ParameterValue& value);

/// Of an integer or a real.
double asNumber(const ParameterValue& value);
ParameterValue asValue(const ParameterSpec& spec, double number);

}  // namespace vqscope
