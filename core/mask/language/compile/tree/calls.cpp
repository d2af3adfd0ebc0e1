// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/compile/tree/tree.h"

#include "core/base/sentence.h"
#include "core/mask/language/compile/tensor/tensor_values.h"
#include "core/mask/language/names/known_names.h"

#include <algorithm>

namespace vqscope::language {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Of a number these give the number.
bool is_reshaping(const std::string& name) {
  return contains({"item", "view", "reshape", "unsqueeze", "squeeze", "expand", "tolist", "flatten", "float", "half",
                   "double", "expand_as", "view_as"},
                  name);
}

/// Of anything these give what it is.
bool is_alike(const std::string& name) {
  return contains({"contiguous", "clone", "detach", "cpu", "cuda", "numpy", "copy"}, name);
}

/// The name that was most likely meant, or all that there are.
std::string advised(const std::string& name, const std::vector<std::string>& names, const std::string& before) {
  const std::string meant = did_you_mean(name, names);
  return meant.empty() ? fmt::format("; {}{}", before, join(names, ", ")) : meant;
}

/// The operands of a call from `first` on.
std::vector<Argument> read_arguments(Compilation& c, const Expression& e, std::size_t first, Scope& scope) {
  std::vector<Argument> arguments;
  for (std::size_t i = first; i < e.operands.size() && !c.failed(); ++i) {
    const std::string& keyword = e.keywords[i - 1];
    const Range range = c.at(e.operands[i]).range;
    // What changes how a tensor is kept, and no value.
    if (contains({"device", "requires_grad", "non_blocking", "_compile"}, keyword)) continue;
    if (c.at(e.operands[i]).kind != ExpressionKind::starred) {
      arguments.push_back({compile_expression(c, e.operands[i], scope), keyword, range});
      continue;
    }
    if (keyword == "**") {
      const Value all = compile_expression(c, c.at(e.operands[i]).operands[0], scope);
      if (c.failed()) return {};
      if (all.kind != Value::Kind::dictionary)
        return c.fail(range, "** stands before a dictionary that the text has"), std::vector<Argument>();
      for (const auto& [key, value] : all.dictionary->items()) {
        if (key.kind != Value::Kind::text)
          return c.fail(range, "the keys of a dictionary after ** are texts"), std::vector<Argument>();
        arguments.push_back({value, key.name, range});
      }
      continue;
    }
    for (auto& item : items_of(c, {e.operands[i]}, scope)) arguments.push_back({std::move(item), "", range});
  }
  return arguments;
}

Value is_instance(Compilation& c, const Expression& e, Scope& scope) {
  const Value value = compile_expression(c, e.operands[1], scope);
  if (c.failed()) return {};
  const Expression& types = c.at(e.operands[2]);
  const auto is_type = [&](ExpressionId id) {
    const std::string& type = c.at(id).name;
    switch (value.kind) {
      case Value::Kind::node: return type == "int" || (type == "bool" && c.node(value.node).is_bool);
      case Value::Kind::free_name:
        return is_tensor(c, value) ? type.ends_with("Tensor") || type == "ndarray" : type == "int";
      case Value::Kind::ratio: return type == "float";
      case Value::Kind::tuple: return type == "list" || type == "tuple" || type == "Sequence" || type == "Iterable";
      case Value::Kind::dictionary: return type == "dict" || type == "Mapping";
      case Value::Kind::text: return type == "str";
      case Value::Kind::callable: return type == "Callable";
      case Value::Kind::tensor: return type.ends_with("Tensor") || type == "ndarray";
      default: return false;
    }
  };
  const bool several = types.kind == ExpressionKind::tuple;
  return c.flag(several ? std::ranges::any_of(types.operands, is_type) : is_type(e.operands[2]), e.range);
}

/// isinstance(x, int), getattr(x, "name", default), hasattr(x, "name")
Value asked_of(Compilation& c, const std::string& name, const Expression& e, Scope& scope) {
  if (e.operands.size() < 3) return takes(c, name, 2, e.operands.size() - 1, e.range);
  if (name == "isinstance") return is_instance(c, e, scope);
  const Expression& object = c.at(e.operands[1]);
  const Value wanted = compile_expression(c, e.operands[2], scope);
  if (c.failed()) return {};
  const bool is_attribute = object.kind == ExpressionKind::attribute;
  if ((object.kind != ExpressionKind::name && !is_attribute) || wanted.kind != Value::Kind::text)
    return c.fail(e.range, name + " takes a name and what is asked of it as a text");
  const Value inner = is_attribute ? compile_expression(c, e.operands[1], scope) : Value{};
  if (c.failed()) return {};
  const Value* owner = is_attribute ? &inner : scope.find(object.name);
  if (owner && owner->kind == Value::Kind::dictionary) {
    const auto found = found_item(c, *owner, {wanted, "", e.range});
    if (c.failed()) return {};
    if (name == "hasattr") return c.flag(found.has_value(), e.range);
    if (found) return *found;
    return e.operands.size() > 3 ? compile_expression(c, e.operands[3], scope)
                                 : c.fail(e.range, "{} has no {}", shortened(object.name), shortened(wanted.name));
  }
  const Value* set = scope.find(object.name + "." + wanted.name);
  if (name == "hasattr") return c.flag(set != nullptr, e.range);
  if (set) return *set;
  Value fallback = e.operands.size() > 3 ? compile_expression(c, e.operands[3], scope) : Value{};
  if (c.failed()) return {};
  // What the text does not have is a free name; its default is the one that is written here.
  if (fallback.kind == Value::Kind::nothing)
    return c.optional_name(wanted.name, c.text.find(wanted.name + "[") != std::string_view::npos, e.range);
  Value value{.kind = Value::Kind::free_name, .name = wanted.name};
  const auto known = fallback.kind == Value::Kind::node && c.node(fallback.node).op == Op::constant;
  if (fallback.kind != Value::Kind::none && !known) return fallback;
  if (known) {
    value.fallback = c.node(fallback.node).value;
    value.is_flag = c.node(fallback.node).is_bool;
  }
  return value;
}

/// create_block_mask(f, ...) is f: what else it is given changes no cell.
Value block_mask(Compilation& c, const Expression& e, Scope& scope) {
  if (const ExpressionId mask = mask_argument(e); mask != no_expression)
    return c.last_block_mask = compile_expression(c, mask, scope);
  if (e.operands.size() < 2) {  // get_compiled_create_block_mask()
    Value value{.kind = Value::Kind::callable};
    value.callable = c.new_callable({.kind = Callable::Kind::known, .names = {"create_block_mask"}});
    return value;
  }
  return c.fail(e.range, "create_block_mask is given a function of (b, h, q_idx, kv_idx) first");
}

/// A call of a name that the text gives no meaning, and of a.name.
Value call_by_name(Compilation& c, const Expression& e, const Expression& callee, Scope& scope) {
  const std::string& name = callee.name;
  if (language::makes_block_mask(name)) return block_mask(c, e, scope);
  if (const ExpressionId mask = attention_mask(c, e); mask != no_expression) return compile_expression(c, mask, scope);
  if (!is_function(name)) {
    return c.fail(callee.range, "{} is called but not defined in the text{}", shortened(name),
                  advised(name, plain_functions(), "functions that are known are "));
  }
  if (name == "isinstance" || name == "getattr" || name == "hasattr") return asked_of(c, name, e, scope);
  const auto arguments = read_arguments(c, e, 1, scope);
  return c.failed() ? Value{} : apply_known(c, name, e, arguments);
}

Value text_method(Compilation& c, const std::string& name, const std::vector<Argument>& arguments, Range range) {
  std::string text = arguments.front().value.name;
  if (name == "startswith" || name == "endswith") {
    if (arguments.size() != 2 || arguments[1].value.kind != Value::Kind::text)
      return c.fail(range, name + " takes one text");
    const std::string& part = arguments[1].value.name;
    return c.flag(name == "startswith" ? text.starts_with(part) : text.ends_with(part), range);
  }
  if (name == "strip") {
    const auto begin = std::min(text.find_first_not_of(" \t\n"), text.size());
    const auto end = text.find_last_not_of(" \t\n");
    text = end == std::string::npos ? std::string() : text.substr(begin, end + 1 - begin);
  } else {
    const bool is_lower = name == "lower";
    std::ranges::transform(text, text.begin(), [&](unsigned char letter) {
      const bool turns = is_lower ? letter >= 'A' && letter <= 'Z' : letter >= 'a' && letter <= 'z';
      return static_cast<char>(turns ? letter ^ 0x20U : letter);
    });
  }
  return {.kind = Value::Kind::text, .name = std::move(text)};
}

/// A method of a dictionary or a text; nothing: the object is none.
std::optional<Value> call_on_object(Compilation& c, const Expression& e, const Expression& callee, Scope& scope) {
  const Expression& of = c.at(callee.operands[0]);
  const bool may_be_text = contains({"lower", "upper", "strip", "startswith", "endswith"}, callee.name);
  const bool may_be_dictionary =
      contains({"get", "keys", "values", "items", "update", "setdefault", "pop", "copy"}, callee.name);
  if (!may_be_text && !may_be_dictionary) return std::nullopt;
  const bool is_plain = of.kind == ExpressionKind::name || of.kind == ExpressionKind::attribute ||
                        of.kind == ExpressionKind::index || of.kind == ExpressionKind::call ||
                        of.kind == ExpressionKind::string || of.kind == ExpressionKind::dictionary;
  if (!is_plain) return std::nullopt;
  const Value object = compile_expression(c, callee.operands[0], scope);
  if (c.failed()) return std::nullopt;
  const bool is_text = object.kind == Value::Kind::text && may_be_text;
  if (!is_text && object.kind != Value::Kind::dictionary) return std::nullopt;
  std::vector<Argument> arguments{{object, "", of.range}};
  for (auto& argument : read_arguments(c, e, 1, scope)) arguments.push_back(std::move(argument));
  if (c.failed()) return std::nullopt;
  return is_text ? text_method(c, callee.name, arguments, e.range)
                 : dictionary_method(c, callee.name, arguments, e.range);
}

/// A fraction that becomes an integer is rounded towards zero.
Value converted_fraction(Compilation& c, const Expression& e, const Argument& object) {
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    const std::string& type = c.at(e.operands[i]).name;
    if (type == "bool") return c.of_node(c.as_bool(object.value.node));
    if (type.starts_with("int") || type == "long") return rounded(c, Rounding::to_zero, object.value, e.range);
  }
  return object.value;
}

