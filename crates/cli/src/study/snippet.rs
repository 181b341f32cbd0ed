//! Finds the condition in a source line, and shortens long lines.

use std::ops::Range;

use crate::base::source::SourceText;

/// The maximum number of bytes of a printed line.
const MOST_BYTES: usize = 160;

/// The maximum number of lines before the line of an operator in which the left operand of the operator is searched.
const MOST_LINES: u32 = 8;

/// The operators with two operands. If one operator is a prefix of another, the longer operator comes first.
const OPERATORS: [&str; 19] = [
    "&&", "||", "<=>", "==", "!=", "<=", ">=", "<<", ">>", "<", ">", "|", "^", "%", "/", "& ", "* ", "+ ",
    "- ",
];

/// The range of the condition in `line` that contains `column`. Columns start at 1. The function does not parse the
/// syntax, but searches this line for parentheses, operators and keywords. If `column` is the column of an operator
/// whose left operand begins in an earlier line, the range contains only the operator.
pub fn condition(line: &str, column: u32) -> Range<usize> {
    let wanted = (column.max(1) as usize - 1).min(line.len());
    let start = (0..=wanted).rev().find(|&place| line.is_char_boundary(place)).unwrap_or(0);
    let rest = &line[start..];
    let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    if is_keyword(rest, word) {
        let header = behind_blanks(line, start + word);
        return in_parentheses(line, header).unwrap_or(start..start + word);
    }
    if let Some(operator) = operator(rest).filter(|_| !has_left_operand(&line[..start])) {
        return start..start + operator.len();
    }
    if is_logical(rest) {
        return logical(line, start);
    }
    let end = start + end_of_expression(rest);
    start_of_expression(&line[..start])..end.max(start + rest.chars().next().map_or(0, char::len_utf8))
}

/// Whether the first `word` bytes of `text` are a keyword of a branch. `match(` is a call of a C function, because
/// rustfmt writes a blank after the keyword `match`.
pub fn is_keyword(text: &str, word: usize) -> bool {
    match &text[..word] {
        "if" | "while" | "for" | "switch" | "do" => true,
        "match" => !text[word..].starts_with('('),
        _ => false,
    }
}

/// The range of the condition of a branch. If the code is optimised, a branch on the second operand of `a && b` can
/// have the column of the first operand. Then the range contains the whole expression. See [`condition`] for other
/// branches.
pub fn condition_of(line: &str, column: u32, is_optimised: bool) -> Range<usize> {
    let found = condition(line, column);
    if !is_optimised {
        return found;
    }
    let next = behind_blanks(line, found.end);
    let whole = is_logical(&line[next..]).then(|| logical(line, next));
    whole.filter(|whole| whole.start == found.start).unwrap_or(found)
}

/// The condition at `column` of line `number`, as for [`condition_of`]. The result is the number of the line where the
/// condition begins, and its range in the text from the beginning of this line to the end of line `number`. If the left
/// operand is not found in the lines before, the range contains only the operator.
pub fn condition_in(
    text: &SourceText,
    number: u32,
    column: u32,
    is_optimised: bool,
) -> Option<(u32, Range<usize>)> {
    let line = text.line(number)?;
    let found = condition_of(line, column, is_optimised);
    let is_operator = operator(&line[found.start..]).is_some_and(|operator| operator.len() == found.len());
    if !is_operator || has_left_operand(&line[..found.start]) {
        return Some((number, found));
    }
    for (first, lines) in longer_texts(text, number) {
        let column = column + u32::try_from(lines.len() - line.len()).ok()?;
        let whole = condition_of(lines, column, is_optimised);
        if !lines[..whole.start].trim().is_empty() {
            return Some((first, whole));
        }
    }
    Some((number, found))
}

