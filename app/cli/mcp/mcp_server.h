// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vqscope {

/// Most bytes of a message.
inline constexpr std::size_t mostMessageBytes = std::size_t{4} << 20;

/// The answer to one message of the Model Context Protocol, a line of JSON-RPC 2.0; empty to a notification. Nothing
/// in the message is trusted: what is no request is answered with an error.
std::string answerToMessage(std::string_view line);

/// The answer to a message of more than mostMessageBytes.
std::string answerToLongMessage();

}  // namespace vqscope
