// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/method/parameter.h"

#include <optional>

namespace vqscope {

/// The q_length for which the documents of the values fill the sequence: their sum and the padding, less what is
/// cached; padding that is automatic counts as none, so that a mask that pads by itself (pads_by_itself) has no such
/// length. Nothing if there are no documents, if kv_length is given, or if no q_length is as large or as small.
std::optional<Index> q_length_of_documents(const ParameterValues& values);

}  // namespace vqscope
