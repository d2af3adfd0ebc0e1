// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pickle/pickle_machine.h"

#include "core/base/sentence.h"
#include "core/io/pickle/pickle_names.h"

namespace vqscope {
namespace {

/// 80 bytes each, and what they hold.
constexpr std::size_t most_values = std::size_t{1} << 20;
/// Whole numbers from 0 on that are made once.
constexpr Index shared_numbers = 256;
constexpr PickleRef first_shared_number = 3;

Error bad_pickle(std::string_view what) { return invalid("the pickle is damaged: {}", what); }

}  // namespace

PickleMachine::PickleMachine() {
  auto& values = m_pickle.values;
  values.push_back({.kind = PickleKind::none});
  values.push_back({.kind = PickleKind::boolean, .whole = 0});
  values.push_back({.kind = PickleKind::boolean, .whole = 1});
  for (Index i = 0; i < shared_numbers; ++i) values.push_back({.kind = PickleKind::whole, .whole = i});
}

void PickleMachine::fail(Error error) {
  if (!m_error) m_error = std::move(error);
}

void PickleMachine::push(PickleRef ref) {
  if (m_stack.size() >= most_values) return fail(too_large("the pickle has more than {} values", most_values));
  m_stack.push_back(ref);
}

void PickleMachine::push_value(PickleValue value) {
  auto& values = m_pickle.values;
  if (values.size() >= most_values) return fail(too_large("the pickle has more than {} values", most_values));
  values.push_back(std::move(value));
  push(static_cast<PickleRef>(values.size() - 1));
}

void PickleMachine::push_whole(Index value) {
  if (value >= 0 && value < shared_numbers) return push(first_shared_number + static_cast<PickleRef>(value));
  push_value({.kind = PickleKind::whole, .whole = value});
}

void PickleMachine::push_real(double value) { push_value({.kind = PickleKind::real, .real = value}); }

void PickleMachine::push_text(PickleKind kind, std::string text, bool unicode, std::optional<std::uint64_t> place,
                              std::uint64_t size) {
  const auto length = place ? size : text.size();
  push_value({.kind = kind,
              .is_unicode = unicode,
              .whole = place ? static_cast<Index>(*place) : -1,
              .real = static_cast<double>(length),
              .text = std::move(text)});
}

void PickleMachine::push_items(PickleKind kind, std::vector<PickleRef> items) {
  push_value({.kind = kind, .items = std::move(items)});
}

void PickleMachine::push_name(const std::string& module, const std::string& name) {
  if (failed()) return;
  if (!is_allowed_name(module, name))
    return fail(invalid("it names {}, which a file of tensors does not need; nothing of it was run",
                        shortened(module + "." + name, 80)));
  push_value({.kind = PickleKind::name, .text = module + "." + name});
}

std::optional<PickleRef> PickleMachine::take() {
  const std::size_t bottom = m_marks.empty() ? 0 : m_marks.back();
  if (m_stack.size() <= bottom) {
    fail(bad_pickle("a value is missing"));
    return std::nullopt;
  }
  const PickleRef top = m_stack.back();
  m_stack.pop_back();
  return top;
}

std::optional<std::vector<PickleRef>> PickleMachine::take_marked() {
  if (m_marks.empty()) {
    fail(bad_pickle("a mark is missing"));
    return std::nullopt;
  }
  const auto begin = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
  std::vector<PickleRef> items(begin, m_stack.end());
  m_stack.erase(begin, m_stack.end());
  m_marks.pop_back();
  return items;
}

void PickleMachine::pop() {
  if (!m_marks.empty() && m_marks.back() == m_stack.size()) return m_marks.pop_back();
  (void)take();
}

void PickleMachine::pop_mark() { (void)take_marked(); }

void PickleMachine::duplicate() {
  if (const auto top = take()) {
    push(*top);
    push(*top);
  }
}

void PickleMachine::collect(PickleKind kind) {
  auto items = take_marked();
  if (!items) return;
  if (kind == PickleKind::dictionary && items->size() % 2 != 0) return fail(bad_pickle("a key has no value"));
  push_items(kind, std::move(*items));
}

void PickleMachine::collect_tuple(std::size_t count) {
  std::vector<PickleRef> items(count);
  for (std::size_t i = count; i-- > 0;) {
    const auto item = take();
    if (!item) return;
    items[i] = *item;
  }
  push_items(PickleKind::tuple, std::move(items));
}

/// Adds items to the list, dictionary, set or object on top of the stack.
void PickleMachine::add(PickleRef to, const std::vector<PickleRef>& items, bool pairs) {
  using enum PickleKind;
  PickleValue& value = m_pickle.values[to];
  const bool is_object = value.kind == object;
  const bool fits = is_object || (pairs ? value.kind == dictionary : value.kind == list || value.kind == set);
  if (!fits)
    return fail(bad_pickle(pairs ? "keys are set in what is no dictionary" : "items are added to what is no list"));
  if (pairs && items.size() % 2 != 0) return fail(bad_pickle("a key has no value"));
  if (is_object) value.is_list = !pairs;
  value.items.insert(value.items.end(), items.begin(), items.end());
  push(to);
}

void PickleMachine::append() {
  const auto item = take();
  const auto to = item ? take() : item;
  if (to) add(*to, {*item}, false);
}

void PickleMachine::append_all() {
  const auto items = take_marked();
  const auto to = items ? take() : std::nullopt;
  if (to) add(*to, *items, false);
}

void PickleMachine::set_item() {
  const auto value = take();
  const auto key = value ? take() : value;
  const auto to = key ? take() : key;
  if (to) add(*to, {*key, *value}, true);
}

void PickleMachine::set_items() {
  const auto items = take_marked();
  const auto to = items ? take() : std::nullopt;
  if (to) add(*to, *items, true);
}

void PickleMachine::stack_name() {
  const auto name = take();
  const auto module = name ? take() : name;
  if (!module) return;
  const PickleValue& first = m_pickle[*module];
  const PickleValue& second = m_pickle[*name];
  if (first.kind != PickleKind::text || second.kind != PickleKind::text)
    return fail(bad_pickle("the name of a class is no text"));
  push_name(std::string(first.text), std::string(second.text));
}

void PickleMachine::call(PickleRef name, PickleRef arguments) {
  const PickleValue& called = m_pickle[name];
  if (called.kind != PickleKind::name || m_pickle[arguments].kind != PickleKind::tuple)
    return fail(bad_pickle("what is called is no class, or its arguments are no tuple"));
  push_value({.kind = PickleKind::object, .text = called.text, .items = {arguments, 0}});
}

void PickleMachine::reduce() {
  const auto arguments = take();
  const auto name = arguments ? take() : arguments;
  if (name) call(*name, *arguments);
}

void PickleMachine::new_object_with_keywords() {
  if (take()) reduce();
}

void PickleMachine::call_after_mark(bool first) {
  const auto last = first ? std::optional<PickleRef>(0) : take();
  if (!last) return;
  auto arguments = take_marked();
  if (!arguments) return;
  if (first && arguments->empty()) return fail(bad_pickle("a class is missing"));
  const PickleRef name = first ? arguments->front() : *last;
  if (first) arguments->erase(arguments->begin());
  push_items(PickleKind::tuple, std::move(*arguments));
  push(name);
  const auto called = take();
  const auto tuple = called ? take() : called;
  if (tuple) call(*called, *tuple);
}

void PickleMachine::build() {
  const auto state = take();
  const auto top = state ? take() : state;
  if (!top) return;
  PickleValue& value = m_pickle.values[*top];
  if (value.kind == PickleKind::object) value.items[object_state] = *state;
  push(*top);
}

void PickleMachine::refer_outside() {
  if (const auto description = take()) push_items(PickleKind::outside, {*description});
}

void PickleMachine::remember(std::uint64_t place) {
  const auto top = take();
  if (!top) return;
  m_memo[place] = *top;
  push(*top);
}

void PickleMachine::recall(std::uint64_t place) {
  const auto found = m_memo.find(place);
  if (found == m_memo.end()) return fail(bad_pickle("a value that was not kept is used again"));
  push(found->second);
}

Result<Pickle> PickleMachine::finish(std::uint64_t end) {
  m_marks.clear();
  const auto root = take();
  if (!root) return error();
  m_pickle.root = *root;
  m_pickle.end = end;
  return std::move(m_pickle);
}

}  // namespace vqscope
