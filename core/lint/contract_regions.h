// SPDX-License-Identifier: GPL-3.0-or-later
// The cells that a case wants visible or masked, for queries that are no padding. Memory grows with the number of
// documents, chunks and spans, not with T.
#pragma once

#include "core/lint/contract_case.h"
#include "core/mask/layout_regions.h"

namespace vqscope {

/// How far behind and ahead a query is wanted to see, itself not counted; any_distance where nothing limits it.
Index reach_behind(const ContractCase& given);
Index reach_ahead(const ContractCase& given);

/// Whether the case names a window, to either side.
bool wants_window(const ContractCase& given);

/// More chunks than are looked at.
bool too_many_chunks(const ContractCase& given);

enum class WantedPart {
  all,
  behind,  ///< the query itself and what is behind it
  ahead,   ///< what is ahead of it: by a prefix, a span, or a window that looks ahead
};

CellSet every_cell(const ContractCase& given);

/// Keys that are wanted visible.
CellSet wanted_keys(const ContractCase& given, WantedPart part = WantedPart::all);

/// Of the query's own document the keys ahead that nothing allows.
CellSet forbidden_future(const ContractCase& given);

/// Of the query's own document the keys more than `reach` behind it that neither sinks nor its own span allow.
CellSet beyond_window(const ContractCase& given, Index reach);
/// The keys more than `reach` ahead.
CellSet ahead_of_window(const ContractCase& given, Index reach);

/// Of the query's own document the keys of other chunks.
CellSet other_chunks(const ContractCase& given);

}  // namespace vqscope
