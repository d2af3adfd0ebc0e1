// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/io/pickle/pickle_value.h"

#include <optional>
#include <unordered_map>

namespace vqscope {

/// The number at which torch's form before zip files begins, as the text that stands for it here.
inline constexpr std::string_view old_torch_magic = "torch's magic number 0x1950a86a20f9469cfc6c";

/// The stack, the memo and the values of a pickle. The first failure stays: the caller checks for
/// it after each opcode.
class PickleMachine {
 public:
  PickleMachine();

  bool failed() const { return m_error.has_value(); }
  const Error& error() const { return *m_error; }
  void fail(Error error);

  void push_none() { push(0); }
  void push_boolean(bool value) { push(value ? 2 : 1); }
  void push_whole(Index value);
  void push_real(double value);
  /// Without a place: the text is all of it.
  void push_text(PickleKind kind, std::string text, bool unicode = true, std::optional<std::uint64_t> place = {},
                 std::uint64_t size = 0);
  void push_items(PickleKind kind, std::vector<PickleRef> items);
  /// Refuses a name that is not allowed.
  void push_name(const std::string& module, const std::string& name);

  void mark() { m_marks.push_back(m_stack.size()); }
  void pop();
  void pop_mark();
  void duplicate();
  void collect(PickleKind kind);
  void collect_tuple(std::size_t count);
  void append();
  void append_all();
  void set_item();
  void set_items();

  void stack_name();
  void reduce();
  void new_object_with_keywords();
  /// A call whose arguments stand after the mark; `first`: the name stands before them, else after.
  void call_after_mark(bool first);
  void build();
  void refer_outside();

  void remember(std::uint64_t place);
  void recall(std::uint64_t place);
  void memoize() { remember(m_memo.size()); }

  Result<Pickle> finish(std::uint64_t end);

 private:
  void push(PickleRef ref);
  void push_value(PickleValue value);
  std::optional<PickleRef> take();
  /// The values after the last mark.
  std::optional<std::vector<PickleRef>> take_marked();
  void call(PickleRef name, PickleRef arguments);
  void add(PickleRef to, const std::vector<PickleRef>& items, bool pairs);

  Pickle m_pickle;
  std::vector<PickleRef> m_stack;
  std::vector<std::size_t> m_marks;
  std::unordered_map<std::uint64_t, PickleRef> m_memo;
  std::optional<Error> m_error;
};

}  // namespace vqscope
