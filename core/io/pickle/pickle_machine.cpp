// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/pickle/pickle_machine.h"

#include "core/base/sentence.h"
#include "core/io/pickle/pickle_names.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace vqscope {
namespace {

constexpr std::size_t most_values = std::size_t{1} << 20;
/// Each place takes an instruction, so that a writer does not need higher ones.
constexpr std::uint64_t most_remembered = std::uint64_t{1} << 21;
/// Tuples within tuples, while they are read.
constexpr std::size_t most_marks = std::size_t{1} << 16;
/// Of the names and the texts that are kept.
constexpr std::size_t longest_texts = std::size_t{1} << 25;
constexpr PickleRef nothing = ~PickleRef{0};
/// Whole numbers from 0 on that are made once.
constexpr Index shared_numbers = 256;
constexpr PickleRef first_shared_number = 3;

Error bad_pickle(std::string_view what) { return invalid("the pickle is damaged: {}", what); }

}  // namespace

PickleMachine::PickleMachine(std::uint64_t bytes) {
  auto& values = m_pickle.values;
  values.reserve(
      static_cast<std::size_t>(std::min<std::uint64_t>(most_values, bytes + first_shared_number + shared_numbers)));
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

PickleRef PickleMachine::make(const PickleValue& value) {
  auto& values = m_pickle.values;
  if (values.size() >= most_values) {
    fail(too_large("the pickle has more than {} values", most_values));
    return 0;
  }
  values.push_back(value);
  return static_cast<PickleRef>(values.size() - 1);
}

void PickleMachine::push_whole(Index value) {
  if (value >= 0 && value < shared_numbers) return push(first_shared_number + static_cast<PickleRef>(value));
  push_value({.kind = PickleKind::whole, .whole = value});
}

PickleValue PickleMachine::kept(PickleKind kind, std::string_view text) {
  auto& texts = m_pickle.all_texts;
  if (texts.size() + text.size() > longest_texts) {
    fail(too_large("the names in the pickle have more than {} bytes", longest_texts));
    return {};
  }
  const PickleValue value{.kind = kind,
                          .count = static_cast<std::uint32_t>(text.size()),
                          .first = static_cast<std::uint32_t>(texts.size())};
  texts += text;
  return value;
}

void PickleMachine::push_text(PickleKind kind, PickledForm form, std::string_view text, Index place) {
  PickleValue value = kept(kind, text);
  value.form = form;
  value.whole = place;
  push_value(value);
}

void PickleMachine::push_place(PickleKind kind, PickledForm form, std::uint64_t place, std::uint64_t size) {
  PickleValue value{.kind = kind, .form = form, .whole = static_cast<Index>(place)};
  value.set_size(size);
  push_value(value);
}

PickleRef PickleMachine::make_items(PickleKind kind, std::span<const PickleRef> items) {
  PickleValue value{.kind = kind, .whole = -1};
  extend(value, items);
  return make(value);
}

/// Items that grow have space for the next power of two.
void PickleMachine::extend(PickleValue& value, std::span<const PickleRef> items) {
  auto& all = m_pickle.all_items;
  const std::size_t present = std::bit_ceil(std::size_t{value.count}) - (value.count == 0 ? 1 : 0);
  const std::size_t needed = value.count + items.size();
  if (needed > present) {
    const std::size_t old = value.first;
    const bool is_last = old + present == all.size();
    const std::size_t first = is_last ? old : all.size();
    all.resize(first + std::bit_ceil(needed));
    if (!is_last) std::copy_n(all.data() + old, value.count, all.data() + first);
    value.first = static_cast<std::uint32_t>(first);
  }
  std::ranges::copy(items, all.data() + value.first + value.count);
  value.count = static_cast<std::uint32_t>(needed);
}

void PickleMachine::push_name(std::string_view module, std::string_view name) {
  if (failed()) return;
  std::string whole = fmt::format("{}.{}", module, name);
  if (const auto known = m_names.find(whole); known != m_names.end()) return push(known->second);
  if (!is_allowed_name(module, name))
    return fail(
        invalid("it names {}, which a file of tensors does not need; nothing of it was run", shortened(whole, 80)));
  const PickleRef made = make(kept(PickleKind::name, whole));
  m_names.emplace(std::move(whole), made);
  push(made);
}

void PickleMachine::mark() {
  if (m_marks.size() == most_marks) return fail(too_large("the pickle has more than {} open marks", most_marks));
  m_marks.push_back(m_stack.size());
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

std::optional<std::span<const PickleRef>> PickleMachine::marked() {
  if (!m_marks.empty()) return std::span<const PickleRef>(m_stack).subspan(m_marks.back());
  fail(bad_pickle("a mark is missing"));
  return std::nullopt;
}

void PickleMachine::drop_marked() {
  m_stack.resize(m_marks.back());
  m_marks.pop_back();
}

void PickleMachine::pop() {
  if (!m_marks.empty() && m_marks.back() == m_stack.size()) return m_marks.pop_back();
  (void)take();
}

void PickleMachine::pop_mark() {
  if (marked()) drop_marked();
}

void PickleMachine::duplicate() {
  if (const auto top = take()) {
    push(*top);
    push(*top);
  }
}

void PickleMachine::collect(PickleKind kind) {
  const auto items = marked();
  if (!items) return;
  if (kind == PickleKind::dictionary && items->size() % 2 != 0) return fail(bad_pickle("a key has no value"));
  const PickleRef made = make_items(kind, *items);
  drop_marked();
  push(made);
}

void PickleMachine::collect_tuple(std::size_t count) {
  std::array<PickleRef, 3> items{};
  assert(count <= items.size());
  for (std::size_t i = count; i-- > 0;) {
    const auto item = take();
    if (!item) return;
    items[i] = *item;
  }
  push_items(PickleKind::tuple, std::span(items).first(count));
}

/// Adds items to the list, dictionary, set or object.
void PickleMachine::add(PickleRef to, std::span<const PickleRef> items, bool pairs) {
  using enum PickleKind;
  PickleValue& value = m_pickle.values[to];
  const bool is_object = value.kind == object;
  const bool fits = is_object || (pairs ? value.kind == dictionary : value.kind == list || value.kind == set);
  if (!fits)
    return fail(bad_pickle(pairs ? "keys are set in what is no dictionary" : "items are added to what is no list"));
  if (pairs && items.size() % 2 != 0) return fail(bad_pickle("a key has no value"));
  if (is_object) value.is_list = !pairs;
  extend(value, items);
}

/// Adds what follows the mark to the value before it, which stays on the stack.
void PickleMachine::add_marked(bool pairs) {
  const auto items = marked();
  if (!items) return;
  const std::size_t bottom = m_marks.size() > 1 ? m_marks[m_marks.size() - 2] : 0;
  if (m_marks.back() <= bottom) return fail(bad_pickle("a value is missing"));
  add(m_stack[m_marks.back() - 1], *items, pairs);
  drop_marked();
}

void PickleMachine::append() {
  const auto item = take();
  const auto to = item ? take() : item;
  if (!to) return;
  add(*to, std::array{*item}, false);
  push(*to);
}

void PickleMachine::set_item() {
  const auto value = take();
  const auto key = value ? take() : value;
  const auto to = key ? take() : key;
  if (!to) return;
  add(*to, std::array{*key, *value}, true);
  push(*to);
}

void PickleMachine::stack_name() {
  const auto name = take();
  const auto module = name ? take() : name;
  if (!module) return;
  if (m_pickle[*module].kind != PickleKind::text || m_pickle[*name].kind != PickleKind::text)
    return fail(bad_pickle("the name of a class is no text"));
  push_name(m_pickle.text(*module), m_pickle.text(*name));
}

void PickleMachine::call(PickleRef name, PickleRef arguments) {
  if (m_pickle[name].kind != PickleKind::name || m_pickle[arguments].kind != PickleKind::tuple)
    return fail(bad_pickle("what is called is no class, or its arguments are no tuple"));
  push_items(PickleKind::object, std::array<PickleRef, 3>{name, arguments, 0});
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
  const auto arguments = last ? marked() : std::nullopt;
  if (!arguments) return;
  if (first && arguments->empty()) return fail(bad_pickle("a class is missing"));
  const PickleRef name = first ? arguments->front() : *last;
  const PickleRef tuple = make_items(PickleKind::tuple, arguments->subspan(first ? 1 : 0));
  drop_marked();
  call(name, tuple);
}

void PickleMachine::build() {
  const auto state = take();
  const auto top = state ? take() : state;
  if (!top) return;
  const PickleValue& value = m_pickle[*top];
  if (value.kind == PickleKind::object) m_pickle.all_items[value.first + object_state] = *state;
  push(*top);
}

void PickleMachine::refer_outside() {
  if (const auto description = take()) push_items(PickleKind::outside, std::array{*description});
}

void PickleMachine::remember(std::uint64_t place) {
  const auto top = take();
  if (!top) return;
  push(*top);
  if (place >= most_remembered)
    return fail(too_large("the memo has a place {} but must be below {}", place, most_remembered));
  const auto at = static_cast<std::size_t>(place);
  if (at >= m_memo.size()) m_memo.resize(at + 1, nothing);
  if (m_memo[at] == nothing) ++m_remembered;
  m_memo[at] = *top;
}

void PickleMachine::recall(std::uint64_t place) {
  const PickleRef found = place < m_memo.size() ? m_memo[static_cast<std::size_t>(place)] : nothing;
  if (found == nothing) return fail(bad_pickle("a value that was not kept is used again"));
  push(found);
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
