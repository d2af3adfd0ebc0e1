// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace vqscope {

constexpr int exitDone = 0;
constexpr int exitFindings = 1;
constexpr int exitRefused = 2;
constexpr int exitInterrupted = 130;  ///< 128 + SIGINT, as shells have it

/// To standard output, all of it; the exit status.
int print(std::string_view text);

/// One line on stderr, whatever is in the message, and beneath it the error's detail; the exit status.
int fail(const Error& error);

/// One line on stderr beside what is done all the same: "vqscope: warning: …", "vqscope: …".
void warn(const std::string& sentence);
void note(const std::string& sentence);

}  // namespace vqscope
