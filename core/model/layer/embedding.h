// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstdint>
#include <span>

namespace vqscope {

/// y[i] += scale · table[ids[i]] for tokens or positions; table [., width], y [ids, width]. Every
/// id is a row of the table.
template <class Real>
void add_embedding(std::span<const std::int32_t> ids, Index width, Real scale, const Real* table, Real* y);

/// dtable[ids[i]] += scale · dy[i].
template <class Real>
void embedding_backward(std::span<const std::int32_t> ids, Index width, Real scale, const Real* dy, Real* dtable);

}  // namespace vqscope
