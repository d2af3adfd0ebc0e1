// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vqscope {

/// Whether a result on screen belongs to the values in the form. A page has the freshness of its
/// matrix, and each result that is computed separately has its own; the view shows the worse of the
/// two.
struct Freshness {
  enum class State {
    current,    ///< belongs to the values in the form
    computing,  ///< belongs to previous values; the new result is being computed
    outdated,   ///< belongs to previous values; an error must be fixed first
  };
  State state = State::current;
  QString cause = {};        ///< if outdated: the error, without a full stop
  bool isOnRequest = false;  ///< if outdated: not an error; the result is computed on request, as `cause` describes
  QString brief = {};        ///< said over results where `cause` stands whole at its field; empty: the cause
  bool isEmpty = false;      ///< if outdated: there is no earlier result of the same method and session on screen

  static Freshness computing() { return {State::computing, {}}; }
  static Freshness outdated(const QString& cause) { return {State::outdated, cause}; }
  static Freshness onRequest(const QString& cause) { return {State::outdated, cause, true}; }

  bool isCurrent() const { return state == State::current; }
  bool isOutdated() const { return state == State::outdated; }
  /// "computing", "not up to date" or "no result"; empty: current.
  QString badge() const;
  /// The text over an outdated result, or in its place; empty for others.
  QString banner() const;
  /// Why a use of the result is refused; empty: it is not.
  QString refusal() const;

  friend bool operator==(const Freshness&, const Freshness&) = default;
};

/// The worse of the two.
const Freshness& worse(const Freshness& a, const Freshness& b);

}  // namespace vqscope
