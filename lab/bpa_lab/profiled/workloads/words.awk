# How often each word of a text is there, and which words follow each other.
{
    $0 = tolower($0)
    gsub(/[^a-z' ]/, " ")
    for (i = 1; i <= NF; i++) {
        count[$i]++
        if (i > 1) pairs[$(i - 1), $i]++
    }
}
END {
    for (word in count) if (count[word] > 50) print word, count[word]
    for (pair in pairs) if (pairs[pair] > 40) { split(pair, both, SUBSEP); print both[1], both[2], pairs[pair] }
}