/// The texts that end with line `number` and begin in an earlier line, the shortest first, each with the number of its
/// first line. Before line `number`, no text contains a comment, a line of the preprocessor or a continued line.
fn longer_texts(text: &SourceText, number: u32) -> impl Iterator<Item = (u32, &str)> {
    let own = text.line(number).map_or(0, str::len);
    (number.saturating_sub(MOST_LINES).max(1)..number).rev().map_while(move |first| {
        let lines = text.lines(first, number)?;
        let before = &lines[..lines.len() - own];
        let is_long = lines.len() > MOST_LINES as usize * MOST_BYTES;
        (!is_long && !before.starts_with('#') && !has_comment(before)).then_some((first, lines))
    })
}

/// Whether `text` contains a comment or a continued line.
fn has_comment(text: &str) -> bool {
    ["//", "/*", "\\\n"].iter().any(|mark| text.contains(mark))
}

/// The position of the last operand before the logical operator at `column` of line `number`. The result is `None` if
/// there is no logical operator, or if the operand is not found in the lines before.
///
/// In unoptimised code, the branch on the operand `a` of `a && b` has the position of the operator. The last operand of
/// `(a || b) && c` before `&&` is `b`.
pub fn operand_before(text: &SourceText, number: u32, column: u32) -> Option<(u32, u32)> {
    let line = text.line(number)?;
    let offset = (column as usize).checked_sub(1)?;
    if !is_logical(line.get(offset..)?) || has_comment(&line[..offset]) {
        return None;
    }
    let texts = std::iter::once((number, line)).chain(longer_texts(text, number));
    let mut before = texts.map(|(first, lines)| (first, &lines[..lines.len() - line.len() + offset]));
    let (first, before) = before.find(|(_, before)| has_left_operand(before))?;
    let place = last_operand(before);
    let start = before[..place].rfind('\n').map_or(0, |end| end + 1);
    let above = u32::try_from(before[..place].matches('\n').count()).ok()?;
    Some((first + above, u32::try_from(place - start + 1).ok()?))
}

/// The offset of the last operand of logical operators in `text`, which ends with this operand.
fn last_operand(text: &str) -> usize {
    let mut end = text.trim_end().len();
    let mut start = start_of_expression(&text[..end]);
    // The operand can be an expression in parentheses, with logical operators inside.
    while let Some(inner) = text[start..end].trim_start_matches(['!', ' ']).strip_prefix('(') {
        let begin = end - inner.len();
        if !inner.ends_with(')')
            || opening(&text[begin..end - 1]).is_some()
            || !is_chain(&inner[..inner.len() - 1])
        {
            break;
        }
        end = text[..end - 1].trim_end().len();
        start = begin + start_of_expression(&text[begin..end]);
    }
    start
}

/// Whether a condition has the form `a && b` or `a || b`.
pub fn is_chain(condition: &str) -> bool {
    let mut depth = 0u32;
    for (place, byte) in condition.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && condition.is_char_boundary(place) && is_logical(&condition[place..]) => {
                return true
            }
            _ => {}
        }
    }
    false
}

fn is_logical(text: &str) -> bool {
    text.starts_with("&&") || text.starts_with("||")
}

/// Returns true if the condition in `line` that contains `column` is a condition of an `if`, `for` or `while`. The
/// function searches only this line, for the keyword before the condition or before a parenthesis around it.
pub fn has_two_values(line: &str, column: u32) -> bool {
    let mut before = &line[..condition(line, column).start];
    loop {
        let text = before.trim_end();
        match text.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next() {
            Some("if" | "for" | "while") => return true,
            Some("switch" | "match") => return false,
            _ => {}
        }
        match opening(text) {
            Some(place) => before = &text[..place],
            None => return false,
        }
    }
}

/// The offset of the last parenthesis or bracket that opens in `text` and does not close in `text`.
fn opening(text: &str) -> Option<usize> {
    let mut closed = 0u32;
    text.bytes().enumerate().rev().find_map(|(place, byte)| {
        match byte {
            b')' | b']' => closed += 1,
            b'(' | b'[' if closed == 0 => return Some(place),
            b'(' | b'[' => closed -= 1,
            _ => {}
        }
        None
    })
}

