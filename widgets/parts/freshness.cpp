// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/freshness.h"

#include <QCoreApplication>

namespace vqscope {
namespace {

QString translated(const char* sentence) { return QCoreApplication::translate("Freshness", sentence); }

}  // namespace

QString Freshness::badge() const {
  switch (state) {
    case State::current: return {};
    case State::computing: return translated("computing");
    case State::outdated: break;
  }
  return isEmpty ? translated("no result") : translated("not up to date");
}

QString Freshness::banner() const {
  if (!brief.isEmpty() && isOutdated())
    return (isEmpty ? translated("No picture: %1") : translated("Shows the last valid result: %1")).arg(brief);
  if (isOnRequest || isEmpty) return cause;
  return isOutdated() ? translated("Shows the last valid result, from before this error: %1").arg(cause) : QString();
}

QString Freshness::refusal() const {
  switch (state) {
    case State::current: return {};
    case State::computing: return translated("The new values are still being computed; try again when they are shown");
    case State::outdated: break;
  }
  if (isOnRequest) return cause;
  return translated("Fix the error first: %1").arg(cause);
}

const Freshness& worse(const Freshness& a, const Freshness& b) { return a.state < b.state ? b : a; }

}  // namespace vqscope
