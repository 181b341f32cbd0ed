/* A grammar of much of C, with its conflicts. */
%token ID NUM STR TYPE
%token IF ELSE WHILE FOR DO RETURN BREAK CONTINUE SWITCH CASE DEFAULT GOTO SIZEOF STRUCT UNION ENUM STATIC EXTERN CONST
%token EQ NE LE GE AND OR SHL SHR INC DEC ARROW ADDEQ SUBEQ DOTS
%%
unit: item | unit item;
item: function | declaration;
function: specifiers declarator block;
specifiers: specifier | specifiers specifier;
specifier: STATIC | EXTERN | CONST | TYPE | aggregate | enumeration;
aggregate: su ID '{' members '}' | su '{' members '}' | su ID;
su: STRUCT | UNION;
members: member | members member;
member: specifiers declarators ';';
enumeration: ENUM ID '{' enumerators '}' | ENUM '{' enumerators '}' | ENUM ID;
enumerators: enumerator | enumerators ',' enumerator;
enumerator: ID | ID '=' conditional;
declaration: specifiers ';' | specifiers inits ';';
inits: init | inits ',' init;
init: declarator | declarator '=' initializer;
initializer: assignment | '{' list '}' | '{' list ',' '}';
list: initializer | list ',' initializer;
declarators: declarator | declarators ',' declarator;
declarator: pointer direct | direct;
pointer: '*' | '*' CONST | '*' pointer;
direct: ID | '(' declarator ')' | direct '[' conditional ']' | direct '[' ']' | direct '(' parameters ')' | direct '(' ')';
parameters: parameter | parameters ',' parameter | parameters ',' DOTS;
parameter: specifiers declarator | specifiers abstract | specifiers;
abstract: pointer | pointer direct_abstract | direct_abstract;
direct_abstract: '(' abstract ')' | '[' ']' | direct_abstract '[' conditional ']' | '(' ')' | '(' parameters ')';
block: '{' '}' | '{' things '}';
things: thing | things thing;
thing: declaration | statement;
statement: block | expression ';' | ';' | label | selection | loop | jump;
label: ID ':' statement | CASE conditional ':' statement | DEFAULT ':' statement;
selection: IF '(' expression ')' statement | IF '(' expression ')' statement ELSE statement | SWITCH '(' expression ')' statement;
loop: WHILE '(' expression ')' statement | DO statement WHILE '(' expression ')' ';'
    | FOR '(' optional ';' optional ';' optional ')' statement;
optional: %empty | expression;
jump: GOTO ID ';' | CONTINUE ';' | BREAK ';' | RETURN ';' | RETURN expression ';';
expression: assignment | expression ',' assignment;
assignment: conditional | unary '=' assignment | unary ADDEQ assignment | unary SUBEQ assignment;
conditional: or | or '?' expression ':' conditional;
or: and | or OR and;
and: bits | and AND bits;
bits: equal | bits '|' equal | bits '&' equal | bits '^' equal;
equal: compare | equal EQ compare | equal NE compare;
compare: shift | compare '<' shift | compare '>' shift | compare LE shift | compare GE shift;
shift: sum | shift SHL sum | shift SHR sum;
sum: product | sum '+' product | sum '-' product;
product: cast | product '*' cast | product '/' cast | product '%' cast;
cast: unary | '(' name ')' cast;
name: specifiers | specifiers abstract;
unary: postfix | INC unary | DEC unary | '&' cast | '*' cast | '-' cast | '!' cast | '~' cast | SIZEOF unary | SIZEOF '(' name ')';
postfix: primary | postfix '[' expression ']' | postfix '(' ')' | postfix '(' arguments ')' | postfix '.' ID | postfix ARROW ID | postfix INC | postfix DEC;
arguments: assignment | arguments ',' assignment;
primary: ID | NUM | STR | '(' expression ')';