/// The operator with two operands at the beginning of `text`. The operators that can also have one operand, as `*` in
/// `*p`, count only before a blank.
fn operator(text: &str) -> Option<&'static str> {
    let is_comment = ["//", "/*"].iter().any(|comment| text.starts_with(comment));
    let found = OPERATORS.into_iter().find(|operator| text.starts_with(operator)).filter(|_| !is_comment);
    found.map(str::trim_end)
}

/// Whether `text` contains the whole left operand of an operator after `text`. The left operand begins in an earlier
/// line if `text` is blank, or if `text` closes a parenthesis that `text` does not open.
fn has_left_operand(text: &str) -> bool {
    let mut closed = 0u32;
    for byte in text.bytes().rev() {
        match byte {
            b')' | b']' => closed += 1,
            b'(' | b'[' if closed == 0 => break,
            b'(' | b'[' => closed -= 1,
            _ => {}
        }
    }
    closed == 0 && !text.trim().is_empty()
}

/// The range of an expression `a && b` or `a || b`, including the two operands. `place` is the offset of the operator
/// in `line`. `&&` has a higher precedence than `||`.
fn logical(line: &str, place: usize) -> Range<usize> {
    let is_and = line[place..].starts_with("&&");
    let joins = |text: &str| text.starts_with("&&") || (!is_and && text.starts_with("||"));
    let mut start = start_of_expression(&line[..place]);
    while let Some(before) = line[..start]
        .trim_end()
        .len()
        .checked_sub(2)
        .filter(|&before| line.is_char_boundary(before) && joins(&line[before..]))
    {
        start = start_of_expression(&line[..before]);
    }
    let mut end = place;
    while joins(&line[end..]) {
        let operand = behind_blanks(line, end + 2);
        let length = end_of_expression(&line[operand..]);
        let next = behind_blanks(line, operand + length);
        if !joins(&line[next..]) || length == 0 {
            end = operand + length;
            break;
        }
        end = next;
    }
    start..trimmed(line, end.max(place + 2))
}

/// The condition in the parentheses that open at `start`. In a `for`, the condition is the second of the three parts.
fn in_parentheses(line: &str, start: usize) -> Option<Range<usize>> {
    let mut depth = 0u32;
    let mut ends = Vec::new();
    for (place, byte) in (start..).zip(line[start..].bytes()) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 || (byte == b';' && depth == 1) {
            ends.push(place);
        }
        if depth == 0 {
            break;
        }
    }
    let (before, end) = match ends[..] {
        _ if depth > 0 => return None,
        [end] => (start, end),
        [before, end, _] => (before, end),
        _ => return None,
    };
    let begin = behind_blanks(line, before + 1);
    let end = trimmed(line, end);
    (begin < end).then_some(begin..end)
}

/// The offset at which the last expression in `text` starts. `text` is the beginning of a line, and ends inside this
/// expression.
fn start_of_expression(text: &str) -> usize {
    let mut depth = 0u32;
    let bytes = text.as_bytes();
    let begin = |place| behind_keywords(text, behind_blanks(text, place));
    for (place, &byte) in bytes.iter().enumerate().rev() {
        let before = place.checked_sub(1).map_or(b' ', |before| bytes[before]);
        let after = bytes.get(place + 1).copied().unwrap_or(b' ');
        match byte {
            b')' | b']' => depth += 1,
            b'(' | b'[' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            b'(' | b'[' | b';' | b'{' | b'}' | b'?' | b',' => return begin(place + 1),
            b'&' | b'|' if before == byte => return begin(place + 1),
            // This `=` is an assignment and not a part of a comparison.
            b'=' if after != b'=' && !b"=!<>".contains(&before) => return begin(place + 1),
            _ => {}
        }
    }
    begin(0)
}

