// A C++ program for the corpus. The program sorts containers, parses JSON, and evaluates expressions. Most calls can
// throw, and many functions are instances of templates.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

using nlohmann::json;

namespace {

// ---- an interpreter of arithmetic that reports errors by exceptions --------------------------

struct SyntaxError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct DivisionByZero : std::domain_error {
  DivisionByZero() : std::domain_error("division by zero") {}
};

struct Expression {
  virtual ~Expression() = default;
  virtual double evaluate(const std::map<std::string, double> &names) const = 0;
};
using ExpressionPointer = std::unique_ptr<Expression>;

struct Number : Expression {
  explicit Number(double value) : value(value) {}
  double evaluate(const std::map<std::string, double> &) const override { return value; }
  double value;
};

struct Name : Expression {
  explicit Name(std::string name) : name(std::move(name)) {}
  double evaluate(const std::map<std::string, double> &names) const override {
    return names.at(name);
  }
  std::string name;
};

struct Operation : Expression {
  Operation(char symbol, ExpressionPointer left, ExpressionPointer right)
      : symbol(symbol), left(std::move(left)), right(std::move(right)) {}
  double evaluate(const std::map<std::string, double> &names) const override {
    double a = left->evaluate(names), b = right->evaluate(names);
    switch (symbol) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    case '/':
      if (b == 0) throw DivisionByZero();
      return a / b;
    }
    throw std::logic_error(std::string("no operation ") + symbol);
  }
  char symbol;
  ExpressionPointer left, right;
};

class Parser {
public:
  explicit Parser(const std::string &text) {
    static const std::regex token(R"(\s*([A-Za-z_]\w*|\d+\.?\d*|[-+*/()]))");
    auto begin = std::sregex_iterator(text.begin(), text.end(), token);
    for (auto match = begin; match != std::sregex_iterator(); ++match)
      tokens.push_back((*match)[1].str());
  }
  ExpressionPointer parse() {
    auto expression = sum();
    if (!tokens.empty()) throw SyntaxError("unexpected " + tokens.front());
    return expression;
  }

private:
  std::deque<std::string> tokens;

  std::string take() {
    if (tokens.empty()) throw SyntaxError("unexpected end");
    std::string token = std::move(tokens.front());
    tokens.pop_front();
    return token;
  }
  bool next_is(const char *symbols) const {
    return !tokens.empty() && std::string(symbols).find(tokens.front()[0]) != std::string::npos;
  }
  ExpressionPointer sum() {
    auto left = product();
    while (next_is("+-")) {
      char symbol = take()[0];
      left = std::make_unique<Operation>(symbol, std::move(left), product());
    }
    return left;
  }
  ExpressionPointer product() {
    auto left = atom();
    while (next_is("*/")) {
      char symbol = take()[0];
      left = std::make_unique<Operation>(symbol, std::move(left), atom());
    }
    return left;
  }
  ExpressionPointer atom() {
    std::string token = take();
    if (token == "(") {
      auto inside = sum();
      if (take() != ")") throw SyntaxError("expected )");
      return inside;
    }
    if (std::isdigit(static_cast<unsigned char>(token[0])))
      return std::make_unique<Number>(std::stod(token));
    return std::make_unique<Name>(token);
  }
};

// ---- templates for many types ----------------------------------------------------------------

template <typename T> struct Sample;
template <> struct Sample<int> {
  static int make(std::mt19937 &random) { return static_cast<int>(random() % 1000); }
};
template <> struct Sample<std::uint64_t> {
  static std::uint64_t make(std::mt19937 &random) { return std::uint64_t(random()) << 20; }
};
template <> struct Sample<double> {
  static double make(std::mt19937 &random) { return random() / 1024.0; }
};
template <> struct Sample<std::string> {
  static std::string make(std::mt19937 &random) {
    return std::string(random() % 20, static_cast<char>('a' + random() % 26));
  }
};
template <typename A, typename B> struct Sample<std::pair<A, B>> {
  static std::pair<A, B> make(std::mt19937 &random) {
    A first = Sample<A>::make(random);
    return {std::move(first), Sample<B>::make(random)};
  }
};

template <typename T> std::size_t exercise_sequences(std::mt19937 &random) {
  std::vector<T> values;
  std::generate_n(std::back_inserter(values), 200, [&] { return Sample<T>::make(random); });
  std::deque<T> queue(values.begin(), values.end());
  std::list<T> sorted_values(values.rbegin(), values.rend());
  std::sort(values.begin(), values.end());
  std::stable_sort(queue.begin(), queue.end(), std::greater<T>());
  sorted_values.sort();
  sorted_values.unique();
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::partial_sort(queue.begin(), queue.begin() + 10, queue.end());
  std::priority_queue<T> heap(queue.begin(), queue.end());
  while (heap.size() > 100) heap.pop();
  values.insert(values.begin() + 3, heap.top());
  std::rotate(values.begin(), values.begin() + 5, values.end());
  std::shuffle(values.begin(), values.end(), random);
  if (values.at(1) == queue.at(2)) throw std::range_error("what are the odds");
  return values.size() + queue.size() + sorted_values.size();
}

