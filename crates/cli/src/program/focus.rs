//! The source positions that the user selects: `FILE`, `FILE:LINE`, `FILE:FIRST-LAST` or `FILE:LINE:COLUMN`.

use std::path::{Path, PathBuf};

use crate::base::messages;
use crate::base::paths::Paths;

/// A file, lines of a file, or a column of one line, as the user typed the argument.
#[derive(Debug, PartialEq, Eq)]
pub struct Spot {
    path: PathBuf,
    /// The first and the last line.
    lines: Option<(u32, u32)>,
    /// The column, from 1. If the column is known, `lines` is one line.
    column: Option<u32>,
}

/// The relation of a branch to a [`Spot`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Nearness {
    Elsewhere,
    /// The branch is in the line, but not at the column.
    InLine,
    /// The condition of the branch contains the column.
    InCondition,
    /// The branch is at the spot.
    Exact,
}

impl Spot {
    /// Parses `FILE`, `FILE:LINE`, `FILE:FIRST-LAST` or `FILE:LINE:COLUMN`. If `typed` is the path of an existing file,
    /// `typed` is parsed as `FILE`.
    pub fn read(typed: &Path) -> Self {
        // No file has a line with a larger number than u32::MAX.
        let number = |text: &str| -> Option<u32> {
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| text.parse().unwrap_or(u32::MAX))
        };
        let split = |path: &Path| {
            let (name, numbers) = path.to_str().filter(|_| !path.exists())?.rsplit_once(':')?;
            let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
            Some((PathBuf::from(name), (number(first)?, number(last)?)))
        };
        let Some((path, lines)) = split(typed) else {
            return Spot { path: typed.into(), lines: None, column: None };
        };
        let is_single = |lines: (u32, u32)| lines.0 == lines.1;
        match split(&path).filter(|(_, of_name)| is_single(*of_name) && is_single(lines)) {
            Some((path, of_name)) => Spot { path, lines: Some(of_name), column: Some(lines.0) },
            None => Spot { path, lines: Some(lines), column: None },
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn has_line(&self) -> bool {
        self.lines.is_some()
    }

    /// Creates a [`Focus`] that selects only the line in this argument. If the argument contains no line number,
    /// the focus is empty and selects everything.
    pub fn line_focus(self) -> Focus {
        let mut focus = Focus::default();
        if self.lines.is_some() {
            focus.add(self);
        }
        focus
    }

    /// Returns true if the spot is in the file `file`. `file` is an absolute path.
    pub fn is_in(&self, file: &Path) -> bool {
        self.path == file
    }

    /// The nearness of a condition in the file of the spot. `line` and `column` are the position of its branch.
    /// `first_line` returns the line where the condition begins. `offset` returns the offset of a position from the
    /// beginning of the condition, or `None` if the condition does not contain the position.
    pub fn nearness(
        &self,
        (line, column): (u32, u32),
        first_line: impl FnOnce() -> u32,
        offset: impl FnOnce(u32, u32) -> Option<usize>,
    ) -> Nearness {
        let Some((first, last)) = self.lines else { return Nearness::Exact };
        let is_in = |line: u32| (first..=last).contains(&line);
        if !is_in(line) && !is_in(first_line()) {
            return Nearness::Elsewhere;
        }
        let (Some(at), wanted) = (self.column, first) else { return Nearness::Exact };
        if (wanted, at) == (line, column) {
            return Nearness::Exact;
        }
        match offset(wanted, at) {
            Some(0) => Nearness::Exact,
            Some(_) => Nearness::InCondition,
            None => Nearness::InLine,
        }
    }

    fn in_words(&self, paths: &Paths) -> String {
        let lines = match self.lines {
            None => String::new(),
            Some((first, last)) if first == last => format!(":{first}"),
            Some((first, last)) => format!(":{first}-{last}"),
        };
        let column = self.column.map(|column| format!(":{column}")).unwrap_or_default();
        paths.shown(None, &self.path.to_string_lossy()) + &lines + &column
    }
}

/// The selected positions. An empty focus selects everything.
#[derive(Debug, Default)]
pub struct Focus(Vec<Spot>);

impl Focus {
    pub fn add(&mut self, spot: Spot) {
        let path = spot.path.canonicalize().unwrap_or(spot.path);
        self.0.push(Spot { path, ..spot });
    }

    pub fn extend(&mut self, other: Focus) {
        self.0.extend(other.0);
    }

    pub fn is_everything(&self) -> bool {
        self.0.is_empty()
    }

