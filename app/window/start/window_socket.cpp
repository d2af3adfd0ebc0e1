// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/window_socket.h"

#include "app/process/open_request.h"
#include "widgets/parts/text.h"

#include <QSocketNotifier>
#include <QTimer>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace vqscope {
namespace {

constexpr int mostPeers = 8;

}  // namespace

struct WindowSocket::Peer {
  QSocketNotifier notifier;
  QTimer limit;
  std::string bytes;
  std::optional<OpenRequest> taken;  ///< answered with ok
  explicit Peer(int file) : notifier(file, QSocketNotifier::Read) {}
};

WindowSocket::WindowSocket(std::string path, std::function<bool()> isBusy, int limit)
    : m_path(std::move(path)), m_isBusy(std::move(isBusy)), m_limit(limit) {}

WindowSocket::~WindowSocket() {
  for (const int file : m_peers.keys()) drop(file);
  m_arrivals.reset();
  if (m_socket >= 0) {
    ::unlink(m_path.c_str());
    ::close(m_socket);
  }
  if (m_lock >= 0) ::close(m_lock);
}

bool WindowSocket::claim() {
  if (m_path.empty() || m_socket >= 0) return m_socket >= 0;
  const int lock = ::open((m_path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock < 0) return false;
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0) {
    m_lock = lock;
    if (listenAtPath()) return true;
    m_lock = -1;
  }
  ::close(lock);
  return false;
}

/// A socket of a process that was killed stays as a file: whoever has the lock replaces it.
bool WindowSocket::listenAtPath() {
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  if (m_path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, m_path.data(), m_path.size());
  ::unlink(m_path.c_str());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return false;
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::chmod(m_path.c_str(), 0600) != 0 || ::listen(socket, mostPeers) != 0) {
    ::close(socket);
    return false;
  }
  m_socket = socket;
  m_arrivals = std::make_unique<QSocketNotifier>(socket, QSocketNotifier::Read);
  connect(m_arrivals.get(), &QSocketNotifier::activated, this, &WindowSocket::accept);
  return true;
}

void WindowSocket::accept() {
  const int file = ::accept4(m_socket, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (file < 0) return;
  if (m_peers.size() >= mostPeers || !isOwnPeer(file)) {
    ::close(file);
    return;
  }
  const auto peer = std::make_shared<Peer>(file);
  m_peers.insert(file, peer);
  connect(&peer->notifier, &QSocketNotifier::activated, this, [this, file] { read(file); });
  peer->limit.setSingleShot(true);
  connect(&peer->limit, &QTimer::timeout, this, [this, file] { drop(file); });
  peer->limit.start(m_limit);
}

/// One piece at a time: a peer that sends without end does not keep the window from its other events.
void WindowSocket::read(int file) {
  const std::shared_ptr<Peer> peer = m_peers.value(file);
  if (!peer) return;
  char bytes[16384];
  const auto got = ::recv(file, bytes, sizeof bytes, 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) return drop(file);
  peer->bytes.append(bytes, static_cast<std::size_t>(got));
  answer(file, *peer);
}

void WindowSocket::answer(int file, Peer& peer) {
  if (peer.taken) {
    const bool go = peer.bytes == "go\n";
    if (!go && std::string("go\n").starts_with(peer.bytes)) return;
    const OpenRequest request = *peer.taken;
    drop(file);
    QStringList paths;
    for (const auto& path : request.paths) paths << textOfBytes(path);
    if (go) emit filesReceived(paths, QByteArray::fromStdString(request.token));
    return;
  }
  auto request = decodeRequest(peer.bytes);
  if (!request) return drop(file);
  if (!*request) return;
  if (m_isBusy() || ::send(file, "ok\n", 3, MSG_NOSIGNAL) != 3) return drop(file);
  peer.taken = std::move(**request);
  peer.bytes.clear();
}

/// The notifier may be the sender: it is deleted after its signal.
void WindowSocket::drop(int file) {
  const std::shared_ptr<Peer> peer = m_peers.take(file);
  if (!peer) return;
  peer->notifier.setEnabled(false);
  peer->limit.stop();
  ::close(file);
  QTimer::singleShot(0, [peer] {});
}

}  // namespace vqscope
