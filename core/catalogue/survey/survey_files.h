// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace vqscope {

/// The survey as a table to take away: a line for each row.
std::string survey_csv();

/// {"survey": [{id, title, group, method, values, relative, …, views: [{title, method, values}]}]}.
std::string survey_json();

/// For a terminal: by group, a paragraph for each row.
std::string survey_text();

}  // namespace vqscope
