// SPDX-License-Identifier: GPL-3.0-or-later
// Effects of an edit, checked before anything changes.
#pragma once

#include "core/base/result.h"
#include "core/method/method.h"
#include "core/session/notes.h"
#include "core/session/session.h"

namespace vqscope {

/// A page and the subject after an edit.
struct EditPlan {
  ShownPage page;
  Subject subject;
  Notes notes;  ///< values that another method or other values made impossible, and what they are now
};

/// The plan of a page whose own values, method or comparison are `next`'s, with `subject` in place
/// of `before`. Values that contradict each other are refused if the edit has put them together,
/// and give way to defaults if the page has brought them along.
Result<EditPlan> plan_state(const ShownPage& now, const Subject& before, ShownPage next, Subject subject);

/// The plan of a page whose values are `next`'s: those that differ from `now`'s are set, for all
/// pages if the name is linked.
Result<EditPlan> plan_values(const ShownPage& now, const Subject& subject, ShownPage next);

enum class PageSide { a, b };

/// The plan of a page that turns to a method, which first brings its initial values, and then has
/// these on a side.
Result<EditPlan> plan_method(const ShownPage& now, const Subject& subject, const Method& method,
                             const ParameterValues& values, PageSide side);

/// A page as it is under another subject.
ShownPage page_under(const ShownPage& page, const Subject& now, const Subject& next);

}  // namespace vqscope
