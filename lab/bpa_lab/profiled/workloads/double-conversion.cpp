// Reads and writes numbers. The functions in this file have no counters because they do not belong to the corpus.
#include <cstdio>
#include <cstdlib>
#include <double-conversion/double-conversion.h>
#include <fstream>
#include <string>
#include <vector>

#define UNCOUNTED __attribute__((no_profile_instrument_function))

using namespace double_conversion;

UNCOUNTED int main(int count, char **words)
{
    if (count < 3)
        return 2;
    StringToDoubleConverter reader(StringToDoubleConverter::ALLOW_TRAILING_JUNK, 0.0, 0.0, "inf", "nan");
    const DoubleToStringConverter &writer = DoubleToStringConverter::EcmaScriptConverter();
    std::ifstream file(words[2]);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    long length = 0, same = 0;
    for (int iteration = 0; iteration < std::atoi(words[1]); iteration++) {
        for (const std::string &line : lines) {
            int read = 0;
            double value = reader.StringToDouble(line.data(), int(line.size()), &read) * (1 + iteration / 7.0);
            char text[512];
            StringBuilder shortest(text, sizeof text);
            writer.ToShortest(value, &shortest);
            length += shortest.position();
            std::string written = shortest.Finalize();
            same += reader.StringToDouble(written.data(), int(written.size()), &read) == value;
            StringBuilder other(text, sizeof text);
            if (iteration % 3 == 0)
                writer.ToFixed(value, 4, &other);
            else if (iteration % 3 == 1)
                writer.ToExponential(value, iteration, &other);
            else
                writer.ToPrecision(value, 1 + iteration, &other);
            length += other.position();
            other.Finalize();
            float narrow = reader.StringToFloat(line.data(), int(line.size()), &read);
            StringBuilder third(text, sizeof text);
            writer.ToShortestSingle(narrow, &third);
            third.Finalize();
        }
    }
    std::printf("%ld %ld\n", length, same);
}
