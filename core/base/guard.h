// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <exception>
#include <new>
#include <stdexcept>
#include <type_traits>

namespace vqscope {

/// The message for an exception of the standard library. Called inside a catch block.
inline Error error_of_exception() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return {Errc::too_large, "there is not enough memory for this; use fewer tokens or smaller sizes"};
  } catch (const std::length_error&) {
    return {Errc::too_large, "this needs more memory than a machine can address; use fewer tokens or smaller sizes"};
  } catch (const std::exception& error) {
    return {Errc::io, error.what()};
  }
}

/// Calls `compute`, which returns a Result, and turns an exception of the standard library into an
/// Error: no exception leaves core.
template <class Compute>
auto guarded(const Compute& compute) -> std::invoke_result_t<const Compute&> {
  try {
    return compute();
  } catch (const std::exception&) {
    return error_of_exception();
  }
}

}  // namespace vqscope