    /// The branches in `branches` that are selected. Each spot selects the nearest branches. If no branch is at the
    /// column of a spot, the spot therefore selects the branches of its line, and a note is printed. `what` describes
    /// the branches in this note.
    pub fn select<T>(
        &self,
        branches: Vec<T>,
        what: &str,
        paths: &Paths,
        nearness: impl Fn(&T, &Spot) -> Nearness,
    ) -> Vec<T> {
        if self.is_everything() {
            return branches;
        }
        let mut is_selected = vec![false; branches.len()];
        for spot in &self.0 {
            let near: Vec<Nearness> = branches.iter().map(|branch| nearness(branch, spot)).collect();
            let nearest = near.iter().copied().max().unwrap_or(Nearness::Elsewhere);
            if nearest == Nearness::InLine {
                let line = Spot { path: spot.path.clone(), lines: spot.lines, column: None };
                let [at, line] = [spot, &line].map(|spot| spot.in_words(paths));
                messages::note(&format!("no {what} is at {at}; all branches at {line} are selected instead"));
            }
            if nearest > Nearness::Elsewhere {
                near.iter().zip(&mut is_selected).for_each(|(near, chosen)| *chosen |= *near == nearest);
            }
        }
        let pairs = branches.into_iter().zip(is_selected);
        pairs.filter_map(|(branch, is_selected)| is_selected.then_some(branch)).collect()
    }

    /// The text that describes the selection in messages.
    pub fn in_words(&self, paths: &Paths) -> String {
        self.0.iter().map(|spot| spot.in_words(paths)).collect::<Vec<_>>().join(" or ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Spot {
        Spot::read(Path::new(text))
    }

    #[test]
    fn an_argument_can_have_a_line_and_a_column() {
        let spot = |line: Option<u32>, column| Spot {
            path: "/no/a.c".into(),
            lines: line.map(|line| (line, line)),
            column,
        };
        assert_eq!(read("/no/a.c"), spot(None, None));
        assert_eq!(read("/no/a.c:12"), spot(Some(12), None));
        assert_eq!(read("/no/a.c:12:7"), spot(Some(12), Some(7)));
        assert_eq!(read("/no/a.c:x").lines, None);
        assert_eq!(read("/no/a.c:12-20").lines, Some((12, 20)));
        assert_eq!(read("/no/a.c:12-").lines, None);
        assert_eq!(read("/no/a.c:12-20:3").path, Path::new("/no/a.c:12-20"));
    }

    /// The positions in `/no/a.c` that `focus` selects from `positions`.
    fn selected(focus: &[&str], positions: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let mut all = Focus::default();
        focus.iter().for_each(|text| all.add(read(text)));
        all.select(positions.to_vec(), "branch", &Paths::new(), |&(line, column), spot| {
            if !spot.is_in(Path::new("/no/a.c")) {
                return Nearness::Elsewhere;
            }
            // Each condition has four characters and begins one column before the position of its branch.
            let offset = |_, at: u32| at.checked_sub(column - 1).map(|offset| offset as usize);
            spot.nearness((line, column), || line, |line, at| offset(line, at).filter(|&offset| offset < 4))
        })
    }

    #[test]
    fn lines_and_columns_are_selected() {
        let all = [(12, 5), (12, 20), (13, 5)];
        assert_eq!(selected(&[], &all), all);
        assert_eq!(selected(&["/no/a.c"], &all), all);
        assert_eq!(selected(&["/no/b.c", "/no/b.c:12:5"], &all), []);
        assert_eq!(selected(&["/no/a.c:12"], &all), [(12, 5), (12, 20)]);
        assert_eq!(selected(&["/no/a.c:12:20"], &all), [(12, 20)]);
        assert_eq!(selected(&["/no/a.c:13-99"], &all), [(13, 5)]);
        assert_eq!(selected(&["/no/a.c:12-13"], &all), all);
        assert_eq!(selected(&["/no/a.c:13-12"], &all), []);
        assert_eq!(selected(&["/no/a.c:12:4"], &all), [(12, 5)]);
        assert_eq!(selected(&["/no/a.c:12:7"], &all), [(12, 5)]);
        assert_eq!(selected(&["/no/a.c:12:20", "/no/a.c:13"], &all), [(12, 20), (13, 5)]);
    }

    #[test]
    fn a_column_at_a_branch_selects_no_condition_around_it() {
        let all = [(12, 5), (12, 7)];
        assert_eq!(selected(&["/no/a.c:12:6"], &all), [(12, 7)]);
        assert_eq!(selected(&["/no/a.c:12:7"], &all), [(12, 7)]);
        assert_eq!(selected(&["/no/a.c:12:8"], &[(12, 6), (12, 7)]), [(12, 6), (12, 7)]);
    }

    #[test]
    fn a_column_without_a_branch_selects_its_line() {
        let all = [(12, 5), (12, 20), (13, 5)];
        assert_eq!(selected(&["/no/a.c:12:99"], &all), [(12, 5), (12, 20)]);
        assert_eq!(selected(&["/no/a.c:12:99", "/no/a.c:13:5"], &all), all);
        assert_eq!(selected(&["/no/a.c:14:1"], &all), []);
    }
}
