//! The conditions of loops with `&&` and `||`.
//!
//! For `while (a && b)`, clang generates a branch on `a`, and a block that joins the two paths and branches on the
//! whole condition. This branch also runs if `a` is false. The first passes of LLVM remove the block, so LLVM predicts
//! a branch on `a` and a branch on `b`, and llvm-cov counts these two branches. [`with_direct_conditions`] removes the
//! block, too.

use std::collections::HashMap;

use super::instrumented::label;
use super::transfer::{defined, is_end};

/// The counts of the edges of each branch of a function, by the number of the branch.
pub type EdgeCounts = HashMap<usize, Vec<u64>>;
/// For each function with a profile, the number of calls, and the counts of its branches.
pub type FunctionCounts<'a> = HashMap<&'a str, (u64, EdgeCounts)>;

/// Returns the text of `module` without the blocks that join the operands of a condition, and changes the counts in
/// `all` accordingly. `all` contains the number of calls and the counts of each measured function.
pub fn with_direct_conditions(module: &str, all: &mut FunctionCounts) -> String {
    let mut text = String::with_capacity(module.len());
    let mut lines = module.split_inclusive('\n');
    while let Some(line) = lines.next() {
        text.push_str(line);
        let Some(name) = defined(line) else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with('}')).collect();
        let mut without = EdgeCounts::new();
        let counts = all.get_mut(name).map_or(&mut without, |(_, counts)| counts);
        let (body, changed) = direct(&body, counts);
        *counts = changed;
        text.push_str(&body);
        text.push_str("}\n");
    }
    text
}

/// A block of a function.
#[derive(Clone, Default)]
struct Block {
    /// The lines of the block, each with its line break. If the block has a name, it is in the first line.
    lines: Vec<String>,
    /// The counts of the edges, if the block ends with a branch whose counts are known.
    counts: Option<Vec<u64>>,
}

/// A block that contains nothing but a phi node, negations of its value, and a branch.
struct Join {
    /// The names of the value and of its negations. The branch tests the last name.
    names: Vec<String>,
    /// The values of the phi node, and the names of the blocks from which they come.
    incoming: Vec<[String; 2]>,
    /// The names of the blocks to which the branch leads if the value of the phi node is true, and if it is false.
    targets: [String; 2],
    /// The text of the branch after its targets.
    rest: String,
}

/// Removes the blocks that join the operands of a condition. `lines` are the lines of a function after its first line,
/// each with its line break. Returns the new text, and the counts of its branches.
fn direct(lines: &[&str], counts: &EdgeCounts) -> (String, EdgeCounts) {
    let (mut blocks, mut places) = (vec![Block::default()], HashMap::new());
    let mut number = 0;
    for line in lines {
        if let Some(name) = label(line) {
            places.insert(name, blocks.len());
            blocks.push(Block::default());
        }
        let block = blocks.last_mut().expect("the list is not empty");
        block.lines.push(line.to_string());
        if is_end(line) {
            number += 1;
            block.counts = counts.get(&number).cloned();
        }
    }
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for name in lines.iter().flat_map(|line| line.split('%').skip(1)).map(word) {
        *uses.entry(name).or_default() += 1;
    }
    let mut removed = Vec::new();
    // An operand can have a joining block, too. This block comes before the joining block of the whole condition.
    for place in (0..blocks.len()).rev() {
        let has_one_use = |name: &String| uses.get(&**name) == Some(&2);
        let join = Join::read(&blocks[place]).filter(|join| join.names.iter().all(has_one_use));
        let Some(join) = join else { continue };
        if let Some(changed) = join.without(&blocks, place, &places) {
            changed.into_iter().for_each(|(place, block)| blocks[place] = block);
            blocks[place] = Block::default();
            removed.extend(join.names.iter().filter_map(|name| name.parse::<u32>().ok()));
        }
    }
    let (mut text, mut found, mut number) = (String::new(), EdgeCounts::new(), 0);
    for block in blocks {
        block.lines.iter().for_each(|line| text.push_str(line));
        if block.lines.iter().any(|line| is_end(line)) {
            number += 1;
            found.extend(block.counts.map(|counts| (number, counts)));
        }
    }
    if !removed.is_empty() {
        removed.sort_unstable();
        text = text.split_inclusive('\n').map(|line| renumbered(line, &removed)).collect();
    }
    (text, found)
}

