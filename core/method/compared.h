// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/field/field.h"
#include "core/method/method.h"

#include <memory>
#include <optional>

namespace vqscope {

/// a - b of two fields of `method`; angles wrap where the method's do.
Result<std::shared_ptr<const Field>> make_method_difference(const Method& method, std::shared_ptr<const Field> a,
                                                            std::shared_ptr<const Field> b);

/// The field of `method`, or its difference from the field with the values `minus`.
Result<std::shared_ptr<const Field>> make_compared_field(const Method& method, const ParameterValues& values,
                                                         const std::optional<ParameterValues>& minus,
                                                         const Work& work = {});

}  // namespace vqscope