/// Skips keywords such as `if` at `start`, and returns the offset of the condition. Conditions in Rust need no
/// parentheses.
fn behind_keywords(text: &str, start: usize) -> usize {
    let statement = &text[start..];
    let word = statement.find(|c: char| !c.is_alphanumeric()).unwrap_or(statement.len());
    if let ("for", Some(place)) = (&statement[..word], statement.find(" in ")) {
        return behind_blanks(text, start + place + " in ".len());
    }
    if !["return", "else"].contains(&&statement[..word]) && !is_keyword(statement, word) {
        return start;
    }
    behind_keywords(text, behind_blanks(text, start + word))
}

fn behind_blanks(text: &str, start: usize) -> usize {
    text.len() - text[start..].trim_start().len()
}

/// The offset at which the first expression in `text` ends. `text` can also start inside this expression.
fn end_of_expression(text: &str) -> usize {
    let mut depth = 0u32;
    let bytes = text.as_bytes();
    for (place, &byte) in bytes.iter().enumerate() {
        let pair = &bytes[place..(place + 2).min(bytes.len())];
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' if depth == 0 => return trimmed(text, place),
            b')' | b']' => depth -= 1,
            b';' | b'{' | b'?' | b',' if depth == 0 => return trimmed(text, place),
            _ if depth == 0 && [b"&&", b"||", b"//", b"/*"].iter().any(|end| pair == *end) => {
                return trimmed(text, place)
            }
            _ => {}
        }
    }
    trimmed(text, text.len())
}

/// The length of `text[..end]` without the white space at its end.
fn trimmed(text: &str, end: usize) -> usize {
    text[..end].trim_end().len()
}

