//! The table of all passes and their options. The parser, error messages and the reference page
//! (`docs/src/reference/passes.md`) use this table.
//!
//! A pass has several modes. Each mode except the plain mode has an option that selects the mode. If no option
//! selects a mode, the plain mode applies. For each mode, the table also lists the options that the mode accepts.
//! Options are identified by their spelling, for example `limit=N`.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::options::name;

/// A pass.
#[cfg_attr(test, derive(Debug))]
pub(super) struct PassSpec {
    pub pass: PassKind,
    pub name: &'static str,
    /// The effect of the pass, for the reference page.
    #[cfg_attr(not(test), expect(dead_code, reason = "used only to write the reference page"))]
    pub help: &'static str,
    /// Whether the name of the pass is also valid without a wrapper.
    pub is_bare: bool,
    /// The wrappers that may surround the name of the pass, for example `print` in `print<rust-bpi>`.
    pub wrappers: &'static [Wrapper],
    /// The plain mode, then all other modes. If an element selects several modes, error messages name the first
    /// selected mode in this list.
    pub modes: &'static [ModeSpec],
}

/// The kind of pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassKind {
    /// An analysis of a function.
    Analysis(Analysis),
    /// LLVM: `LowerExpectIntrinsicPass`.
    LowerExpect,
    /// The estimated entry counts of a module's functions.
    EntryCounts,
    /// The analyses that LLVM's passes use.
    Analyses,
    /// Branches as in the source, with the counts of a front-end profile.
    SourceBranches,
    /// The passes that damage the profile.
    Audit,
}

/// The analyses that can be named in a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Analysis {
    /// Branch probabilities.
    Probabilities,
    /// Block frequencies.
    Frequencies,
    /// Block bias. A request can only print biases, because the plugin does not cache them.
    Bias,
}

impl Analysis {
    /// Whether the analysis needs block frequencies.
    pub fn needs_frequencies(self) -> bool {
        self != Analysis::Probabilities
    }
}

/// A wrapper around the name of an analysis in a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrapper {
    Print,
    Require,
    Invalidate,
}

impl Wrapper {
    pub const ALL: [Wrapper; 3] = [Wrapper::Print, Wrapper::Require, Wrapper::Invalidate];

    pub const fn name(self) -> &'static str {
        match self {
            Wrapper::Print => "print",
            Wrapper::Require => "require",
            Wrapper::Invalidate => "invalidate",
        }
    }
}

/// A mode of a pass.
#[cfg_attr(test, derive(Debug))]
pub(super) struct ModeSpec {
    pub mode: Mode,
    /// The option that selects the mode, or `None` for the plain mode.
    pub option: Option<&'static str>,
    /// The effect of the mode, for the reference page.
    #[cfg_attr(not(test), expect(dead_code, reason = "used only to write the reference page"))]
    pub help: &'static str,
    /// The options of the mode, without the option that selects it.
    pub takes: &'static [&'static str],
    /// If this list is not empty, the user must give at least one option of the list.
    pub needs_one_of: &'static [&'static str],
    /// The maximum number of printed items if `limit=N` is not given. `None` means that all items are printed.
    pub limit: Option<usize>,
    /// Whether the mode only prints, and is therefore also available in `print<...>`.
    pub is_printer: bool,
}

/// The effects of passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Print the result as text. This mode applies if no option selects another mode.
    ///
    /// LLVM: `BranchProbabilityPrinterPass`, `BlockFrequencyPrinterPass`.
    Plain,
    /// Print the result with reasons.
    Explain,
    /// Print the result as JSON.
    Json,
    /// Print the call graph of a module, for a linker of call graphs.
    Graph,
    /// Print a Graphviz picture.
    Dot,
    /// Print only the lines that differ from the host's result.
    Diff,
    /// Compare the result with the host's own analysis.
    Check,
    /// Compare static predictions with the profile in the IR.
    Score,
    /// Print the features that predictors use.
    Features,
    /// Emit optimisation remarks.
    Remarks,
    /// Write the result into the IR.
    Annotate,
    /// Compute the result and cache it. If the predictor is not LLVM's rules, the result is discarded.
    ///
    /// LLVM: `RequireAnalysisPass`.
    Require,
    /// Begin an audit.
    Begin,
    /// Drop the cached result.
    ///
    /// LLVM: `InvalidateAnalysisPass`.
    Invalidate,
}

