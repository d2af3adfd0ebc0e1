// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/bias/bias_methods.h"

#include "core/encoding/bias/alibi.h"
#include "core/encoding/bias/kerple.h"
#include "core/encoding/bias/nope.h"
#include "core/encoding/bias/sandwich.h"
#include "core/encoding/t5/t5_bias.h"

namespace vqscope {

const std::vector<Method>& bias_methods() {
  static const std::vector<Method> all{nope_method(),         alibi_method(),    kerple_log_method(),
                                       kerple_power_method(), sandwich_method(), t5_bias_method()};
  return all;
}

}  // namespace vqscope
