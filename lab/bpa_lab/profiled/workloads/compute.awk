# Computing without input: a sieve, recursion, strings, a matrix, and sorting by hand.
function fibonacci(n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2) }
function quicksort(list, low, high,    i, last) {
    if (low >= high) return
    swap(list, low, int((low + high) / 2))
    last = low
    for (i = low + 1; i <= high; i++) if (list[i] < list[low]) swap(list, ++last, i)
    swap(list, low, last)
    quicksort(list, low, last - 1)
    quicksort(list, last + 1, high)
}
function swap(list, i, j,    kept) { kept = list[i]; list[i] = list[j]; list[j] = kept }
BEGIN {
    for (i = 2; i <= 60000; i++) if (!(i in composite)) { primes++; for (j = i * i; j <= 60000; j += i) composite[j] }
    print primes, fibonacci(20)
    srand(7)
    for (i = 1; i <= 20000; i++) list[i] = int(rand() * 100000)
    quicksort(list, 1, 20000)
    for (i = 2; i <= 20000; i++) if (list[i - 1] > list[i]) print "wrong"
    for (i = 0; i < 30000; i++) text = substr(text, 2, 60) sprintf("%c", 97 + i % 26)
    print length(text), index(text, "xyz"), text
    for (i = 0; i < 40; i++) for (j = 0; j < 40; j++) { sum = 0; for (k = 0; k < 40; k++) sum += (i + k) * (k - j); c[i, j] = sum }
    print c[3, 4]
}
