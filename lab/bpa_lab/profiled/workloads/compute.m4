divert(-1)
# Recursion, loops, lists and arithmetic.
define(`forloop', `ifelse(eval(`$2 <= $3'), 1, `pushdef(`$1', `$2')$4`'popdef(`$1')$0(`$1', incr(`$2'), `$3', `$4')')')
define(`foreach', `ifelse(`$2', `', `', `pushdef(`$1', `$2')$3`'popdef(`$1')')')
define(`fibonacci', `ifelse(eval(`$1 < 2'), 1, `$1', `eval(fibonacci(decr(`$1')) + fibonacci(eval(`$1 - 2')))')')
define(`reverse', `ifelse(`$#', `0', , `$#', `1', ``$1'', `reverse(shift($@)), `$1'')')
define(`hanoi', `ifelse(`$1', `0', `', `hanoi(decr(`$1'), `$2', `$4', `$3')move `$1' from `$2' to `$3'
hanoi(decr(`$1'), `$4', `$3', `$2')')')
define(`sieve', `forloop(`i', 2, 700, `ifdef(`composite_'i, , `i forloop(`j', 2, eval(700 / i), `define(`composite_'eval(i * j))')')')')
divert(0)dnl
fibonacci(15)
hanoi(9, `left', `right', `middle')
sieve
forloop(`i', 1, 300, `reverse(i, eval(i * i), translit(`abcdefgh', `a-h', `A-H'), len(`some text'i), substr(`abcdefghij', eval(i % 8)))
')
forloop(`i', 1, 200, `patsubst(`the quick brown fox 'i` jumps', `\([a-z]+\) \([0-9]+\)', `<\2-\1>') regexp(`alpha beta'i, `[0-9]+', `\&') format(`%05d %x %-8s|', i, eval(i * 77), `s'i)
')
