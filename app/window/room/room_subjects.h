// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"
#include "widgets/panel/view_list.h"

#include <string_view>
#include <vector>

namespace vqscope {

/// Entries of a room's list: the encodings and scalings of the survey in Positions, the matrices
/// with their curves in Attention. Empty: the room has no list.
std::vector<ListedSubject> roomSubjects(std::string_view room);

/// The method of a page; null: it shows none.
const Method* shownMethod(const ShownPage& page);

}  // namespace vqscope
