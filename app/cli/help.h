// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace vqscope {

std::string_view mainHelp();
std::string_view exportHelp();
std::string_view listHelp();
std::string_view rowHelp();
std::string_view diffHelp();
std::string_view recogniseHelp();
std::string_view checkHelp();
std::string_view configHelp();
std::string_view dialectsHelp();
/// What stands before the parameters of vq_attention.
std::string_view runHelp();

}  // namespace vqscope