/// .to(torch.bool) asks whether it is not zero; devices and other integers change nothing.
Value converted(Compilation& c, const Expression& e, const Argument& object) {
  const bool is_array = is_tensor(c, object.value);
  if (object.value.kind == Value::Kind::ratio) return converted_fraction(c, e, object);
  if (!is_array && object.value.kind != Value::Kind::node && object.value.kind != Value::Kind::free_name)
    return object.value;
  // What is not given yet stays what it is, whatever its type.
  const bool is_known = object.value.kind == Value::Kind::tensor || is_given(c, object.value);
  if (!is_known && object.value.kind != Value::Kind::node && !object.value.fallback) return object.value;
  if (is_array) {
    for (std::size_t i = 1; i < e.operands.size(); ++i) {
      const std::string& type = c.at(e.operands[i]).name;
      const bool is_bool = type == "bool", is_int = type.starts_with("int") || type == "long";
      if (is_bool || is_int)
        return each_element(
            c, is_bool ? "bool" : "int", {object}, [&](const auto& cell) { return converted(c, e, cell[0]); }, e.range);
    }
    return object.value;
  }
  const NodeId value = c.as_node(object.value, object.range);
  if (c.failed()) return {};
  for (std::size_t i = 1; i < e.operands.size(); ++i) {
    const Expression& type = c.at(e.operands[i]);
    const bool is_type = type.kind == ExpressionKind::attribute || type.kind == ExpressionKind::name;
    if (is_type && type.name == "bool") return c.of_node(c.as_bool(value));
    if (is_type && (type.name.starts_with("int") || type.name == "long")) return c.of_node(c.as_int(value));
  }
  return c.of_node(value);
}

