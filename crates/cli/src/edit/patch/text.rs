//! The bytes of a source file. Converts offsets to lines and columns, and finds the ends of tokens.

/// The bytes of a source file.
pub struct Text {
    pub bytes: Vec<u8>,
    /// The offset of each line.
    starts: Vec<usize>,
}

impl Text {
    pub fn new(bytes: Vec<u8>) -> Self {
        let ends = bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(place, _)| place + 1)).collect();
        Text { bytes, starts }
    }

    /// The offset of a line and column. Lines and columns start at 1.
    pub fn offset(&self, line: u32, column: u32) -> Option<usize> {
        let start = *self.starts.get((line as usize).checked_sub(1)?)?;
        let offset = start + (column as usize).checked_sub(1)?;
        (offset < self.bytes.len()).then_some(offset)
    }

    /// The line and column of an offset. Lines and columns start at 1.
    pub fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|&start| start <= offset);
        (line, offset - self.starts[line - 1] + 1)
    }

    /// Returns true if the file contains `#line` directives, which change line numbers.
    pub fn has_line_directive(&self) -> bool {
        self.lines().any(|line| {
            let directive = line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
            directive
                .is_some_and(|rest| rest.starts_with(b"line") || rest.first().is_some_and(u8::is_ascii_digit))
        })
    }

    fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.split(|&byte| byte == b'\n')
    }

    pub fn has(&self, word: &str, offset: usize) -> bool {
        self.bytes.get(offset..).is_some_and(|rest| rest.starts_with(word.as_bytes()))
    }

    /// Returns true if a preprocessor directive is between `start` and `end`, or in a neighbouring line.
    pub fn is_beside_directive(&self, start: usize, end: usize) -> bool {
        let (first, column) = self.line_and_column(start);
        let is_first_on_line = self.line(first)[..column - 1].trim_ascii().is_empty();
        let (last, _) = self.line_and_column(end);
        let mut inside = first + 1..=last;
        let mut above =
            (1..first).rev().map(|line| self.line(line).trim_ascii()).filter(|line| !line.is_empty());
        inside.any(|line| is_directive(self.line(line)))
            || (is_first_on_line && above.next().is_some_and(is_directive))
            || self.bytes.get(self.next_token(end)) == Some(&b'#')
    }

    /// The bytes of line `number`. Line numbers start at 1.
    fn line(&self, number: usize) -> &[u8] {
        let end = self.starts.get(number).copied().unwrap_or(self.bytes.len());
        &self.bytes[self.starts[number - 1]..end]
    }

    /// The range of bytes from the beginning of line `first` to the end of line `last`, without the last line end.
    pub fn lines_between(&self, first: usize, last: usize) -> std::ops::Range<usize> {
        let start = self.starts[first - 1];
        let last = self.starts[last - 1]..self.starts.get(last).copied().unwrap_or(self.bytes.len());
        let line = &self.bytes[last.clone()];
        let end = line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line));
        start..last.start + end.len()
    }

    /// The offset of the next token at or after `offset`.
    pub fn next_token(&self, mut offset: usize) -> usize {
        loop {
            match &self.bytes[offset.min(self.bytes.len())..] {
                [b' ' | b'\t' | b'\r' | b'\n' | b'\x0b' | b'\x0c', ..] => offset += 1,
                [b'\\', b'\n', ..] => offset += 2,
                [b'\\', b'\r', b'\n', ..] => offset += 3,
                rest if rest.starts_with(b"/*") => {
                    offset += 2 + (find(&rest[2..], b"*/") + 2).min(rest.len() - 2)
                }
                rest if rest.starts_with(b"//") => offset += find(rest, b"\n"),
                _ => return offset,
            }
        }
    }

    /// The last byte before `offset`. Blanks and `/* */` comments are skipped.
    pub fn byte_before(&self, offset: usize) -> Option<u8> {
        let before = self.bytes[..offset].trim_ascii_end();
        match before.strip_suffix(b"*/") {
            Some(comment) => self.byte_before(comment.windows(2).rposition(|pair| pair == b"/*")?),
            None => before.last().copied(),
        }
    }

    /// The offset after the closing parenthesis that matches the parenthesis at `open`.
    pub fn behind_parenthesis(&self, open: usize) -> Option<usize> {
        let (mut depth, mut place) = (0usize, open);
        loop {
            place = self.next_token(place);
            match self.bytes.get(place)? {
                b'(' => depth += 1,
                b')' if depth == 1 => return Some(place + 1),
                b')' => depth -= 1,
                quote @ (b'"' | b'\'') => place = self.end_of_literal(place, *quote)?,
                _ => {}
            }
            place += 1;
        }
    }

    /// The offset of the closing quote of the literal whose opening quote is at `open`.
    fn end_of_literal(&self, open: usize, quote: u8) -> Option<usize> {
        let mut place = open + 1;
        loop {
            match self.bytes.get(place)? {
                b'\\' => place += 2,
                b'\n' => return None,
                byte if *byte == quote => return Some(place),
                _ => place += 1,
            }
        }
    }
}

fn is_directive(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"#")
}

/// The offset of `wanted` in `text`, or the length of `text` if it does not contain `wanted`.
fn find(text: &[u8], wanted: &[u8]) -> usize {
    text.windows(wanted.len()).position(|window| window == wanted).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Text {
        Text::new(text.as_bytes().to_vec())
    }

    #[test]
    fn places_are_lines_and_columns() {
        let text = text("ab\r\ncd\n");
        assert_eq!((text.offset(2, 2), text.offset(4, 1), text.offset(1, 0)), (Some(5), None, None));
        assert_eq!(text.line_and_column(5), (2, 2));
    }

    #[test]
    fn comments_are_skipped() {
        let text = text("a /* ) */ // )\n \\\n b /* c */");
        assert_eq!(text.next_token(1), 19);
        assert_eq!(text.next_token(20), 28);
        assert_eq!(text.byte_before(text.bytes.len()), Some(b'b'));
        assert_eq!(text.byte_before(10), Some(b'a'));
    }

    #[test]
    fn parentheses_are_matched_outside_of_literals_and_comments() {
        let all = "(a(')', \"\\\")\") /* ) */ b) c";
        assert_eq!(text(all).behind_parenthesis(0), Some(all.len() - 2));
        assert_eq!(text("(a").behind_parenthesis(0), None);
    }

    #[test]
    fn directives_are_found() {
        let text = text("if (a\n  # ifdef B\n && b\n#endif\n)\nx;\n");
        let at = |word: &str| find(&text.bytes, word.as_bytes());
        assert!(text.is_beside_directive(at("a"), at("a") + 1));
        assert!(text.is_beside_directive(at("a"), at("b\n") + 1));
        assert!(text.is_beside_directive(at("b\n"), at("b\n") + 1));
        assert!(!text.is_beside_directive(at("x;"), at("x;") + 1));
        assert!(super::Text::new(b"a\n # line 5\n".to_vec()).has_line_directive());
        assert!(super::Text::new(b"# 5 \"a.y\"\n".to_vec()).has_line_directive());
        assert!(!text.has_line_directive());
    }
}
