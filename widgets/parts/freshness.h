// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vqscope {

/// Whether an answer on screen is of the values in the form. A page says it of its matrix, and each answer that takes
/// time of its own says it of itself; what is shown of an answer is the worse of the two.
struct Freshness {
  enum class State {
    current,    ///< of the values in the form
    computing,  ///< of former values; the new answer is under way
    outdated,   ///< of former values, and no new answer comes before an error is fixed
  };
  State state = State::current;
  QString cause = {};  ///< of outdated: the error, a sentence without its full stop
  bool asks = false;   ///< of outdated: no error, the answer is made on request, and `cause` says how

  static Freshness computing() { return {State::computing, {}}; }
  static Freshness outdated(const QString& cause) { return {State::outdated, cause}; }
  static Freshness onRequest(const QString& cause) { return {State::outdated, cause, true}; }

  bool isCurrent() const { return state == State::current; }
  bool isOutdated() const { return state == State::outdated; }
  /// "computing", "not up to date"; empty: current.
  QString badge() const;
  /// What stands over an outdated answer; empty for others.
  QString banner() const;
  /// Why what is asked of the answer is refused; empty: it is not.
  QString refusal() const;

  friend bool operator==(const Freshness&, const Freshness&) = default;
};

/// The one of the two that is further from the values in the form.
const Freshness& worse(const Freshness& a, const Freshness& b);

}  // namespace vqscope
