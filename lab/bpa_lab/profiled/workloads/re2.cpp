// Searches texts with RE2. The functions in this file have no counters because they do not belong to the corpus.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <re2/re2.h>
#include <re2/set.h>
#include <sstream>

#define UNCOUNTED __attribute__((no_profile_instrument_function))

UNCOUNTED static long lines_of_a_log(const std::string &text)
{
    RE2 line(R"re((\S+) - - \[([^\]]+)\] "(GET|POST) ([^ "]+) HTTP/1\.\d" (\d{3}) (\d+|-))re");
    RE2 image("\\.(png|jpe?g|gif)$"), old("(?i)/TIME.*html"), number("(\\d+)");
    long found = 0;
    std::istringstream lines(text);
    for (std::string words; std::getline(lines, words);) {
        std::string host, stamp, verb, path;
        int status;
        if (RE2::PartialMatch(words, line, &host, &stamp, &verb, &path, &status))
            found += status == 200;
        found += RE2::PartialMatch(path, image) + RE2::PartialMatch(words, old);
        RE2::GlobalReplace(&words, number, "<\\1>");
        found += RE2::FullMatch(words, ".*<404>.*");
    }
    return found;
}

UNCOUNTED static long words_of_a_text(const std::string &text)
{
    const char *patterns[] = {"\\b[A-Z][a-z]+\\b", "(\\w+) (\\w+)", "(a|e|i|o|u){2,3}", "[^\\x00-\\x7f]+", "\"[^\"]*\"",
                              "(?m)^\\s*static .*\\(", "(?i)the (quick|next|first|same)", "x*y+z?", "[a-q][^u-z]{3}x",
                              "\\pL+\\pN*", "(?s)begin.{0,200}?end", "([0-9]+)(\\.[0-9]+)?"};
    long found = 0;
    for (const char *pattern : patterns) {
        RE2 expression(pattern);
        re2::StringPiece rest(text);
        for (int matches = 0; matches < 30000 && RE2::FindAndConsume(&rest, expression); matches++)
            found++;
        found += expression.ProgramSize();
    }
    RE2::Set set(RE2::DefaultOptions, RE2::UNANCHORED);
    for (const char *pattern : {"printf", "ret[a-z]+;", "\\bif\\b.*==", "@code", "[0-9]{4}", "NULL|nil", "^ +"})
        set.Add(pattern, nullptr);
    set.Compile();
    std::istringstream lines(text);
    std::vector<int> which;
    for (std::string line; std::getline(lines, line) && line.size() < 5000;)
        found += set.Match(line, &which) ? which.size() : 0;
    // Parses, simplifies and compiles each expression once.
    for (int number = 0; number < 3000; number++) {
        std::string made = "(" + std::to_string(number) + "|[a-" + char('b' + number % 20) + "]*x{" +
                           std::to_string(1 + number % 6) + "})+?(?:foo|ba[rz])" + (number % 3 ? "$" : "(?i:é)");
        RE2 expression(made, RE2::Quiet);
        found += expression.ok() && RE2::PartialMatch("abcxxxbar 17 foo", expression);
    }
    return found;
}

UNCOUNTED int main(int count, char **words)
{
    if (count < 3)
        return 2;
    std::ifstream file(words[1]);
    std::stringstream text;
    text << file.rdbuf();
    bool log = !std::strcmp(words[2], "log");
    std::printf("%ld\n", log ? lines_of_a_log(text.str()) : words_of_a_text(text.str()));
}