/// The printable part of `line` around `span`, and the range of `span` in this part. A text of several lines, which
/// [`condition_in`] limits, is printed as it is.
pub fn shown(line: &str, span: Range<usize>) -> (String, Range<usize>) {
    if line.len() <= MOST_BYTES || line.contains('\n') {
        return (line.into(), span);
    }
    let boundary =
        |wanted: usize| (0..=wanted).rev().find(|&place| line.is_char_boundary(place)).unwrap_or(0);
    let start = boundary(span.start.saturating_sub(MOST_BYTES / 4));
    let end = boundary((start + MOST_BYTES).min(line.len()));
    let (before, after) = (if start > 0 { "..." } else { "" }, if end < line.len() { "..." } else { "" });
    let shift = |place: usize| place.clamp(start, end) - start + before.len();
    (format!("{before}{}{after}", &line[start..end]), shift(span.start)..shift(span.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(line: &str, column: u32) -> &str {
        &line[condition(line, column)]
    }

    #[test]
    fn optimised_code_has_one_column_for_several_operands() {
        let line = "  if (empty() && (tab || p->next(1, 2)) != end)";
        let condition_of = |column: u32, is_optimised| &line[condition_of(line, column, is_optimised)];
        assert_eq!(condition_of(7, false), "empty()");
        assert_eq!(condition_of(7, true), "empty() && (tab || p->next(1, 2)) != end");
        assert_eq!(condition_of(19, true), "tab || p->next(1, 2)");
        assert_eq!(condition_of(26, true), "p->next(1, 2)");
        assert!(is_chain("a && b") && is_chain("f(a) || b") && !is_chain("f(a && b)") && !is_chain("a & b"));
        assert_eq!(&"  while (a < b)"[super::condition_of("  while (a < b)", 10, true)], "a < b");
    }

    #[test]
    fn the_operand_before_an_operator() {
        let operand = |text: &str, operator: &str| {
            let text = SourceText::new(text.as_bytes());
            let (number, column) = (1..=text.line_count())
                .find_map(|number| Some((number, text.line(number)?.find(operator)? as u32 + 1)))
                .expect("the text contains the operator");
            let (number, column) = operand_before(&text, number, column)?;
            Some(text.line(number)?[column as usize - 1..].to_string())
        };
        let starts = |text, operator, start: &str| {
            let found = operand(text, operator).expect("an operand");
            assert!(found.starts_with(start), "{found}");
        };
        starts("  if (a == 7 && b)", "&&", "a == 7 && b)");
        starts("  if (a == 7\n      && b\n      || c)", "&&", "a == 7");
        starts("  if (a == 7\n      && b\n      || c)", "||", "b");
        starts("  if (a ||\n      f(b, c)\n      && d)", "&&", "f(b, c)");
        starts("  if (!(a || b[i]) && c)", "&&", "b[i]) &&");
        starts("  if ((a + 1) * 2 == x && c)", "&&", "(a + 1) * 2");
        starts("  return a > 3\n      || b;", "||", "a > 3");
        starts("  ok = x == 3 || b;", "||", "x == 3");
        starts("  while (f(x,\n           y) && b)", "&&", "f(x,");
        assert_eq!(operand("  if (a // &&\n      || b)", "||"), None);
        assert_eq!(operand("  if (a\n#endif\n      || b)", "||"), None);
        let text = SourceText::new(b"if (a && b)");
        assert_eq!([operand_before(&text, 1, 5), operand_before(&text, 2, 5)], [None, None]);
    }

    #[test]
    fn a_condition_ends_with_its_parentheses() {
        assert_eq!(marked("  if (!table->slots)", 7), "!table->slots");
        assert_eq!(marked("  if (f(a, b) == c && d)", 7), "f(a, b) == c");
        assert_eq!(marked("  for (i = 0; i < n; i++)", 15), "i < n");
        assert_eq!(marked("  return a ? b : c;", 10), "a");
        assert_eq!(marked("  if (x)", 3), "x");
        assert_eq!(marked("  for (p = a[f(1;2)]; p->next ; p++) {", 3), "p->next");
        assert_eq!(marked("  switch (code & 7) {", 3), "code & 7");
        for (line, keyword) in [
            ("do {", "do"),
            ("for (;;)", "for"),
            ("while (a &&", "while"),
            ("if x", "if"),
            ("if", "if"),
            ("if )", "if"),
        ] {
            assert_eq!(marked(line, 1), keyword);
        }
        assert_eq!(marked("} while (*p++);", 10), "*p++");
    }

    #[test]
    fn a_condition_extends_before_its_column() {
        assert_eq!(marked("    if (table->slots[place].key == key)", 33), "table->slots[place].key == key");
        assert_eq!(marked("  for (i = 0; i < n; i++)", 17), "i < n");
        assert_eq!(marked("  x = a == b ? c : d;", 9), "a == b");
        assert_eq!(marked("  if (a && f(b, c) > d)", 20), "f(b, c) > d");
        assert_eq!(marked("  return a <= b;", 12), "a <= b");
        assert_eq!(marked("  if (match(tree, name))", 7), "match(tree, name)");
        assert_eq!(marked("  while (match(tree, *p) > 0)", 26), "match(tree, *p) > 0");
        assert_eq!(marked("  match (a, b) {", 3), "a, b");
        assert_eq!(marked("  if word.is_empty() {", 6), "word.is_empty()");
        assert_eq!(marked("  for word in words {", 15), "words");
        assert_eq!(marked("  } else if a.len() > b {", 15), "a.len() > b");
        assert_eq!(marked("  let key = if word.len() > 12 { x } else { y };", 16), "word.len() > 12");
    }

    #[test]
    fn logical_operators_include_both_operands() {
        assert_eq!(marked("  if (a && b)", 9), "a && b");
        assert_eq!(marked("  if (a == 1 && f(b, c) && d > 2) {", 25), "a == 1 && f(b, c) && d > 2");
        assert_eq!(marked("  x = a || b && c;", 9), "a || b && c");
        assert_eq!(marked("  x = a || b && c;", 14), "b && c");
        assert_eq!(marked("  if (a &&", 9), "a &&");
        assert_eq!(marked("&&", 1), "&&");
    }

    #[test]
    fn an_operator_without_its_left_operand_is_marked_alone() {
        for (line, operator) in [
            ("      && n > 5)", "&&"),
            ("    || n == h())", "||"),
            ("    < limit)", "<"),
            ("    <= limit)", "<="),
            ("    - limit)", "-"),
            ("        b) == c && d)", "=="),
            ("        b) || c)", "||"),
        ] {
            let column = line.find(operator).expect("the operator") + 1;
            assert_eq!(marked(line, column as u32), operator, "{line}");
        }
        assert_eq!(marked("    *p && q)", 5), "*p");
        assert_eq!(marked("    !p)", 5), "!p");
        assert_eq!(marked("    if ((a) == b)", 13), "(a) == b");
        assert_eq!(marked("    } else if (f(a)[1] < b)", 24), "f(a)[1] < b");
    }

    #[test]
    fn a_condition_begins_in_an_earlier_line() {
        let marked = |text: &str, part: &str| {
            let number = text.lines().count() as u32;
            let last = text.lines().last().expect("a line");
            let column = last.find(part).expect("the part") as u32 + 1;
            let text = SourceText::new(text.as_bytes());
            let (first, span) = condition_in(&text, number, column, false).expect("a condition");
            (first, text.lines(first, number).expect("lines")[span].to_string())
        };
        assert_eq!(marked("  if (a == b\n      && c)", "&&"), (1, "a == b\n      && c".into()));
        assert_eq!(marked("  if (a == b\n      && c)", "c"), (2, "c".into()));
        assert_eq!(marked("{\n  return f(a,\n    b) == c;", "=="), (2, "f(a,\n    b) == c".into()));
        assert_eq!(marked("{\n  if (x\n  .y()\n  .z() ==\n 3\n  || w)", "||").0, 2);
        for kept in ["  if (a // (\n  && c)", "#if A\n  && c)", "  if A(a, \\\n  && c)", "\n  && c"] {
            assert_eq!(marked(kept, "&&"), (kept.lines().count() as u32, "&&".into()), "{kept}");
        }
    }

    #[test]
    fn conditions_of_statements_have_two_values() {
        for (line, part) in [
            ("  for (; *p != 'e'; ++p) {", "*p !="),
            ("  for (T *p = f(); p->cmd != END; ++p) {", "!="),
            ("  } else if (f(a) || x == 5) {", "x =="),
            ("  } while (*p);", "*p"),
            ("  if x == 5 {", "x =="),
            ("  if (x == 5) switch (y) {", "x =="),
        ] {
            let column = line.find(part).expect("the part") + 1;
            assert!(has_two_values(line, column as u32), "{line}");
        }
        for (line, part) in [
            ("  switch (x) {", "switch"),
            ("  if (x == 5) switch (y) {", "switch"),
            ("  SWITCH (x) {", "SWITCH"),
            ("  match x {", "x"),
            ("  while let Some(x) = f() { match x {", "x {"),
            ("  x = f(y);", "y"),
        ] {
            let column = line.find(part).expect("the part") + 1;
            assert!(!has_two_values(line, column as u32), "{line}");
        }
        assert!(!has_two_values("", 7));
    }

    #[test]
    fn columns_outside_of_the_line_are_clamped() {
        assert_eq!(marked("abc", 9), "abc");
        assert_eq!(marked("", 1), "");
        assert_eq!(marked("\u{e9}(x)", 2), "\u{e9}(x)");
        assert_eq!(marked("abc", 0), "abc");
    }

    #[test]
    fn long_lines_are_shortened_around_the_condition() {
        let line = format!("{}condition{}", "x".repeat(1_000_000), "\u{e9}".repeat(500_000));
        let (text, span) = shown(&line, 1_000_000..1_000_009);
        assert_eq!(&text[span], "condition");
        assert!(text.len() < 200 && text.starts_with("...") && text.ends_with("..."));
    }
}