template <typename K, typename V> std::size_t exercise_maps(std::mt19937 &random) {
  std::map<K, V> ordered;
  std::multimap<V, K> reverse;
  std::set<std::pair<K, V>> pairs;
  for (int round = 0; round < 100; ++round) {
    auto key = Sample<K>::make(random);
    auto value = Sample<V>::make(random);
    ordered[key] = value;
    reverse.emplace(value, key);
    if (!pairs.emplace(key, value).second && round > 90) pairs.clear();
  }
  for (auto entry = ordered.begin(); entry != ordered.end();)
    entry = reverse.count(entry->second) > 1 ? ordered.erase(entry) : std::next(entry);
  return ordered.size() + reverse.size() + pairs.size();
}

template <typename K, typename V> std::size_t exercise_hashes(std::mt19937 &random) {
  std::unordered_map<K, std::vector<V>> groups;
  for (int round = 0; round < 100; ++round)
    groups[Sample<K>::make(random)].push_back(Sample<V>::make(random));
  std::size_t largest = 0;
  for (auto &[key, members] : groups) largest = std::max(largest, members.size());
  return groups.size() * largest;
}

using Cell = std::variant<std::monostate, std::int64_t, double, std::string, std::vector<double>>;

std::string describe(const Cell &cell) {
  struct Visitor {
    std::string operator()(std::monostate) const { return "nothing"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return std::to_string(value); }
    std::string operator()(const std::string &value) const { return '"' + value + '"'; }
    std::string operator()(const std::vector<double> &values) const {
      std::ostringstream text;
      for (double value : values) text << value << ' ';
      return text.str();
    }
  };
  return std::visit(Visitor(), cell);
}

std::optional<Cell> to_cell(const json &value) {
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) return value.get<std::vector<double>>();
  if (value.is_null()) return Cell();
  return std::nullopt;
}

void exercise_json() {
  json document = json::parse(R"({"a": [1, 2.5, 3], "b": {"c": "text", "d": null}, "e": true})");
  document["b"]["list"] = {1, "two", {{"three", 3}}};
  document.merge_patch(json::parse(R"({"e": null, "f": 1e9})"));
  const json flat = document.flatten();
  for (auto &[key, value] : flat.items())
    std::cout << key << " = " << describe(to_cell(value).value_or(Cell())) << '\n';
  for (const char *broken : {"{", "[1, 2", "{\"a\" 1}", "nul", "\"\\x\""}) {
    try {
      std::cout << json::parse(broken) << '\n';
    } catch (const json::parse_error &error) {
      std::cout << "at byte " << error.byte << ": " << error.what() << '\n';
    }
  }
  auto packed = json::to_cbor(document);
  if (json::from_cbor(packed) != document || json::from_msgpack(json::to_msgpack(document)) != document)
    throw std::logic_error("a document did not survive its encoding");
  std::cout << document.dump(2) << json::diff(document, document.at("b")).size() << '\n';
}

double calculate(const std::string &text, const std::map<std::string, double> &names) {
  try {
    return Parser(text).parse()->evaluate(names);
  } catch (const DivisionByZero &) {
    return 0;
  } catch (const SyntaxError &error) {
    std::cerr << text << ": " << error.what() << '\n';
    throw;
  }
}

} // namespace

int main(int argc, char **argv) {
  std::mt19937 random(argc);
  std::size_t total = 0;
  try {
    total += exercise_sequences<int>(random) + exercise_sequences<double>(random) +
             exercise_sequences<std::uint64_t>(random) + exercise_sequences<std::string>(random) +
             exercise_sequences<std::pair<int, std::string>>(random) +
             exercise_sequences<std::pair<std::string, double>>(random) +
             exercise_sequences<std::pair<double, std::uint64_t>>(random) +
             exercise_sequences<std::pair<std::string, std::string>>(random);
    total += exercise_maps<int, std::string>(random) + exercise_maps<std::string, double>(random) +
             exercise_maps<std::uint64_t, std::pair<std::string, int>>(random) +
             exercise_maps<std::string, std::string>(random) +
             exercise_maps<double, std::pair<int, int>>(random) +
             exercise_maps<std::pair<int, std::string>, std::string>(random);
    total += exercise_hashes<int, std::string>(random) + exercise_hashes<std::string, double>(random) +
             exercise_hashes<std::uint64_t, std::pair<int, std::string>>(random);
    exercise_json();
    for (int argument = 1; argument < argc; ++argument)
      std::cout << calculate(argv[argument], {{"x", 1.0}, {"total", double(total)}}) << '\n';
  } catch (const std::out_of_range &error) {
    std::cerr << "no such name: " << error.what() << '\n';
    return 1;
  } catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 2;
  } catch (...) {
    return 3;
  }
  return 0;
}