/// torch, np, jax.numpy and the like, where the text has not given the name a meaning of its own.
std::optional<std::string> module_of(Compilation& c, ExpressionId id, Scope& scope) {
  const Expression& e = c.at(id);
  if (e.kind == ExpressionKind::name && is_module(e.name) && !scope.find(e.name)) return e.name;
  if (e.kind != ExpressionKind::attribute) return std::nullopt;
  const auto outer = module_of(c, e.operands[0], scope);
  return outer ? std::optional(*outer + "." + e.name) : std::nullopt;
}

Value call_attribute(Compilation& c, const Expression& e, const Expression& callee, Scope& scope) {
  const std::string& name = callee.name;
  if (language::makes_block_mask(name)) return block_mask(c, e, scope);
  if (const ExpressionId mask = attention_mask(c, e); mask != no_expression) return compile_expression(c, mask, scope);
  if (const auto module = module_of(c, callee.operands[0], scope)) {
    if (!is_function(name))
      return c.fail(callee.range, "{}.{} is not part of the mask language{}", *module, shortened(name),
                    advised(name, torch_functions(), "of " + *module + " there are "));
    const auto arguments = read_arguments(c, e, 1, scope);
    const bool is_numpy = is_numpy_module(module->substr(0, module->find('.')));
    if (c.failed()) return {};
    return is_numpy ? apply_numpy(c, name, e, arguments) : apply_known(c, name, e, arguments);
  }
  const Expression& object = c.at(callee.operands[0]);
  if (auto made = call_on_object(c, e, callee, scope); made || c.failed()) return made.value_or(Value{});
  if (object.kind == ExpressionKind::name)
    if (const Value* set = scope.find(object.name + "." + name); set && set->kind == Value::Kind::callable) {
      const auto arguments = read_arguments(c, e, 1, scope);
      return c.failed() ? Value{} : apply(c, *set->callable, arguments, e.range);
    }
  if (!contains(methods(), name))
    return c.fail(callee.range, ".{}(...) is not part of the mask language{}", shortened(name),
                  advised(name, methods(), "after a value there may stand "));
  std::vector<Argument> arguments{{compile_expression(c, callee.operands[0], scope), "", object.range}};
  if (c.failed()) return {};
  const Value::Kind kind = arguments.front().value.kind;
  const bool is_list = kind == Value::Kind::tuple && contains({"append", "extend", "insert"}, name);
  const bool of_array = is_tensor(c, arguments.front().value) && (kind == Value::Kind::tensor || !is_alike(name));
  if (name == "to" || name == "type" || name == "astype") return converted(c, e, arguments.front());
  if (is_alike(name) && (of_array || kind == Value::Kind::tuple) && !is_list) {
    if (name != "clone" && name != "copy") return arguments.front().value;
    const TensorPtr tensor = as_tensor(c, arguments.front());
    Tensor copy = tensor ? *tensor : Tensor();
    copy.memory = Tensor().memory;
    return of_tensor(c, std::move(copy), e.range);
  }
  if ((is_reshaping(name) || is_alike(name)) && !of_array) return arguments.front().value;
  if (name == "item" && of_array) {
    const auto known = known_number(c, arguments.front());
    return known ? c.of_node(c.build.constant(*known, false, e.range)) : Value{};
  }
  const TensorPtr model = name.starts_with("new_") ? arguments.front().value.tensor : nullptr;
  if (name.starts_with("new_")) arguments.clear();
  for (auto& argument : read_arguments(c, e, 1, scope)) arguments.push_back(std::move(argument));
  if (c.failed()) return {};
  // What is new is of the same type, other than what has values of its own.
  if (model && model->is_bool && name != "new_tensor" && !by_keyword(arguments, "dtype"))
    arguments.push_back({{.kind = Value::Kind::text, .name = "bool"}, "dtype", e.range});
  if (is_list) return changed_list(c, name, arguments, e.range);
  if (name == "where" && arguments.size() > 1) std::swap(arguments[0], arguments[1]);  // x.where(condition, y)
  return c.is_numpy_text ? apply_numpy(c, name, e, arguments) : apply_known(c, name, e, arguments);
}

}  // namespace

