// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/random_values.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace vqscope::settings {
namespace {

constexpr std::array<Index, 18> lengths{1,       2,       3,       7,          64,         127,
                                        128,     129,     4095,    46340,      46341,      65535,
                                        1 << 16, 1 << 20, 1 << 21, 2147483646, 2147483647, 2147483648};

constexpr std::array mask_texts{"",
                                "q_idx - kv_idx < 128",
                                "kv_idx <= q_idx",
                                "(q_idx - kv_idx) % 7 == 0",
                                "q_idx * kv_idx % 3 == 1",
                                "(q_idx // 3 + kv_idx * 5) % 11 < 4",
                                "q_idx * q_idx + kv_idx * kv_idx < 1000000",
                                "kv_idx % (q_idx + 1) == 0",
                                "kv_idx // 0 == q_idx",
                                "def mask_mod(b, h, q_idx, kv_idx):\n    return kv_idx <= document_lengths[b]\n",
                                "def mask_mod(b, h, q_idx, kv_idx):\n    return q_idx - kv_idx <= window\n",
                                "return",
                                "q_idx <",
                                "((((((((((((((((q_idx))))))))))))))))",
                                "\xff\xfe",
                                "False",
                                "True"};

/// Style of values: how many are changed, how many of those are wrong, and whether they are large.
struct Manner {
  double touched = 0.5;
  double wrong = 0;
  bool heavy = false;
};

class Sampler {
 public:
  Sampler(SeededRandom& random, const Manner& manner) : m_random(random), m_manner(manner) {}

  ParameterValue value(const ParameterSpec& spec) {
    if (!chance(m_manner.touched)) return spec.default_value;
    return chance(m_manner.wrong) ? wrong(spec) : right(spec);
  }

 private:
  bool chance(double probability) { return m_random.uniform() <= probability; }
  Index below(Index count) { return static_cast<Index>(m_random.bits() % static_cast<std::uint64_t>(count)); }

  template <class Items>
  auto one_of(const Items& items) {
    return items[static_cast<std::size_t>(below(static_cast<Index>(std::size(items))))];
  }

  /// Evenly, by magnitude, or at an end.
  double number(double low, double high) {
    if (m_manner.heavy && chance(0.6)) return high * (1 - 0.1 * (m_random.uniform() - 0x1p-53) * (high > 1 ? 1 : 0));
    switch (below(5)) {
      case 0: return low;
      case 1: return high;
      case 2: return low + (high - low) * m_random.uniform();
      case 3: return low + std::exp(std::log1p(high - low) * m_random.uniform()) - 1;
      default: return std::nextafter(low, high);
    }
  }

  Index integer(const ParameterSpec& spec) {
    if (!m_manner.heavy && chance(0.4))
      if (const Index length = one_of(lengths);
          static_cast<double>(length) >= spec.minimum && static_cast<double>(length) <= spec.maximum)
        return length;
    return static_cast<Index>(
        std::llround(std::clamp(std::round(number(spec.minimum, spec.maximum)), spec.minimum, spec.maximum)));
  }

  double real(const ParameterSpec& spec) {
    return std::clamp(number(spec.minimum, spec.maximum), spec.minimum, spec.maximum);
  }

  Index items(const ParameterSpec& spec) {
    constexpr std::array<Index, 6> counts{0, 1, 2, 5, 63, 1000};
    return std::min(chance(0.1) ? spec.most_items : one_of(counts), spec.most_items);
  }

  ParameterValue right(const ParameterSpec& spec) {
    switch (spec.kind) {
      case ParameterKind::integer: return integer(spec);
      case ParameterKind::real: return real(spec);
      case ParameterKind::boolean: return chance(0.5);
      case ParameterKind::choice: return spec.choices.empty() ? std::string() : one_of(spec.choices).id;
      case ParameterKind::choice_set: return choices(spec);
      case ParameterKind::integer_list: {
        std::vector<Index> list(static_cast<std::size_t>(items(spec)));
        for (Index& item : list) item = integer(spec);
        return list;
      }
      case ParameterKind::real_list: {
        std::vector<double> list(static_cast<std::size_t>(items(spec)));
        for (double& item : list) item = real(spec);
        return list;
      }
      case ParameterKind::text: return std::string(one_of(mask_texts));
      case ParameterKind::tensor: return std::string(chance(0.5) ? "" : "absent.npy:q[1,2]");
    }
    return spec.default_value;
  }