/// A mode that prints. The option `option` selects the mode, and `takes` lists all other options of the mode.
const fn printer(
    mode: Mode,
    option: &'static str,
    help: &'static str,
    takes: &'static [&'static str],
) -> ModeSpec {
    let option = Some(option);
    ModeSpec { mode, option, help, takes, needs_one_of: &[], limit: None, is_printer: true }
}

/// The mode of a pass if no option selects another mode.
const fn plain(help: &'static str, takes: &'static [&'static str]) -> ModeSpec {
    ModeSpec { option: None, ..printer(Mode::Plain, "", help, takes) }
}

/// Makes a mode unavailable in `print<...>`, because the mode does not print.
const fn not_in_print(mode: ModeSpec) -> ModeSpec {
    ModeSpec { is_printer: false, ..mode }
}

const ANALYSIS_WRAPPERS: &[Wrapper] = &Wrapper::ALL;

/// The options that most printing modes have.
const PRINTER_OPTIONS: &[&str] = &["like=N", "predictor=NAME|FILE", "append", "output=FILE"];

/// All passes.
pub(super) static PASSES: [PassSpec; 8] = [
    PassSpec {
        pass: PassKind::Analysis(Analysis::Probabilities),
        name: "rust-bpi",
        help: "Branch probabilities, as LLVM's BranchProbabilityInfo computes them.",
        is_bare: true,
        wrappers: ANALYSIS_WRAPPERS,
        modes: &[
            plain(
                "Prints the probability of every edge, byte for byte as LLVM's `print<branch-prob>` does.",
                PRINTER_OPTIONS,
            ),
            not_in_print(printer(
                Mode::Annotate,
                "annotate",
                "[Writes](../guide/write-weights.md) the probabilities as `branch_weights` on every branch that has no valid weights.",
                &["overwrite", "skip-even", "complete", "predictor=NAME|FILE"],
            )),
            not_in_print(printer(
                Mode::Remarks,
                "remarks",
                "Emits the probabilities as [LLVM optimisation remarks](remarks.md), at the lines of the source.",
                &["at-least=N%", "limit=N", "like=N", "predictor=NAME|FILE"],
            )),
            printer(
                Mode::Score,
                "score",
                "Compares the predictions with the [profile](../guide/profiles.md) in the IR, and prints a table of rules.",
                &["json", "like=N", "predictor=NAME|FILE", "append", "output=FILE"],
            ),
            printer(
                Mode::Features,
                "features",
                "Prints the [features](features.md) that a trained predictor uses: integers that describe each branch and its \
                 successors.",
                &["like=N", "append", "output=FILE"],
            ),
            CHECK,
            EXPLAIN,
            JSON,
            DIFF,
        ],
    },
    PassSpec {
        pass: PassKind::Analysis(Analysis::Frequencies),
        name: "rust-bfi",
        help: "Block frequencies, as LLVM's BlockFrequencyInfo computes them.",
        is_bare: true,
        wrappers: ANALYSIS_WRAPPERS,
        modes: &[
            plain(
                "Prints the frequency of every block, byte for byte as LLVM's `print<block-freq>` does.",
                &["exact", "like=N", "predictor=NAME|FILE", "append", "output=FILE"],
            ),
            not_in_print(printer(
                Mode::Annotate,
                "annotate",
                "Writes [`!irr_loop` header weights](../guide/exact.md#header-weights-for-llvm) on the headers of irreducible loops. These weights make LLVM's own frequencies more accurate.",
                &["overwrite"],
            )),
            not_in_print(printer(
                Mode::Remarks,
                "remarks",
                "Emits the frequencies as [LLVM optimisation remarks](remarks.md), at the lines of the source.",
                &["exact", "limit=N", "like=N", "predictor=NAME|FILE"],
            )),
            CHECK,
            ModeSpec {
                takes: &["exact", "json", "like=N", "predictor=NAME|FILE", "append", "output=FILE"],
                ..EXPLAIN
            },
            ModeSpec { takes: &["exact", "like=N", "predictor=NAME|FILE", "append", "output=FILE"], ..JSON },
            printer(
                Mode::Dot,
                "dot",
                "Writes one [Graphviz file](pictures.md) per function, coloured by frequency. `output=` names a directory.",
                &["exact", "like=N", "predictor=NAME|FILE", "output=FILE"],
            ),
            ModeSpec {
                takes: &["exact", "like=N", "predictor=NAME|FILE", "append", "output=FILE"],
                needs_one_of: &["like=N", "predictor=NAME|FILE", "exact"],
                ..DIFF
            },
        ],
    },
    PassSpec {
        pass: PassKind::Analysis(Analysis::Bias),
        name: "rust-bias",
        help: "[Block bias](block-bias.md): whether a block is rare because of its position in the control-flow graph, or because a rule \
               marked it as unlikely.",
        is_bare: false,
        wrappers: &[Wrapper::Print],
        modes: &[
            plain(
                "Prints the bias of every block.",
                PRINTER_OPTIONS,
            ),
            DIFF,
        ],
    },
    PassSpec {
        pass: PassKind::LowerExpect,
        name: "rust-lower-expect",
        help: "Lowers `llvm.expect` intrinsics.",
        is_bare: true,
        wrappers: &[],
        modes: &[plain(
            "[Replaces](lower-expect.md) `__builtin_expect` and similar hints by `branch_weights`: the host's `lower-expect`, for `BPA_PIPELINE`.",
            &[],
        )],
    },
    PassSpec {
        pass: PassKind::EntryCounts,
        name: "rust-entry-counts",
        help: "[Estimates](../guide/entry-counts.md) how often each function of the module is called. `rust-entry-counts` is a module pass.",
        is_bare: true,
        wrappers: &[Wrapper::Print],
        modes: &[
            plain(
                "Prints how often each function is called, and the function's share of the running time.",
                PRINTER_OPTIONS,
            ),
            not_in_print(printer(
                Mode::Annotate,
                "annotate",
                "[Writes](../guide/entry-counts.md#write-entry-counts-into-the-ir) the estimate into the module. `write=KIND` selects the data to write.",
                &["overwrite", "write=KIND", "predictor=NAME|FILE"],
            )),
            printer(
                Mode::Json,
                "json",
                "Prints one [JSON](json.md) object per function, each on its own line.",
                PRINTER_OPTIONS,
            ),
            printer(
                Mode::Graph,
                "graph",
                "Prints the call graph as one [JSON](json.md#entry-counts) object. `bpa report` joins the call graphs \
                 of a program.",
                PRINTER_OPTIONS,
            ),
            printer(
                Mode::Score,
                "score",
                "Compares the estimate with the module's profile.",
                PRINTER_OPTIONS,
            ),
            printer(
                Mode::Features,
                "features",
                "Prints the [features](features.md#features-of-a-function) from which a trained \
                 predictor estimates the calls of a function.",
                PRINTER_OPTIONS,
            ),
            ModeSpec {
                limit: Some(24),
                ..printer(
                    Mode::Dot,
                    "dot",
                    "Prints a Graphviz picture of the functions with the most running time, and of the calls to these functions.",
                    &["limit=N", "like=N", "predictor=NAME|FILE", "append", "output=FILE"],
                )
            },
            printer(
                Mode::Explain,
                "explain=NAME",
                "Prints the callers and callees of this function, and how the calls contribute to the counts.",
                PRINTER_OPTIONS,
            ),
        ],
    },
    PassSpec {
        pass: PassKind::Analyses,
        name: "rust-analyses",
        help: "The [analyses that LLVM's passes use](../guide/analyses.md). `rust-analyses` is a module pass, and its place \
               is the start of the pipeline.",
        is_bare: true,
        wrappers: &[],
        modes: &[
            plain(
                "Replaces LLVM's analyses. The later passes then use bpa's probabilities and frequencies. Without options, \
                 the output of the pipeline stays the same, byte for byte.",
                &["exact", "like=N", "predictor=NAME|FILE"],
            ),
            not_in_print(printer(
                Mode::Check,
                "check",
                "Also runs LLVM's analysis each time that a pass requests one, and compares the results. If they differ, \
                 the exit status is 1.",
                &[],
            )),
        ],
    },
    PassSpec {
        pass: PassKind::SourceBranches,
        name: "rust-source-branches",
        help: "The branches of the source. The module must be the output of clang before any pass, with the names of values \
               (`-Xclang -disable-llvm-passes -fno-discard-value-names`). `rust-source-branches` is a module pass. The \
               command [`bpa`](../guide/profiles.md) uses it.",
        is_bare: true,
        wrappers: &[],
        modes: &[plain(
            "Replaces the branch on the value of a logical operation in the condition of a loop by a branch on the last \
             operand. Gives each branch the source position of the operand that it tests. With `profile=FILE` and \
             `instrumented=FILE`, also replaces all branch weights and entry counts by the counts of a front-end \
             profile, and prints the names of functions whose counts are unknown although the profile contains them.",
            &["profile=FILE", "instrumented=FILE", "append", "output=FILE"],
        )],
    },
    PassSpec {
        pass: PassKind::Audit,
        name: "rust-audit",
        help: "[Reports which passes damage the profile](../guide/audit.md). `rust-audit` is a module pass.",
        is_bare: true,
        wrappers: &[],
        modes: &[
            ModeSpec {
                limit: Some(10),
                ..plain(
                    "Ends the audit, and prints for each pass the executions that are wrong or lost through the pass.",
                    &["json", "fail-above=N%", "limit=N", "append", "output=FILE"],
                )
            },
            not_in_print(printer(
                Mode::Begin,
                "begin",
                "Begins an audit: adds a probe to each block of functions with a profile, and records the executions. If no \
                 function has a profile yet, the audit begins after the pass that reads the profile.",
                &[],
            )),
        ],
    },
];

const CHECK: ModeSpec = printer(
    Mode::Check,
    "check",
    "Runs [LLVM's own analysis](../internals/testing.md#in-one-process-check) on the same function and compares every number. If all numbers are equal, the pass prints nothing. If a number differs, the exit status is 1.",
    &[],
);

const EXPLAIN: ModeSpec = printer(
    Mode::Explain,
    "explain",
    "Prints the [reasons](../guide/why.md) under each line: the rule that applied, the weights, and the predictions of the other rules. With `json`, the objects contain the reasons.",
    &["json", "like=N", "predictor=NAME|FILE", "append", "output=FILE"],
);

const JSON: ModeSpec =
    printer(Mode::Json, "json", "Prints one [JSON](json.md) object per function.", PRINTER_OPTIONS);

const DIFF: ModeSpec = ModeSpec {
    needs_one_of: &["like=N", "predictor=NAME|FILE"],
    ..printer(
        Mode::Diff,
        "diff",
        "Prints only the lines that differ from the results of the host's LLVM.",
        PRINTER_OPTIONS,
    )
};

/// An option of a pass.
pub(super) struct OptionSpec {
    /// The name of the option. If the option takes a value, `=` and a placeholder follow the name.
    pub spelling: &'static str,
    /// The valid values of the option.
    pub value: Value,
    /// The default value, for the reference page.
    #[cfg_attr(not(test), expect(dead_code, reason = "used only to write the reference page"))]
    pub default: &'static str,
    /// The effect of the option, for the reference page. If the option selects a mode, this text is empty, because
    /// `ModeSpec::help` describes the effect.
    #[cfg_attr(not(test), expect(dead_code, reason = "used only to write the reference page"))]
    pub help: &'static str,
    /// The option that must be present if this option is present.
    pub needs: Option<&'static str>,
}

/// The valid values of an option.
pub(super) enum Value {
    /// No value.
    None,
    /// A whole percentage.
    Percent(RangeInclusive<u32>),
    Number(RangeInclusive<u32>),
    /// One of these words.
    Word(&'static [&'static str]),
    /// The number of an LLVM version.
    Version,
    /// The name of a built-in predictor, or of a file with a predictor.
    Predictor,
    File,
    /// The name of a function.
    Function,
}