bool makes_block_mask(const Value& value) {
  const auto makes = [](const Callable* callable) {
    return callable->kind == Callable::Kind::known && language::makes_block_mask(callable->names.front());
  };
  if (value.kind != Value::Kind::callable) return false;
  const bool is_choice = value.callable->kind == Callable::Kind::chosen;
  return is_choice ? std::ranges::all_of(value.callable->members, makes) : makes(value.callable);
}

Value compile_call(Compilation& c, const Expression& e, Scope& scope) {
  const Expression& callee = c.at(e.operands[0]);
  if (callee.kind == ExpressionKind::attribute) return call_attribute(c, e, callee, scope);
  if (callee.kind == ExpressionKind::name && !scope.find(callee.name)) return call_by_name(c, e, callee, scope);
  const Value function = compile_expression(c, e.operands[0], scope);
  if (c.failed()) return {};
  if (function.kind == Value::Kind::callable && makes_block_mask(function)) return block_mask(c, e, scope);
  if (function.kind == Value::Kind::free_name)
    return c.fail(e.range,
                  shortened(c.written(callee.range)) +
                      " is a parameter that is called; call the function that takes it with a mask of the text");
  if (function.kind != Value::Kind::callable)
    return c.fail(e.range, shortened(c.written(callee.range)) + " is no function, it cannot be called");
  const auto arguments = read_arguments(c, e, 1, scope);
  if (c.failed()) return {};
  Value result = apply(c, *function.callable, arguments, e.range);
  const bool outermost = c.calls == 0 || &scope == c.term_scope;
  if (!c.failed() && outermost && callee.kind == ExpressionKind::name && result.kind == Value::Kind::node)
    c.names.try_emplace(result.node, callee.name);
  return result;
}

ExpressionId mask_argument(const Expression& e) {
  for (std::size_t i = 1; i < e.operands.size(); ++i)
    if (e.keywords[i - 1] == "mask_mod" || (i == 1 && e.keywords[0].empty())) return e.operands[i];
  return no_expression;
}

ExpressionId attention_mask(const Compilation& c, const Expression& e) {
  const std::string& name = c.at(e.operands[0]).name;
  if (name.find("flex_attention") == std::string::npos && name.find("scaled_dot_product") == std::string::npos)
    return no_expression;
  for (std::size_t i = 1; i < e.operands.size(); ++i)
    if (e.keywords[i - 1] == "block_mask" || e.keywords[i - 1] == "attn_mask") return e.operands[i];
  return no_expression;
}

}  // namespace vqscope::language
