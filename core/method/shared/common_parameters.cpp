// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/shared/common_parameters.h"

namespace vqscope {

ParameterSpec seed_parameter(std::string group, std::string help, std::vector<Relevance> relevant) {
  return make_parameter("seed", std::move(group), std::move(help),
                        {.maximum = 0x1p53, .relevant = std::move(relevant)});
}

ParameterSpec points_parameter(std::string group, Index default_value, Index most) {
  return make_parameter(
      "points", std::move(group), "Maximum number of points on the curve.",
      {.default_value = default_value, .minimum = 2, .maximum = static_cast<double>(most), .logarithmic = true});
}

ParameterSpec worker_threads_parameter(std::string group) {
  return make_parameter("threads", std::move(group), "Number of threads. Does not change the result.",
                        {.maximum = 1024, .automatic = "as many as the machine can run at once"});
}

}  // namespace vqscope
