# Functions as a compiler would write them, with macros and data, for NASM.
BEGIN {
    srand(3)
    split("rax rbx rcx rdx rsi rdi r8 r9 r10 r11", wide, " ")
    split("eax ebx ecx edx esi edi r8d r9d r10d r11d", narrow, " ")
    split("add sub and or xor cmp mov test", two, " ")
    split("jz jnz jl jge ja jbe js jmp", jumps, " ")
    print "bits 64\ndefault rel\n%macro save 1-*\n%rep %0\n push %1\n%rotate 1\n%endrep\n%endmacro"
    print "%macro restore 1-*\n%rep %0\n%rotate -1\n pop %1\n%endrep\n%endmacro\n%define slot(n) [rsp + 8 * (n)]"
    print "struc point\n.x: resd 1\n.y: resd 1\n.name: resb 16\nendstruc\nsection .text"
    for (f = 0; f < 400; f++) {
        printf "function_%d:\n save rbx, rbp\n sub rsp, %d\n", f, 8 * (2 + f % 9)
        for (i = 0; i < 25; i++) {
            a = 1 + int(rand() * 10); b = 1 + int(rand() * 10); kind = int(rand() * 9)
            if (kind < 3) print " " two[1 + int(rand() * 8)] " " wide[a] ", " wide[b]
            else if (kind == 3) printf " %s %s, %d\n", two[1 + int(rand() * 7)], narrow[a], int(rand() * 70000) - 300
            else if (kind == 4) printf " mov %s, slot(%d)\n mov [rdi + %s * 4 + point.y], %s\n", wide[a], i % 9, wide[1 + b % 5], narrow[a]
            else if (kind == 5) printf ".l%d: %s .l%d\n", i, jumps[1 + int(rand() * 8)], 100
            else if (kind == 6) printf " lea %s, [table_%d + %d]\n", wide[a], f % 50, i
            else if (kind == 7) printf " call function_%d\n", int(rand() * 400)
            else printf " movsd xmm%d, [rsp + %d]\n mulsd xmm%d, xmm%d\n cvttsd2si %s, xmm%d\n", a - 1, 8 * i, a - 1, b - 1, wide[a], a - 1
        }
        printf ".l100:\n add rsp, %d\n restore rbx, rbp\n ret\n align 16\n", 8 * (2 + f % 9)
    }
    print "section .data"
    for (t = 0; t < 50; t++) printf "table_%d: dd %d, 0x%x, %d.5\n times %d db %d\n db 'text %d', 0\n", t, t, t * 77, t, t + 1, t, t
}
