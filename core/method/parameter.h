// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/base/variant.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// Index for integers, std::string for a choice, a text or a tensor, vector<string> for a
/// choice_set.
using ParameterValue =
    Variant<Index, double, bool, std::string, std::vector<std::string>, std::vector<Index>, std::vector<double>>;

enum class ParameterKind {
  integer,
  real,
  boolean,
  choice,
  choice_set,
  integer_list,
  real_list,
  text,
  tensor  ///< FILE:NAME[layer,head], as parse_tensor_name takes it; empty: none
};

struct Choice {
  std::string id;
  std::string help;
  std::string title = {};  ///< in forms and titles; empty: the id
  const std::string& shown() const { return title.empty() ? id : title; }
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// The parameter is looked at only while `name`, or `also`, has one of `values`; forms hide it
/// otherwise.
struct Relevance {
  std::string name;
  std::vector<std::string> values;
  std::string also = {};  ///< empty: `name` alone decides
  friend bool operator==(const Relevance&, const Relevance&) = default;
};

/// Either kind of list of numbers.
constexpr bool is_number_list(ParameterKind kind) {
  return kind == ParameterKind::integer_list || kind == ParameterKind::real_list;
}

/// Subject of a parameter.
enum class ParameterRole {
  method,  ///< what the method does; its source is cited for it
  tokens,  ///< the tokens it is applied to
  shape,   ///< how many tokens: both sides of a comparison have it alike, so that cells meet
  picture  ///< how a matrix is shown; its numbers do not depend on it
};

/// Whether the title of a picture includes the value.
enum class InSummary { if_changed, always, never };

/// Language of a text: plain words on a line, or the mask language.
enum class TextForm { line, mask };

/// Everything forms, `--set`, JSON, validation and documentation need to know of one knob.
struct ParameterSpec {
  std::string name;   ///< the field's own name, as in files and scripts
  std::string label;  ///< what a form shows; empty: the name itself
  std::string group;  ///< heading in forms
  std::string help;   ///< one sentence
  ParameterKind kind = ParameterKind::integer;
  ParameterRole role = ParameterRole::method;
  ParameterValue default_value = Index{0};  ///< the default
  double minimum = 0;                       ///< of a number, or of each list item
  double maximum = 0;
  bool logarithmic = false;  ///< the slider is log-scaled
  bool playable = false;     ///< an integer whose values make an animation
  std::string unit;
  std::string automatic;  ///< what the minimum (or an empty list) stands for; empty: nothing special
  std::vector<Choice> choices;
  std::vector<Relevance> relevant;  ///< all must hold
  Index most_items = 65536;         ///< of a list; bytes of a text or a tensor's name
  std::string short_label;          ///< in the title of a picture; empty: the name
  InSummary in_summary = InSummary::if_changed;
  TextForm text_form = TextForm::line;
  /// For a list: the files that a form offers to read it from; empty: none.
  std::string file_filter = "Arrays (*.npy *.npz *.safetensors *.pt *.pth *.pkl);;All files (*)";

  const std::string& title() const { return label.empty() ? name : label; }
  const std::string& short_title() const { return short_label.empty() ? name : short_label; }
  friend bool operator==(const ParameterSpec&, const ParameterSpec&) = default;
};

/// `rest` with these texts. Unless it has a kind, the kind is that of its default; a string is a
/// choice.
ParameterSpec make_parameter(std::string name, std::string group, std::string help, ParameterSpec rest);
/// Appends one.
void add_parameter(std::vector<ParameterSpec>& specs, std::string name, std::string group, std::string help,
                   ParameterSpec rest);

/// Values by name. Plain data: comparable, copyable, serialisable.
class ParameterValues {
 public:
  using Map = std::map<std::string, ParameterValue, std::less<>>;

  void set(std::string name, ParameterValue value) { m_map.insert_or_assign(std::move(name), std::move(value)); }
  const ParameterValue* find(std::string_view name) const;
  const Map& map() const& { return m_map; }
  const Map& map() && = delete;  // a loop over it would outlive the values

  /// A value that must be there with that type: a caller's bug otherwise.
  Index integer(std::string_view name) const;
  double real(std::string_view name) const;
  bool boolean(std::string_view name) const;
  const std::string& choice(std::string_view name) const;
  const std::vector<std::string>& choices(std::string_view name) const;
  const std::vector<Index>& integers(std::string_view name) const;
  const std::vector<double>& reals(std::string_view name) const;
  const std::string& text(std::string_view name) const { return choice(name); }

  friend bool operator==(const ParameterValues&, const ParameterValues&) = default;

 private:
  Map m_map;
};

const ParameterSpec* find_spec(std::span<const ParameterSpec> specs, std::string_view name);
/// The defaults, and those of `set` in their places.
ParameterValues default_values(std::span<const ParameterSpec> specs, const ParameterValues::Map& set = {});
bool is_relevant(const ParameterSpec& spec, const ParameterValues& values);

/// Refuses a value other than the default that nothing looks at: "sliding_window is not used while
/// mask is cross".
Result<void> check_relevant(const ParameterSpec& spec, const ParameterValues& values);

/// "an integer from 1 to 2147483648", "one of default, linear, ntk".
std::string allowed(const ParameterSpec& spec);

/// From the text after `--set name=`, numbers as parse_amount takes them; the error names the
/// parameter, what was given and what is allowed.
Result<ParameterValue> parse_value(const ParameterSpec& spec, std::string_view text);
std::string format_value(const ParameterValue& value);
Result<void> check_value(const ParameterSpec& spec, const ParameterValue& value);

/// Each value in its range, every name known, every spec present.
Result<void> check_values(std::span<const ParameterSpec> specs, const ParameterValues& values);

}  // namespace vqscope
