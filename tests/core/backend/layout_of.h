// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence_layout.h"

namespace vqscope::test {

inline SequenceLayout layout_of(const SequenceInput& input) { return SequenceLayout::make(input).value(); }

}  // namespace vqscope::test