/// An option that selects a mode.
const fn selects(spelling: &'static str) -> OptionSpec {
    OptionSpec { spelling, value: Value::None, default: "", help: "", needs: None }
}

/// An option that changes the effect of a mode.
const fn option(
    spelling: &'static str,
    value: Value,
    default: &'static str,
    help: &'static str,
) -> OptionSpec {
    OptionSpec { spelling, value, default, help, needs: None }
}

/// All options. Error messages list the options of a pass in this order.
pub(super) static OPTIONS: [OptionSpec; 26] = [
    selects("annotate"),
    option("overwrite", Value::None, "", "Predicts without the existing weights, and replaces them."),
    option("skip-even", Value::None, "", "Leaves out branches to which no rule applies."),
    option(
        "complete",
        Value::None,
        "",
        "Writes `!{!\"unknown\", !\"bpa\"}` on every branch and `select` that has no weights afterwards. LLVM 22 and later \
         accept this as a complete profile.",
    ),
    option(
        "write=KIND",
        Value::Word(&["attributes", "cold", "counts"]),
        "attributes",
        "Selects the data to write. `attributes` writes the attribute `cold` on functions that run rarely. `cold` writes \
         a `ProfileSummary` and the `function_entry_count` of functions that run rarely. `counts` writes a `ProfileSummary` and \
         the `function_entry_count` of all functions.",
    ),
    option("exact", Value::None, "", "[Solves the flow equations](../guide/exact.md) exactly, even if control flow is irreducible."),
    selects("explain"),
    OptionSpec { value: Value::Function, ..selects("explain=NAME") },
    OptionSpec { help: "Prints JSON instead of text.", ..selects("json") },
    selects("graph"),
    selects("score"),
    selects("features"),
    selects("dot"),
    selects("remarks"),
    option("at-least=N%", Value::Percent(0..=100), "0%", "Emits no remark on a branch if the probability of its likeliest successor is below this value."),
    option("limit=N", Value::Number(1..=u32::MAX), "see the mode", "Prints at most this many items."),
    option("like=N", Value::Version, "the host's version", "Computes the [results of this version of LLVM](../guide/other-versions.md)."),
    option(
        "predictor=NAME|FILE",
        Value::Predictor,
        "llvm",
        "Predicts with [other rules or a trained model](../guide/predictors.md).",
    ),
    selects("diff"),
    selects("check"),
    selects("begin"),
    option("fail-above=N%", Value::Percent(0..=1_000_000), "", "Exits with status 1 if more than this percentage of the executions is wrong."),
    OptionSpec {
        needs: Some("instrumented=FILE"),
        ..option("profile=FILE", Value::File, "", "The front-end profile: the output of `llvm-profdata merge`.")
    },
    OptionSpec {
        needs: Some("profile=FILE"),
        ..option(
            "instrumented=FILE",
            Value::File,
            "",
            "The same module, compiled with `-Xclang -fprofile-instrument=clang` instead of a profile.",
        )
    },
    OptionSpec {
        needs: Some("output=FILE"),
        ..option("append", Value::None, "", "Appends to the file. Several processes may append at the same time.")
    },
    option("output=FILE", Value::File, "stderr", "[Prints to this file](output.md). `-` is stdout, and `%p` in the name is the process number."),
];

