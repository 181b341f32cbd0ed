# Of a server's log: hits and bytes by path and hour, the busiest hosts, what was not found.
match($0, /"(GET|POST) ([^ ]+)/, found) {
    path = found[2]
    hits[path]++
    if ($NF != "-") bytes[path] += $NF
    split($4, stamp, ":")
    hours[stamp[2]]++
    hosts[$1]++
    if ($(NF - 1) == 404) missing[path] = missing[path] " " $1
    if (path ~ /\.(png|css)$/) parts++
}
END {
    count = asorti(hits, names)
    for (i = 1; i <= count; i++) printf "%-40s %8d %12d\n", names[i], hits[names[i]], bytes[names[i]]
    for (hour in hours) print hour, hours[hour]
    PROCINFO["sorted_in"] = "@val_num_desc"
    for (host in hosts) if (++shown < 20) print host, hosts[host]
    for (path in missing) print path, length(missing[path])
    print parts
}
