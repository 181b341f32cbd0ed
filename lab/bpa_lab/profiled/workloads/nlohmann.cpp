// Reads, changes and writes JSON. The functions in this file have no counters because they do not belong to the corpus.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#define UNCOUNTED __attribute__((no_profile_instrument_function))

using nlohmann::json;

UNCOUNTED static void visit(json &value, int depth)
{
    if (value.is_object()) {
        for (auto &item : value.items())
            visit(item.value(), depth + 1);
        if (value.contains("balance"))
            value["balance"] = value["balance"].get<double>() * 1.01;
        value["depth"] = depth;
        value.erase("mail");
    } else if (value.is_array()) {
        for (auto &item : value)
            visit(item, depth + 1);
    } else if (value.is_string()) {
        value = value.get<std::string>() + "!";
    }
}

UNCOUNTED int main(int count, char **words)
{
    if (count < 3)
        return 2;
    std::ifstream file(words[1]);
    std::stringstream text;
    text << file.rdbuf();
    for (int iteration = 0; iteration < std::atoi(words[2]); iteration++) {
        json whole = json::parse(text.str());
        json before = whole;
        visit(whole, 0);
        std::string written = whole.dump(iteration % 2 ? 2 : -1, ' ', iteration % 3 == 0);
        json again = json::parse(written);
        json packed = json::from_cbor(json::to_cbor(again));
        json message = json::from_msgpack(json::to_msgpack(packed));
        json flat = message.flatten();
        std::printf("%zu %zu %d\n", written.size(), flat.size(), message == whole);
        if (whole.is_array()) {
            std::sort(whole.begin(), whole.end());
            json patch = json::diff(json(before.begin().value()), json(message.begin().value()));
            std::printf("%zu\n", before.begin().value().patch(patch).size());
        }
        try {
            json::parse(written.substr(0, written.size() / 2));
        } catch (const json::parse_error &error) {
            std::printf("%d\n", error.id);
        }
    }
}
