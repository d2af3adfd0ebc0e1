// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/pickle/pickle_value.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vqscope {

/// The number at which torch's form before zip files begins, as the text that stands for it here.
inline constexpr std::string_view old_torch_magic = "torch's magic number 0x1950a86a20f9469cfc6c";

/// The stack, the memo and the values of a pickle. The first failure stays: the caller checks for
/// it after each opcode.
class PickleMachine {
 public:
  /// `bytes`: size of the pickle, which bounds its values.
  explicit PickleMachine(std::uint64_t bytes);

  bool failed() const { return m_error.has_value(); }
  const Error& error() const { return *m_error; }
  void fail(Error error);

  void push_none() { push(0); }
  void push_boolean(bool value) { push(value ? 2 : 1); }
  void push_whole(Index value);
  void push_real(double value) { push_value(PickleValue::of_real(value)); }
  /// Keeps the decoded text; `place` is that of the bytes in the file, -1 if they are not in it as they are.
  void push_text(PickleKind kind, PickledForm form, std::string_view text, Index place = -1);
  /// A text that stays in the file.
  void push_place(PickleKind kind, PickledForm form, std::uint64_t place, std::uint64_t size);
  void push_items(PickleKind kind, std::span<const PickleRef> items = {}) { push(make_items(kind, items)); }
  /// Refuses a name that is not allowed.
  void push_name(std::string_view module, std::string_view name);

  void mark();
  void pop();
  void pop_mark();
  void duplicate();
  void collect(PickleKind kind);
  void collect_tuple(std::size_t count);
  void append();
  void append_all() { add_marked(false); }
  void set_item();
  void set_items() { add_marked(true); }

  void stack_name();
  void reduce();
  void new_object_with_keywords();
  /// A call whose arguments stand after the mark; `first`: the name stands before them, else after.
  void call_after_mark(bool first);
  void build();
  void refer_outside();

  void remember(std::uint64_t place);
  void recall(std::uint64_t place);
  void memoize() { remember(m_remembered); }

  Result<Pickle> finish(std::uint64_t end);

 private:
  void push(PickleRef ref);
  void push_value(const PickleValue& value) { push(make(value)); }
  /// A new value, which is not on the stack yet.
  PickleRef make(const PickleValue& value);
  PickleRef make_items(PickleKind kind, std::span<const PickleRef> items);
  std::optional<PickleRef> take();
  /// The values after the last mark, until drop_marked() takes them off the stack.
  std::optional<std::span<const PickleRef>> marked();
  void drop_marked();
  void call(PickleRef name, PickleRef arguments);
  void add(PickleRef to, std::span<const PickleRef> items, bool pairs);
  void add_marked(bool pairs);
  void extend(PickleValue& value, std::span<const PickleRef> items);
  PickleValue kept(PickleKind kind, std::string_view text);

  Pickle m_pickle;
  std::vector<PickleRef> m_stack;
  std::vector<std::size_t> m_marks;
  std::vector<PickleRef> m_memo;
  std::size_t m_remembered = 0;  ///< places of the memo that were filled
  std::unordered_map<std::string, PickleRef> m_names;
  std::optional<Error> m_error;
};

}  // namespace vqscope
