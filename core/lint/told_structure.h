// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/contract_case.h"

#include <stop_token>

namespace vqscope {

/// What a mask is in words that kernels have names for, and the sequence for which it is.
struct ToldStructure {
  MaskStructure structure;
  SequenceLayout layout;
};

/// What the case wants where the mask is just that; else what the mask is recognised as, with the documents, padding
/// and cache that it has by itself; else what is wanted, not exact.
ToldStructure told_structure(const ContractCase& given, const std::stop_token& stop = {});

}  // namespace vqscope
