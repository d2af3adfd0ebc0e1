// SPDX-License-Identifier: GPL-3.0-or-later
// The cells that a case expects to be visible or masked, for real queries. Memory grows with the
// number of documents, chunks and spans, not with T.
#pragma once

#include "core/lint/contract_case.h"
#include "core/mask/layout_regions.h"

namespace vqscope {

/// How far behind and ahead of itself a query is expected to see; any_distance if unlimited.
Index reach_behind(const ContractCase& given);
Index reach_ahead(const ContractCase& given);

/// Whether the case sets a window, to either side.
bool wants_window(const ContractCase& given);

/// Whether there are more chunks than are checked.
bool too_many_chunks(const ContractCase& given);

enum class WantedPart {
  all,
  behind,  ///< the query itself and keys behind it
  ahead,   ///< keys ahead of it: by a prefix, a span, or a window that looks ahead
};

CellSet every_cell(const ContractCase& given);

/// Keys that are expected to be visible.
CellSet wanted_keys(const ContractCase& given, WantedPart part = WantedPart::all);

/// The keys ahead in the query's own document that nothing allows.
CellSet forbidden_future(const ContractCase& given);

/// The keys of the query's own document more than `reach` behind it that neither sinks nor its own
/// span allow.
CellSet beyond_window(const ContractCase& given, Index reach);
/// The keys more than `reach` ahead.
CellSet ahead_of_window(const ContractCase& given, Index reach);

/// The keys of the query's own document in other chunks.
CellSet other_chunks(const ContractCase& given);

}  // namespace vqscope