/// Decreases the numbers of values without a name in a line, because LLVM 14 to 18 read no function in which a number
/// is missing. `removed` are the missing numbers, in ascending order.
fn renumbered(line: &str, removed: &[u32]) -> String {
    let mut parts = line.split('%');
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        text.push('%');
        let is_in_string = text.matches('"').count() % 2 == 1;
        let name = word(part);
        match name.parse::<u32>() {
            Ok(number) if !is_in_string => {
                let before = removed.partition_point(|&one| one < number) as u32;
                text.push_str(&(number - before).to_string());
                text.push_str(&part[name.len()..]);
            }
            _ => text.push_str(part),
        }
    }
    text
}

impl Join {
    fn read(block: &Block) -> Option<Self> {
        let code = block.lines.iter().skip(1).map(|line| line.trim()).filter(|line| !line.is_empty());
        let code: Vec<&str> = code.collect();
        let [phi, negations @ .., branch] = &code[..] else { return None };
        let (name, values) = phi.strip_prefix('%')?.split_once(" = phi i1 [ ")?;
        let mut names = vec![name.to_string()];
        for line in negations {
            let (name, value) = line.strip_prefix('%')?.split_once(" = xor i1 %")?;
            value.strip_prefix(names.last()?)?.strip_prefix(", true")?;
            names.push(name.into());
        }
        let branch =
            branch.strip_prefix("br i1 %")?.strip_prefix(names.last()?)?.strip_prefix(", label %")?;
        let (on_true, branch) = branch.split_once(", label %")?;
        let on_false = word(branch);
        let mut targets = [on_true.to_string(), on_false.to_string()];
        if negations.len() % 2 == 1 {
            targets.reverse();
        }
        let values =
            values.split_once(" ], !dbg").map_or(values.strip_suffix(" ]"), |(values, _)| Some(values))?;
        let pair = |pair: &str| pair.split_once(", %").map(|(value, block)| [value.into(), block.into()]);
        let incoming = values.split(" ], [ ").map(pair).collect::<Option<_>>()?;
        Some(Join { names, incoming, targets, rest: branch[on_false.len()..].into() })
    }

    /// Returns the changed blocks of the function without the joining block `place`, or `None` if the block has another
    /// form than the joining block of a condition.
    fn without(
        &self,
        blocks: &[Block],
        place: usize,
        places: &HashMap<&str, usize>,
    ) -> Option<Vec<(usize, Block)>> {
        let has_phi = |name: &String| {
            let lines = &blocks[*places.get(&**name)?].lines;
            Some(lines.get(1).is_some_and(|line| line.contains(" = phi ")))
        };
        let name = label(&blocks[place].lines[0])?;
        if self.targets.iter().any(|target| target == name || has_phi(target) != Some(false)) {
            return None;
        }
        let mut counts = blocks[place].counts.clone();
        if self.names.len() % 2 == 0 {
            counts.iter_mut().for_each(|counts| counts.reverse());
        }
        let (mut changed, mut operand, mut has_jump) = (Vec::new(), None, false);
        for [value, from] in &self.incoming {
            let from = *places.get(&**from)?;
            let target = match &**value {
                "true" => 0,
                "false" => 1,
                _ if operand.is_some() => return None,
                _ => {
                    operand = Some((from, value));
                    continue;
                }
            };
            if changed.iter().any(|(known, _)| *known == from) {
                return None;
            }
            let mut block = blocks[from].clone();
            let branch = block.lines.iter_mut().find(|line| line.trim_start().starts_with("br "))?;
            let edge = branch.split("label %").skip(1).position(|target| word(target) == name)?;
            let old = format!("label %{name}");
            let at = branch.match_indices("label %").nth(edge)?.0;
            branch.replace_range(at..at + old.len(), &format!("label %{}", self.targets[target]));
            // The number of executions of a jump is unknown.
            has_jump |= !branch.trim_start().starts_with("br i1 ");
            counts = counts.zip(block.counts.as_ref()).map(|(mut all, of_edge)| {
                all[target] = all[target].saturating_sub(of_edge[edge]);
                all
            });
            changed.push((from, block));
        }
        // Without an operand, all values are constants.
        let Some((from, value)) = operand else { return Some(changed) };
        if has_jump || changed.iter().any(|(known, _)| *known == from) {
            return None;
        }
        let mut block = blocks[from].clone();
        let is_jump =
            |line: &str| line.trim_start().strip_prefix("br label %").is_some_and(|to| word(to) == name);
        let jump = block.lines.iter_mut().find(|line| is_jump(line))?;
        let [on_true, on_false] = &self.targets;
        *jump = format!("  br i1 {value}, label %{on_true}, label %{on_false}{}\n", self.rest);
        changed.push((from, Block { counts, ..block }));
        Some(changed)
    }
}

