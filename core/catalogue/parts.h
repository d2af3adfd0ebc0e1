// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/sentence.h"
#include "core/method/part.h"

namespace vqscope {

/// The parts that this build has beside masks and positions. Defined in core/parts.cpp, which is
/// linked with the catalogue.
std::span<const Part> added_parts();

/// "; this build leaves out the lab", for messages about an id that nothing here has; empty if
/// nothing is left out.
std::string_view left_out_remark();

/// The entry with that id. The error for an unknown id names the `kind` of the entries and the
/// nearest id.
template <class Entry>
Result<const Entry*> require_entry(std::span<const Entry> all, std::string_view id, std::string_view kind,
                                   const std::string& ending) {
  std::vector<std::string> ids;
  for (const Entry& entry : all) {
    if (entry.id == id) return &entry;
    ids.push_back(entry.id);
  }
  return Error{Errc::not_found, fmt::format("unknown {} {}{}{}", kind, shortened(id), did_you_mean(id, ids), ending)};
}

/// Id of the method that shows queries, keys and values of a file; empty without the part that has
/// it.
std::string_view tensor_view();

/// The method that runs a mask through a small model; `values` is null without the part that has
/// it.
MaskTest mask_test();

}  // namespace vqscope
