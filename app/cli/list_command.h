// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"

#include <QStringList>

namespace vqscope {

/// `vqscope list [METHOD] [--json]`; the arguments after `list`, the exit status.
int runList(const QStringList& arguments);

/// A parameter on two lines: its name and default, then what it does and what is allowed.
std::string describe(const ParameterSpec& spec);

}  // namespace vqscope
