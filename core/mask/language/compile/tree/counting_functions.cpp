// SPDX-License-Identifier: GPL-3.0-or-later
// cumsum, bucketize and searchsorted of arrays whose values are not known yet.
#include "core/mask/language/compile/tree/tree.h"

namespace vqscope::language {

bool counts_up_to(Compilation& c, const std::vector<Argument>& arguments) {
  if (const Argument* side = by_keyword(arguments, "side")) return side->value.name == "right";
  if (arguments.size() > 2 && arguments[2].keyword.empty() && arguments[2].value.kind == Value::Kind::text)
    return arguments[2].value.name == "right";  // np.searchsorted(boundaries, x, "right")
  const Argument* right = by_keyword(arguments, "right");
  return right && decided(c, right->value).value_or(false);
}

Value of_array(Compilation& c, const std::string& name, const Expression& e, const std::vector<Argument>& arguments) {
  if (arguments.empty() || (name != "cumsum" && arguments.size() < 2))
    return takes(c, name, 2, arguments.size(), e.range);
  const std::size_t array_at = name == "bucketize" ? 1 : 0;
  const Value array = as_array(c, arguments[array_at]);
  if (c.failed()) return {};
  if (name == "cumsum")
    return {.kind = Value::Kind::array, .place = c.derived_array(ArraySource::running_sum, array.place, e.range)};
  const bool up_to = counts_up_to(c, arguments);
  const NodeId value = c.as_node(arguments[1 - array_at].value, arguments[1 - array_at].range);
  if (c.failed()) return {};
  const Index counts =
      c.derived_array(up_to ? ArraySource::count_up_to : ArraySource::count_below, array.place, e.range);
  const NodeId length = c.build.make({.op = Op::length, .value = counts, .range = e.range});
  const NodeId last = c.make(Op::subtract, false, e.range, length, c.build.constant(1, false, e.range)).node;
  if (c.failed()) return {};
  const Value above = c.make(Op::maximum, false, e.range, c.as_int(value), c.build.constant(0, false, e.range));
  if (c.failed()) return {};
  const Value within = c.make(Op::minimum, false, e.range, above.node, last);
  return c.failed() ? Value{} : c.element_of(counts, within.node, e.range);
}

}  // namespace vqscope::language