/// The options of `require<...>`. `invalidate<...>` has no options.
const REQUIRE_OPTIONS: &[&str] = &["predictor=NAME|FILE"];

impl OptionSpec {
    /// The option with this spelling.
    pub fn find(spelling: &str) -> &'static OptionSpec {
        let found = OPTIONS.iter().find(|option| option.spelling == spelling);
        found.unwrap_or_else(|| panic!("no option is spelled '{spelling}'"))
    }
}

impl PassSpec {
    /// The pass with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PASSES.iter().find(|pass| pass.name == name)
    }

    /// The pass whose kind is `pass`.
    pub fn of(pass: PassKind) -> &'static Self {
        PASSES.iter().find(|spec| spec.pass == pass).expect("the table has all kinds of passes")
    }

    /// The modes of the pass. Inside a wrapper such as `print<...>`, the pass has only the modes that print.
    pub fn modes(&'static self, wrapper: Option<Wrapper>) -> impl Iterator<Item = &'static ModeSpec> {
        self.modes.iter().filter(move |mode| wrapper.is_none() || mode.is_printer)
    }

    /// The options that the pass accepts inside `wrapper`, for example inside `print<...>`.
    pub fn options(&'static self, wrapper: Option<Wrapper>) -> &'static [&'static str] {
        type List = (&'static str, Option<Wrapper>, Vec<&'static str>);
        static LISTS: LazyLock<Vec<List>> = LazyLock::new(|| {
            let passes = PASSES.iter().flat_map(|pass| [(pass, None), (pass, Some(Wrapper::Print))]);
            passes.map(|(pass, wrapper)| (pass.name, wrapper, pass.collect_options(wrapper))).collect()
        });
        match wrapper {
            Some(Wrapper::Require) => REQUIRE_OPTIONS,
            Some(Wrapper::Invalidate) => &[],
            None | Some(Wrapper::Print) => {
                let list = LISTS.iter().find(|(name, of, _)| *name == self.name && *of == wrapper);
                list.map_or(&[], |(.., options)| options)
            }
        }
    }

    fn collect_options(&'static self, wrapper: Option<Wrapper>) -> Vec<&'static str> {
        let has = |option: &&str| {
            self.modes(wrapper).any(|mode| mode.option == Some(option) || mode.takes.contains(option))
        };
        OPTIONS.iter().map(|option| option.spelling).filter(has).collect()
    }
}

impl ModeSpec {
    /// The name of the option that selects the mode.
    pub fn option_name(&self) -> Option<&'static str> {
        self.option.map(name)
    }
}
