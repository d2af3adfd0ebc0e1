// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// Files that a second start of the program gives to the window that is open.
struct OpenRequest {
  std::string token;               ///< of the desktop, with which the window may come to the front; empty: none
  std::vector<std::string> paths;  ///< absolute, at least one
  friend bool operator==(const OpenRequest&, const OpenRequest&) = default;
};

inline constexpr std::size_t mostRequestBytes = 300'000;

/// "vqscope-open 1 SIZE", a line break, and SIZE bytes: the token and the paths with zeros between them.
std::string encodeRequest(const OpenRequest& request);
/// Nothing: the rest has not arrived. Input is not trusted: refuses what encodeRequest does not write.
Result<std::optional<OpenRequest>> decodeRequest(std::string_view bytes);

/// The socket at which the window of this display and user listens, in the runtime folder of the user.
/// Empty: there is no such folder that belongs to the user alone, or the path is too long.
std::string windowSocketPath();
/// Whether the folder belongs to this user and nobody else may write to it.
bool isPrivateFolder(const std::string& folder);
/// Whether a process of this user is at the other end of a connected socket.
bool isOwnPeer(int socket);

/// Gives files to the window that listens at the socket. False: nobody listens, or it has not taken them
/// within the limit.
bool handOver(const std::string& socket, const OpenRequest& request,
              std::chrono::milliseconds limit = std::chrono::milliseconds(200));

}  // namespace vqscope
