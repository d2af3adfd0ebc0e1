// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QStringList>

#include <functional>
#include <memory>
#include <string>

class QSocketNotifier;

namespace vqscope {

/// Listens for files that a second start of the program gives to this window (app/process/open_request.h).
/// One process of a display listens; another can take its place once it has ended. Peers are of this user,
/// a few at a time, and have a second to say what they want.
class WindowSocket : public QObject {
  Q_OBJECT
 public:
  /// `isBusy`: the window cannot open files now, as while a dialog is open. `limit`: milliseconds for a
  /// peer.
  WindowSocket(std::string path, std::function<bool()> isBusy, int limit = 1000);
  ~WindowSocket() override;

  /// Listens, unless another process does. Whether this one does.
  bool claim();

 signals:
  /// `token`: of the desktop, to come to the front with; empty: none.
  void filesReceived(const QStringList& paths, const QByteArray& token);

 private:
  struct Peer;
  bool listenAtPath();
  void accept();
  void read(int file);
  void answer(int file, Peer& peer);
  void drop(int file);

  std::string m_path;
  std::function<bool()> m_isBusy;
  int m_limit;
  int m_lock = -1;    ///< file that this process has locked; -1: it does not listen
  int m_socket = -1;  ///< listens
  std::unique_ptr<QSocketNotifier> m_arrivals;
  QHash<int, std::shared_ptr<Peer>> m_peers;  ///< by file descriptor
};

}  // namespace vqscope
