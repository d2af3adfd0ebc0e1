// SPDX-License-Identifier: GPL-3.0-or-later
// The side of a second start, which needs no Qt and is over before a window could be made.
#include "app/process/open_request.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace vqscope {
namespace {

using Clock = std::chrono::steady_clock;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// A file name of the display that windows appear on: those of another one are not reached.
std::string displayName() {
  constexpr std::size_t longest = 40;
  const std::string wayland = environment("WAYLAND_DISPLAY");
  std::string name = environment("QT_QPA_PLATFORM") + "-" + (wayland.empty() ? environment("DISPLAY") : wayland);
  std::erase_if(name, [](char c) {
    return !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '-';
  });
  return name.substr(0, longest);
}

/// A descriptor that is closed.
struct Socket {
  int file = -1;
  ~Socket() {
    if (file >= 0) ::close(file);
  }
};

/// Waits for events until the deadline; false: none came.
bool waitFor(int file, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd wanted{file, events, 0};
    const int ready = ::poll(&wanted, 1, static_cast<int>(left));
    if (ready > 0) return (wanted.revents & events) != 0;
    if (ready == 0 || errno != EINTR) return false;
  }
}

bool sendAll(int file, std::string_view bytes, Clock::time_point deadline) {
  while (!bytes.empty()) {
    const auto sent = ::send(file, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0)
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    else if (errno != EINTR && (errno != EAGAIN || !waitFor(file, POLLOUT, deadline)))
      return false;
  }
  return true;
}

/// Whether the window answers "ok" and a line break.
bool isTaken(int file, Clock::time_point deadline) {
  constexpr std::string_view taken = "ok\n";
  std::string answer;
  while (answer.size() < taken.size() && waitFor(file, POLLIN, deadline)) {
    char bytes[8];
    const auto got = ::recv(file, bytes, sizeof bytes, 0);
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) return false;
    if (got > 0) answer.append(bytes, static_cast<std::size_t>(got));
  }
  return answer == taken;
}

}  // namespace

bool isPrivateFolder(const std::string& folder) {
  struct stat status {};
  return folder.starts_with('/') && ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::getuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string windowSocketPath() {
  const std::string runtime = environment("XDG_RUNTIME_DIR");
  if (!isPrivateFolder(runtime)) return {};
  const std::string folder = runtime + "/vqscope";
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return {};
  if (!isPrivateFolder(folder)) return {};
  std::string path = folder + "/window" + displayName();
  return path.size() < sizeof(sockaddr_un::sun_path) ? path : std::string();
}

bool isOwnPeer(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::getuid();
}

bool handOver(const std::string& socket, const OpenRequest& request, std::chrono::milliseconds limit) {
  const std::string bytes = encodeRequest(request);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  if (socket.empty() || socket.size() >= sizeof address.sun_path || !decodeRequest(bytes)) return false;
  std::memcpy(address.sun_path, socket.data(), socket.size());
  const auto deadline = Clock::now() + limit;
  const Socket window{::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  if (window.file < 0) return false;
  if (::connect(window.file, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return false;
  // The window opens the files only after "go": nothing is opened twice if its answer comes too late.
  return isOwnPeer(window.file) && sendAll(window.file, bytes, deadline) && isTaken(window.file, deadline) &&
         sendAll(window.file, "go\n", deadline);
}

}  // namespace vqscope