  ParameterValue choices(const ParameterSpec& spec) {
    std::vector<std::string> some;
    const double wanted = m_random.uniform();
    for (const auto& choice : spec.choices)
      if (m_manner.heavy || chance(wanted)) some.push_back(choice.id);
    if (!some.empty() && chance(0.1)) some.push_back(some.front());
    return some;
  }

  double no_number(const ParameterSpec& spec) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    const std::array strange{std::numeric_limits<double>::quiet_NaN(),
                             inf,
                             -inf,
                             1e300,
                             -1e300,
                             spec.maximum * 2 + 1,
                             spec.minimum - 1,
                             -0.5};
    return one_of(strange);
  }

  Index no_integer(const ParameterSpec& spec) {
    constexpr Index most = std::numeric_limits<Index>::max();
    const std::array strange{most,
                             -most - 1,
                             Index{-1},
                             Index{1} << 53,
                             static_cast<Index>(std::min(spec.maximum, 0x1p62)) + 1,
                             static_cast<Index>(std::max(spec.minimum, -0x1p62)) - 1,
                             Index{0}};
    return one_of(strange);
  }

  /// Out of range, or of another type.
  ParameterValue wrong(const ParameterSpec& spec) {
    if (chance(0.15)) {
      const std::array<ParameterValue, 7> types{Index{3},
                                                0.5,
                                                true,
                                                std::string("nonsense"),
                                                std::vector<std::string>{"nonsense"},
                                                std::vector<Index>{1, 2},
                                                std::vector<double>{1, 2}};
      return one_of(types);
    }
    switch (spec.kind) {
      case ParameterKind::integer: return no_integer(spec);
      case ParameterKind::real: return no_number(spec);
      case ParameterKind::boolean: return std::string("maybe");
      case ParameterKind::choice: return long_text(spec);
      case ParameterKind::choice_set: return std::vector<std::string>{"", std::get<std::string>(long_text(spec))};
      case ParameterKind::integer_list:
        return chance(0.5) ? std::vector<Index>(static_cast<std::size_t>(spec.most_items) + 1, 1)
                           : std::vector<Index>{1, no_integer(spec)};
      case ParameterKind::real_list:
        return chance(0.5) ? std::vector<double>(static_cast<std::size_t>(spec.most_items) + 1, 1.0)
                           : std::vector<double>{1, no_number(spec)};
      case ParameterKind::text:
      case ParameterKind::tensor: return long_text(spec);
    }
    return spec.default_value;
  }

  ParameterValue long_text(const ParameterSpec& spec) {
    const Index bytes = chance(0.5) ? 3 : std::min<Index>(spec.most_items + 1, 100000);
    return std::string(static_cast<std::size_t>(bytes), chance(0.5) ? 'q' : '\x80');
  }

  SeededRandom& m_random;
  Manner m_manner;
};

ParameterValues sampled(const Method& method, SeededRandom& random, const Manner& manner) {
  Sampler sampler(random, manner);
  ParameterValues values;
  for (const auto& spec : method.parameters) values.set(spec.name, sampler.value(spec));
  if (!method.free_parameters || !check_values(method.parameters, values)) return values;
  for (const auto& spec : parameters_of(method, values))
    if (!values.find(spec.name) || !find_spec(method.parameters, spec.name)) values.set(spec.name, sampler.value(spec));
  return values;
}

std::string quoted(const std::string& text) {
  constexpr std::size_t most = 200;
  std::string shown =
      text.size() <= most ? text : text.substr(0, most) + "...(" + to_text(static_cast<Index>(text.size())) + " bytes)";
  std::string all = "'";
  for (const char c : shown) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return all + "'";
}

}  // namespace

ParameterValues random_values(const Method& method, SeededRandom& random) {
  constexpr std::array touched{0.1, 0.3, 0.6, 0.95};
  Manner manner{.touched = touched[random.bits() % touched.size()]};
  if (random.uniform() <= 0.3) manner.wrong = random.uniform() <= 0.5 ? 0.1 : 0.5;
  return sampled(method, random, manner);
}

ParameterValues heavy_values(const Method& method, SeededRandom& random) {
  constexpr std::array touched{0.3, 0.6, 0.9, 1.0};
  return sampled(method, random, {.touched = touched[random.bits() % touched.size()], .wrong = 0, .heavy = true});
}

std::string command_line(const Method& method, const ParameterValues& values) {
  std::string line = "vqscope export " + method.id;
  for (const auto& spec : parameters_of(method, values))
    if (const auto* value = values.find(spec.name); value && *value != spec.default_value)
      line += " --set " + spec.name + "=" + quoted(format_value(*value));
  return line + " --out numbers.csv";
}

}  // namespace vqscope::settings
