# Of a table of orders: sums by customer and month, the dearest order, a histogram.
NR == 1 { next }
{
    amount = $4 * $5
    by_customer[$3] += amount
    by_month[substr($2, 1, 7)] += amount
    if (amount > dearest) { dearest = amount; order = $1 }
    histogram[int(log(amount + 1))]++
    if ($6 ~ /time|year/) remarks++
}
END {
    for (name in by_customer) if (by_customer[name] > 3000) print toupper(substr(name, 1, 1)) substr(name, 2), by_customer[name]
    for (month in by_month) printf "%s %.2f\n", month, by_month[month]
    for (size in histogram) print size, histogram[size]
    print order, dearest, remarks
}