/// The name at the beginning of `text`. Names in quotation marks do not occur in the conditions that clang generates.
fn word(text: &str) -> &str {
    let is_name = |c: char| c.is_alphanumeric() || "._-$".contains(c);
    &text[..text.find(|c| !is_name(c)).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `while (a && (b || c))`, and `d`, a value that is also returned.
    const LOOP: &str = "define i1 @f() {
entry:
  br label %while.cond, !dbg !1

while.cond:                                       ; preds = %while.body, %entry
  br i1 %a, label %land.rhs, label %land.end, !dbg !2

land.rhs:                                         ; preds = %while.cond
  br i1 %b, label %lor.end, label %lor.rhs, !dbg !3

lor.rhs:                                          ; preds = %land.rhs
  br label %lor.end, !dbg !4

lor.end:                                          ; preds = %lor.rhs, %land.rhs
  %0 = phi i1 [ true, %land.rhs ], [ %c, %lor.rhs ], !dbg !5
  br label %land.end

land.end:                                         ; preds = %lor.end, %while.cond
  %1 = phi i1 [ false, %while.cond ], [ %0, %lor.end ], !dbg !6
  br i1 %1, label %while.body, label %while.end, !dbg !7

while.body:                                       ; preds = %land.end
  br label %while.cond, !dbg !8, !llvm.loop !9

while.end:                                        ; preds = %land.end
  br i1 %d, label %g.rhs, label %g.end

g.rhs:                                            ; preds = %while.end
  br label %g.end

g.end:                                            ; preds = %g.rhs, %while.end
  %2 = phi i1 [ false, %while.end ], [ %e, %g.rhs ]
  br i1 %2, label %while.cond, label %last

last:                                             ; preds = %g.end
  ret i1 %2, !range !{i8 \"%2\"}
}
!1 = !{}
";

    #[test]
    fn branches_on_conditions_become_branches_on_operands() {
        // `a` is true 10 times and then false. `b` is true four times, `c` three times.
        let counts = [vec![10, 1], vec![4, 6], vec![7, 4], vec![1, 0], vec![0, 1]];
        let counts: EdgeCounts = (1..).zip(counts).collect();
        let mut all = FunctionCounts::from([("f", (1, counts))]);
        let text = with_direct_conditions(LOOP, &mut all);
        let branches: Vec<&str> = text.lines().filter(|line| line.contains("br i1")).map(str::trim).collect();
        let wanted = [
            "br i1 %a, label %land.rhs, label %while.end, !dbg !2",
            "br i1 %b, label %while.body, label %lor.rhs, !dbg !3",
            "br i1 %c, label %while.body, label %while.end, !dbg !7",
            "br i1 %d, label %g.rhs, label %g.end",
            "br i1 %0, label %while.cond, label %last",
        ];
        assert_eq!(branches, wanted);
        assert!(
            text.contains("ret i1 %0, !range !{i8 \"%2\"}")
                && text.contains("%0 = phi i1 [ false, %while.end ]")
        );
        assert!(!text.contains("lor.end") && !text.contains("land.end:") && text.ends_with("}\n!1 = !{}\n"));
        let (_, counts) = &all["f"];
        let counts: Vec<&[u64]> = (1..=5).map(|number| &*counts[&number]).collect();
        assert_eq!(counts, [[10, 1], [4, 6], [3, 3], [1, 0], [0, 1]]);
    }
}
