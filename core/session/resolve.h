// SPDX-License-Identifier: GPL-3.0-or-later
// From what was set on a page and for the whole window to the values that the page shows.
#pragma once

#include "core/base/result.h"
#include "core/session/notes.h"
#include "core/session/session.h"

namespace vqscope {

/// Whether a page takes a name from the subject: the subject has it, and the page shares and has no
/// value of its own.
bool is_linked(const PageSettings& state, std::string_view name);

/// Moves what differs between `before.values` and `state.values` to where it is kept: linked names
/// to the subject, others to `state.own`. Refuses unknown names and values out of range.
Result<void> keep_edits(ShownPage& state, const ShownPage& before, Subject& subject);

/// Sets `values` from what the page and the subject have set, and from defaults; what the shown
/// method cannot have becomes the nearest valid value. `own` loses the names that no method of the
/// page has. Side B keeps its values, takes missing ones from A, and has as many tokens as A. The
/// values may contradict each other.
void fill_page(ShownPage& state, const Subject& subject);

/// fill_page(), with values reset to their defaults until the method shown can be made, of A before
/// B takes what it lacks. Adds a note for each. What is reset stays in `own` and the subject as it
/// was.
Notes resolve_page(ShownPage& state, const Subject& subject);

/// Before the subject becomes `next`: side B follows where it was equal to A, in what the page
/// takes from the subject.
void follow_subject(ShownPage& state, const Subject& now, const Subject& next);

/// The values but one.
ParameterValues without(const ParameterValues& values, std::string_view name);

/// Whether both have the same value of a name, or neither has one.
bool same_value(const ParameterValues& a, const ParameterValues& b, std::string_view name);

/// The values of a side that are not those of `from`.
ParameterValues different(const ParameterValues& side, const ParameterValues& from);

/// Value that fill_page() uses for a parameter that is not set.
ParameterValue default_value(const PageInfo& info, const ParameterSpec& spec);

}  // namespace vqscope
