// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/capture/parity/cause_search.h"

#include <string>

namespace vqscope {

/// What a cause is, with its numbers.
std::string cause_sentence(const TriedCause& cause);
/// How it stands in a config or a call, a line for A, one for B and maybe a third; may be empty.
std::string cause_call(const TriedCause& cause);
/// Its parameters, a of A and b of B, whichever side it lies in.
JsonObject shown_parameters(const TriedCause& cause);

}  // namespace vqscope
