// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/train/carried_tensors.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr const char* tokens_name = "carried.tokens";

std::string carried_name(Index layer, const char* what) { return fmt::format("carried.layer{}.{}", layer, what); }

template <class Value>
void append_to(std::vector<Value>& all, const auto& some) {
  for (const auto& value : some) all.push_back(static_cast<Value>(value));
}

template <class Real>
void append_carried_layer(const TransformerConfig& config, const CarriedState<Real>& state, Index layer,
                          std::vector<NamedTensor>& out) {
  std::vector<Real> keys, values;
  std::vector<std::int32_t> codes, counts;
  std::vector<double> sums;
  for (Index row = 0; row < state.rows(); ++row) {
    const CarriedKeys<Real>& own = state.before(layer, row);
    append_to(keys, own.k);
    append_to(values, own.v);
    append_to(codes, own.codes);
    for (const CodeTotals& totals : own.totals) {
      append_to(counts, totals.counts);
      append_to(sums, totals.sums);
    }
  }
  const Index rows = state.rows(), kept = state.kept(), heads = config.n_kv_heads;
  out.push_back({carried_name(layer, "keys"), {rows, kept, config.key_width()}, std::move(keys)});
  out.push_back({carried_name(layer, "values"), {rows, kept, config.value_width()}, std::move(values)});
  out.push_back({carried_name(layer, "codes"), {rows, heads, kept}, std::move(codes)});
  if (!config.cache) return;
  out.push_back({carried_name(layer, "counts"), {rows, heads, config.n_code}, std::move(counts)});
  out.push_back({carried_name(layer, "sums"), {rows, heads, config.n_code, config.value_dim()}, std::move(sums)});
}

/// Reads the tensors of layers, with `rows` in front of each shape.
class CarriedReader {
 public:
  CarriedReader(const NamedTensors& file, Index rows) : m_file(file), m_rows(rows) {}

  Result<std::vector<double>> reals(Index layer, const char* what, std::vector<Index> shape) const {
    const auto entry = find(layer, what, std::move(shape));
    if (!entry) return entry.error();
    auto values = m_file.reals(**entry);
    return values ? std::move(values) : Result<std::vector<double>>(m_file.named(values.error()));
  }

  /// Each from 0 to `most`.
  Result<std::vector<std::int32_t>> integers(Index layer, const char* what, std::vector<Index> shape,
                                             Index most) const {
    const auto entry = find(layer, what, std::move(shape));
    if (!entry) return entry.error();
    auto values = m_file.integers(**entry);
    if (!values) return m_file.named(values.error());
    for (const std::int32_t value : *values)
      if (value < 0 || value > most)
        return m_file.named(
            invalid("tensor {} has {} but must have numbers from 0 to {}", carried_name(layer, what), value, most));
    return values;
  }

 private:
  Result<const SafetensorsEntry*> find(Index layer, const char* what, std::vector<Index> shape) const {
    shape.insert(shape.begin(), m_rows);
    const std::string name = carried_name(layer, what);
    const SafetensorsEntry* entry = m_file.find(name);
    if (entry && entry->shape == shape) return entry;
    return m_file.named(
        invalid("tensor {} of shape {} is missing, attention carried to the next step", name, shape_text(shape)));
  }

  const NamedTensors& m_file;
  Index m_rows;
};

template <class To, class From>
std::vector<To> row_of(const std::vector<From>& all, Index row, Index rows) {
  const Index size = std::ssize(all) / rows;
  return {all.begin() + row * size, all.begin() + (row + 1) * size};
}

template <class Real>
Result<void> read_carried_layer(const CarriedReader& reader, const TransformerConfig& config, Index kept, Index layer,
                                CarriedState<Real>& state) {
  const Index heads = config.n_kv_heads, width = config.value_dim(), rows = state.rows();
  const auto keys = reader.reals(layer, "keys", {kept, config.key_width()});
  if (!keys) return keys.error();
  const auto values = reader.reals(layer, "values", {kept, config.value_width()});
  if (!values) return values.error();
  const auto codes = reader.integers(layer, "codes", {heads, kept}, config.n_code - 1);
  if (!codes) return codes.error();
  for (Index row = 0; row < rows; ++row) {
    CarriedKeys<Real>& own = state.after(layer, row);
    const auto k = row_of<double>(*keys, row, rows), v = row_of<double>(*values, row, rows);
    append_to(own.k, k);
    append_to(own.v, v);
    own.codes = row_of<std::int32_t>(*codes, row, rows);
  }
  if (!config.cache) return {};
  const auto counts = reader.integers(layer, "counts", {heads, config.n_code}, std::int32_t{1} << 30);
  if (!counts) return counts.error();
  const auto sums = reader.reals(layer, "sums", {heads, config.n_code, width});
  if (!sums) return sums.error();
  for (Index row = 0; row < rows; ++row)
    for (Index head = 0; head < heads; ++head)
      state.after(layer, row).totals[static_cast<std::size_t>(head)] = {
          row_of<Index>(*counts, row * heads + head, rows * heads),
          row_of<double>(*sums, row * heads + head, rows * heads)};
  return {};
}

}  // namespace

template <class Real>
void append_carried(const TransformerConfig& config, const CarriedState<Real>& state, std::vector<NamedTensor>& out) {
  out.push_back({tokens_name, {1}, std::vector{static_cast<std::int32_t>(state.tokens())}});
  for (Index layer = 0; layer < config.attention_layers(); ++layer) append_carried_layer(config, state, layer, out);
}

template <class Real>
Result<std::optional<CarriedState<Real>>> read_carried(const NamedTensors& file, const TransformerConfig& config) {
  std::optional<CarriedState<Real>> state;
  const SafetensorsEntry* entry = file.find(tokens_name);
  const SafetensorsEntry* codes = file.find(carried_name(0, "codes"));
  if (!entry || !codes || !config.quantises()) return state;
  const auto tokens = file.integers(*entry);
  if (!tokens) return file.named(tokens.error());
  if (tokens->size() != 1 || tokens->front() < 1 || codes->shape.empty() || codes->shape.front() < 1)
    return file.named(invalid("tensor {} must have one number above 0", tokens_name));
  const Index rows = codes->shape.front();
  state.emplace(config, rows);
  const Index kept = std::min<Index>(tokens->front(), carried_tokens(config));
  for (Index layer = 0; layer < config.attention_layers(); ++layer)
    if (auto read = read_carried_layer(CarriedReader(file, rows), config, kept, layer, *state); !read)
      return read.error();
  state->advance(tokens->front());
  return state;
}

template void append_carried(const TransformerConfig&, const CarriedState<float>&, std::vector<NamedTensor>&);
template void append_carried(const TransformerConfig&, const CarriedState<double>&, std::vector<NamedTensor>&);
template Result<std::optional<CarriedState<float>>> read_carried(const NamedTensors&, const TransformerConfig&);
template Result<std::optional<CarriedState<double>>> read_carried(const NamedTensors&, const TransformerConfig&);

}  // namespace vqscope
