# What scripts do: read a log, count, sort, compute, take strings apart, call procedures.
proc fibonacci {n} { expr {$n < 2 ? $n : [fibonacci [expr {$n - 1}]] + [fibonacci [expr {$n - 2}]]} }
proc sieve {limit} {
    set flags [lrepeat [expr {$limit + 1}] 1]
    set primes {}
    for {set i 2} {$i <= $limit} {incr i} {
        if {[lindex $flags $i]} {
            lappend primes $i
            for {set j [expr {$i * $i}]} {$j <= $limit} {incr j $i} { lset flags $j 0 }
        }
    }
    return $primes
}
proc quicksort {list} {
    if {[llength $list] < 2} { return $list }
    set pivot [lindex $list 0]
    set less {}
    set more {}
    foreach item [lrange $list 1 end] { if {$item < $pivot} { lappend less $item } else { lappend more $item } }
    concat [quicksort $less] [list $pivot] [quicksort $more]
}
proc by_hits {hits one other} { expr {[dict get $hits $one] - [dict get $hits $other]} }
proc logs {name} {
    set file [open $name]
    set hits [dict create]
    array set hours {}
    while {[gets $file line] >= 0} {
        if {[regexp {"(GET|POST) ([^ "]+) HTTP/1.1" (\d+) (\d+|-)} $line -> verb path status size]} {
            dict incr hits $path
            if {$size ne "-"} { incr hours([lindex [split [lindex $line 3] :] 1]) $size }
            if {[string match *.png $path]} { incr pictures }
            switch -- $status { 200 { incr fine } 404 { lappend missing $path } 304 - 500 { incr other } default { error $status } }
        }
    }
    close $file
    set names [lsort -command [list by_hits $hits] [lrange [dict keys $hits] 0 300]]
    foreach name [lrange $names end-10 end] { puts [format "%-30s %6d %s" $name [dict get $hits $name] [string toupper $name]] }
    foreach hour [lsort [array names hours]] { puts "$hour $hours($hour)" }
    puts "$fine $other $pictures [llength [lsort -unique $missing]]"
}
oo::class create Account {
    variable balance
    constructor {start} { set balance $start }
    method add {amount} { if {$amount < 0} { return -code error "no" }; incr balance $amount }
    method balance {} { return $balance }
}
puts [fibonacci 21]
puts [llength [sieve 60000]]
expr {srand(9)}
set list {}
for {set i 0} {$i < 4000} {incr i} { lappend list [expr {int(rand() * 100000)}] }
puts [expr {[quicksort $list] eq [lsort -integer $list]}]
set text {}
for {set i 0} {$i < 20000} {incr i} { append text [string index abcdefghij [expr {$i * 7 % 10}]] [expr {$i % 13}] , }
puts [string length [string map {a AA 12 twelve} $text]]
puts [llength [split $text ,]] 
puts [regsub -all {([a-e])(\d+)} $text {<\2\1>} other]
set account [Account new 10]
for {set i -300} {$i < 20000} {incr i} { catch { $account add $i } }
puts [$account balance]
for {set i 0} {$i < 3000} {incr i} { eval [list set v$i [subst {[format %x $i] $i}]]; unset v$i }
puts [expr {2 ** 200 % 1000007}]
logs [lindex $argv 0]
