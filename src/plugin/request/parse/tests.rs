//! Tests of each form of a pipeline element, and of the errors.

use std::sync::Arc;

use bpa_core::bfi::FrequencyMethod;
use bpa_core::bpi::Probability;
use bpa_core::dialect::Dialect;
use bpa_core::Predictor;

use super::super::model::{Degree, RequestOptions};
use super::super::table::Analysis;
use super::*;
use crate::plugin::output::{Output, OutputKind};

const PROBABILITIES: PassKind = PassKind::Analysis(Analysis::Probabilities);
const FREQUENCIES: PassKind = PassKind::Analysis(Analysis::Frequencies);
const BIAS: PassKind = PassKind::Analysis(Analysis::Bias);

/// A request without options.
fn plain(pass: PassKind, mode: Mode) -> Request {
    Request { pass, mode, options: RequestOptions::default() }
}

fn with(pass: PassKind, mode: Mode, options: RequestOptions) -> Request {
    Request { pass, mode, options }
}

fn file(name: &str) -> Option<Output> {
    Output::new(name, OutputKind::File)
}

fn parsed(element: &str) -> Request {
    Request::parse(element).expect("the element names a pass of bpa").expect("good options")
}

fn error(element: &str) -> String {
    Request::parse(element).expect("the element names a pass of bpa").expect_err("bad options").to_string()
}

#[test]
fn exactly_our_names_are_known() {
    for (name, pass) in [("rust-bpi", PROBABILITIES), ("rust-bfi", FREQUENCIES)] {
        assert_eq!(parsed(name), plain(pass, Mode::Plain));
        assert_eq!(parsed(&format!("{name}<>")), plain(pass, Mode::Plain));
        assert_eq!(parsed(&format!("print<{name}>")), plain(pass, Mode::Plain));
        assert_eq!(parsed(&format!("require<{name}>")), plain(pass, Mode::Require));
        assert_eq!(parsed(&format!("invalidate<{name}>")), plain(pass, Mode::Invalidate));
    }
    assert_eq!(parsed("print<rust-bias>"), plain(BIAS, Mode::Plain));
    let others = ["rust-bpix", "require<rust-bias>", "print", "print<branch-prob>", "verify"];
    for other in others.into_iter().chain(["verify<rust-bpi>", "print<>", "print<rust-bpi2>", ""]) {
        assert_eq!(Request::parse(other), None, "{other}");
    }
}

#[test]
fn the_error_for_a_print_only_analysis_names_the_printer() {
    for element in ["rust-bias", "rust-bias<like=19>"] {
        assert_eq!(
            error(element),
            "rust-bias: this analysis can only be printed; did you mean print<rust-bias>?"
        );
    }
}

/// Messages contain the name of the pass, as the user typed it.
#[test]
fn pass_names_are_kept_as_typed() {
    for element in ["rust-bpi", "rust-bfi", "rust-bpi<annotate>", "rust-bfi<annotate>", "rust-lower-expect"] {
        assert_eq!(parsed(element).name(), element);
    }
    for element in ["rust-bpi<features>", "rust-entry-counts", "rust-entry-counts<annotate>"] {
        assert_eq!(parsed(element).name(), element);
    }
    assert_eq!(parsed("rust-entry-counts<score>").name(), "rust-entry-counts");
    assert_eq!(parsed("rust-bpi<check>").name(), "rust-bpi<check>");
    assert_eq!(parsed("print<rust-bfi;check>").name(), "rust-bfi<check>");
    assert_eq!(parsed("print<rust-bias>").name(), "rust-bias");
    assert_eq!(parsed("require<rust-bfi>").name(), "rust-bfi");
    assert_eq!(parsed("rust-bfi<like=18>").name(), "rust-bfi");
}

#[test]
fn printers_take_options_under_either_name() {
    let output = file("a b=c.json");
    let json = with(PROBABILITIES, Mode::Json, RequestOptions { output, json: true, ..Default::default() });
    assert_eq!(parsed("rust-bpi<json;output=a b=c.json>"), json);
    assert_eq!(parsed("print<rust-bpi;output=a b=c.json;json>"), json);
    assert_eq!(parsed("rust-bfi<explain>"), plain(FREQUENCIES, Mode::Explain));
    assert_eq!(parsed("print<rust-bfi;dot>"), plain(FREQUENCIES, Mode::Dot));
    let bias = with(BIAS, Mode::Plain, RequestOptions { output: file("x"), ..Default::default() });
    assert_eq!(parsed("print<rust-bias;output=x>"), bias);
    let output = Output::new("x", OutputKind::Directory);
    let pictures = with(FREQUENCIES, Mode::Dot, RequestOptions { output, ..Default::default() });
    assert_eq!(parsed("rust-bfi<dot;output=x>"), pictures);
}

#[test]
fn score_prints_a_table_or_json() {
    let score = |json, like, output| {
        with(PROBABILITIES, Mode::Score, RequestOptions { json, like, output, ..RequestOptions::default() })
    };
    for name in ["rust-bpi<score>", "print<rust-bpi;score>"] {
        assert_eq!(parsed(name), score(false, None, None));
    }
    assert_eq!(parsed("rust-bpi<score>").name(), "rust-bpi<score>");
    assert_eq!(
        parsed("rust-bpi<json;output=a.json;score;like=19>"),
        score(true, Dialect::named("19"), file("a.json"))
    );
    let added = Output::new("a.json", OutputKind::Appended);
    assert_eq!(parsed("rust-bpi<score;append;json;output=a.json>"), score(true, None, added));
    for other in ["explain", "diff", "check"] {
        let message = error(&format!("rust-bpi<score;{other}>"));
        assert!(
            message.contains(&format!("option '{other}' cannot be used with option 'score'")),
            "{message}"
        );
    }
    assert!(error("rust-bfi<score>").contains("unknown option 'score'"));
}

#[test]
fn remarks_can_be_limited() {
    assert_eq!(parsed("rust-bpi<remarks>"), plain(PROBABILITIES, Mode::Remarks));
    assert_eq!(parsed("rust-bpi<remarks>").name(), "rust-bpi<remarks>");
    let few =
        RequestOptions { at_least: Probability::ratio(9, 10), limit: Some(3), ..RequestOptions::default() };
    assert_eq!(parsed("rust-bpi<limit=3;remarks;at-least=90%>"), with(PROBABILITIES, Mode::Remarks, few));
    let like = Dialect::named("19");
    let exact = RequestOptions { method: FrequencyMethod::Exact, like, ..RequestOptions::default() };
    assert_eq!(parsed("rust-bfi<exact;remarks;like=19>"), with(FREQUENCIES, Mode::Remarks, exact));
    assert_eq!(parsed("rust-bfi<remarks>").name(), "rust-bfi<remarks>");
    for wrong in ["0", "", "x", "+1", "01", "-1", "4294967296"] {
        let message = error(&format!("rust-bfi<remarks;limit={wrong}>"));
        assert!(message.contains("needs a number from 1 to 4294967295"), "{message}");
    }
    for analysis in ["rust-bpi", "rust-bfi"] {
        let message = error(&format!("{analysis}<limit=3>"));
        assert!(message.contains("option 'limit=3' needs option 'remarks'"), "{message}");
        for other in ["annotate", "explain", "json", "diff", "check", "output=x"] {
            let message = error(&format!("{analysis}<remarks;{other}>"));
            assert!(message.contains("cannot be used with option"), "{message}");
        }
    }
    for wrong in ["", "80", "101%", "-1%", "080%", "+80%", "80%%", "80.5%", " 80%", "%", "4294967376%"] {
        let message = error(&format!("rust-bpi<remarks;at-least={wrong}>"));
        assert!(message.contains("needs a whole percentage from 0% to 100%"), "{message}");
    }
    assert!(error("rust-bpi<at-least=80%>").contains("option 'at-least=80%' needs option 'remarks'"));
    let message = error("rust-bpi<annotate;at-least=80%>");
    assert!(message.contains("option 'at-least=80%' cannot be used with option 'annotate'"), "{message}");
    assert!(error("rust-bfi<remarks;at-least=90%>").contains("unknown option 'at-least=90%'"));
    assert!(error("print<rust-bpi;remarks>").contains("unknown option 'remarks'"));
}

#[test]
fn built_in_predictors_are_selected_by_name() {
    let predictor = |name| Predictor::named(name).map(Arc::new);
    assert_eq!(parsed("rust-bfi<predictor=llvm>"), plain(FREQUENCIES, Mode::Plain));
    for name in Predictor::names().split(", ").filter(|name| *name != "llvm") {
        let by = |mode| {
            let options = RequestOptions { predictor: predictor(name), ..RequestOptions::default() };
            with(PROBABILITIES, mode, options)
        };
        assert_eq!(parsed(&format!("rust-bpi<predictor={name}>")), by(Mode::Plain));
        assert_eq!(parsed(&format!("rust-bpi<annotate;predictor={name}>")), by(Mode::Annotate));
        assert_eq!(parsed(&format!("require<rust-bpi;predictor={name}>")), by(Mode::Require));
    }
    assert!(error("rust-bpi<predictor=>").contains("option 'predictor=' needs llvm"));
    assert_eq!(
        error("rust-bpi<predictor=no/such.toml>"),
        "cannot read predictor 'no/such.toml': No such file or directory (os error 2)"
    );
    assert!(error("rust-bpi<check;predictor=llvm>").contains("cannot be used with option 'check'"));
}

#[test]
fn append_needs_an_output_file() {
    assert!(error("rust-bpi<append>").contains("option 'append' needs option 'output'"));
    let message = error("rust-bfi<dot;append;output=x>");
    assert!(message.contains("option 'append' cannot be used with option 'dot'"), "{message}");
    let output = parsed("print<rust-bias;append;output=x>").options.output;
    assert_eq!(output, Output::new("x", OutputKind::Appended));
}

#[test]
fn only_json_and_explain_can_be_combined() {
    let explained =
        with(PROBABILITIES, Mode::Explain, RequestOptions { json: true, ..RequestOptions::default() });
    assert_eq!(parsed("rust-bpi<json;explain>"), explained);
    assert_eq!(parsed("print<rust-bpi;explain;json>"), explained);
    for (one, other, valid) in [
        ("dot", "explain", "exact, json"),
        ("dot", "json", "exact, explain"),
        ("diff", "json", "exact, explain"),
    ] {
        assert_eq!(
            error(&format!("print<rust-bfi;like=19;{one};{other}>")),
            format!(
                "print<rust-bfi>: option '{one}' cannot be used with option '{other}'; \
                 with '{other}', valid options are: {valid}, like=N, predictor=NAME|FILE, append, output=FILE"
            )
        );
    }
}

#[test]
fn errors_name_the_problem_and_the_valid_options() {
    let valid =
        "valid options are: annotate, overwrite, skip-even, complete, explain, json, score, features, remarks, at-least=N%, limit=N, like=N, predictor=NAME|FILE, diff, check, \
                 append, output=FILE";
    assert_eq!(error("rust-bpi<hot>"), format!("rust-bpi: unknown option 'hot'; {valid}"));
    assert_eq!(error("rust-bpi<annotate;>"), format!("rust-bpi: unknown option ''; {valid}"));
    assert_eq!(
        error("rust-bpi<annotate;annotate>"),
        format!("rust-bpi: option 'annotate' is given twice; {valid}")
    );
    assert_eq!(
        error("rust-bpi<overwrite>"),
        format!("rust-bpi: option 'overwrite' needs option 'annotate'; {valid}")
    );
    let valid_for_frequencies =
        "valid options are: annotate, overwrite, exact, explain, json, dot, remarks, limit=N, like=N, predictor=NAME|FILE, diff, \
                                 check, append, output=FILE";
    assert_eq!(error("rust-bfi<hot>"), format!("rust-bfi: unknown option 'hot'; {valid_for_frequencies}"));
    assert_eq!(
        error("rust-bfi<diff>"),
        format!(
            "rust-bfi: option 'diff' needs option 'like' or 'predictor' or 'exact'; {valid_for_frequencies}"
        )
    );
    for wrong in ["like=13", "like=", "like=x", "like=19=20", "like=+19", "like=019"] {
        assert_eq!(
            error(&format!("rust-bfi<{wrong}>")),
            format!(
                "rust-bfi: option '{wrong}' needs an LLVM version from {}; {valid_for_frequencies}",
                Dialect::versions()
            )
        );
    }
    assert_eq!(
        error("rust-bfi<like>"),
        format!("rust-bfi: option 'like' needs a value: like=N; {valid_for_frequencies}")
    );
    assert_eq!(
        error("rust-bfi<like=19;like=22>"),
        format!("rust-bfi: option 'like=22' is given twice; {valid_for_frequencies}")
    );
    let valid_with_annotate =
        "with 'annotate', valid options are: overwrite, skip-even, complete, predictor=NAME|FILE";
    assert_eq!(
        error("rust-bpi<annotate;like=19>"),
        format!("rust-bpi: option 'like=19' cannot be used with option 'annotate'; {valid_with_annotate}")
    );
    for printing in ["exact", "explain", "json", "dot", "like=19", "diff", "check", "append", "output=x"] {
        assert_eq!(
            error(&format!("rust-bfi<{printing};annotate>")),
            format!(
                "rust-bfi: option '{printing}' cannot be used with option 'annotate'; \
                 with 'annotate', valid options are: overwrite"
            )
        );
    }
    for printing in ["explain", "json", "score", "diff", "check", "append", "output=x"] {
        assert_eq!(
            error(&format!("rust-bpi<{printing};annotate>")),
            format!(
                "rust-bpi: option '{printing}' cannot be used with option 'annotate'; {valid_with_annotate}"
            )
        );
    }
    assert_eq!(
        error("rust-bfi<explain;like=19;diff>"),
        "rust-bfi: option 'diff' cannot be used with option 'explain'; with 'explain', valid options are: exact, json, \
         like=N, predictor=NAME|FILE, append, output=FILE"
    );
    let none = "rust-lower-expect: unknown option 'hot'; this pass has no options";
    assert_eq!(error("rust-lower-expect<hot>"), none);
    let none = "invalidate<rust-bpi>: unknown option 'json'; this pass has no options";
    assert_eq!(error("invalidate<rust-bpi;json>"), none);
    let valid = "require<rust-bpi>: unknown option 'json'; valid options are: predictor=NAME|FILE";
    assert_eq!(error("require<rust-bpi;json>"), valid);
    let valid = "valid options are: like=N, predictor=NAME|FILE, diff, append, output=FILE";
    for wrong in ["json", ""] {
        let expected = format!("print<rust-bias>: unknown option '{wrong}'; {valid}");
        assert_eq!(error(&format!("print<rust-bias;{wrong}>")), expected);
    }
    assert_eq!(
        error("print<rust-bias;output=>"),
        format!("print<rust-bias>: option 'output=' needs the name of a file; {valid}")
    );
    for wrong in ["output=", "output=-"] {
        let message = error(&format!("rust-bfi<dot;{wrong}>"));
        assert!(message.contains(&format!("option '{wrong}' needs the name of a directory")), "{message}");
    }
    for open in
        ["rust-bpi<annotate", "rust-bpi<<annotate>>", "print<rust-bpi", "rust-bpi<", "rust-bpi<output=a>b>"]
    {
        assert!(error(open).contains("one pair of angle brackets"), "{open}");
    }
}

#[test]
fn the_error_for_a_deleted_pass_names_the_passes_to_use() {
    for element in ["rust-optimize", "rust-optimize<predictor=llvm>"] {
        let wanted = format!("rust-optimize no longer exists: {INSTEAD_OF_OPTIMIZE}");
        assert_eq!(error(element), wanted);
    }
    assert_eq!(Request::parse("rust-optimized"), None);
}

#[test]
fn analyses_are_replaced_or_checked() {
    let analyses = |mode, options| with(PassKind::Analyses, mode, options);
    assert_eq!(parsed("rust-analyses"), analyses(Mode::Plain, RequestOptions::default()));
    assert_eq!(parsed("rust-analyses<check>"), analyses(Mode::Check, RequestOptions::default()));
    let exact = RequestOptions { method: FrequencyMethod::Exact, ..RequestOptions::default() };
    assert_eq!(parsed("rust-analyses<exact>"), analyses(Mode::Plain, exact));
    assert_eq!(Request::parse("print<rust-analyses>"), None);
}

#[test]
fn entry_counts_are_printed_under_both_names() {
    for name in ["rust-entry-counts", "rust-entry-counts<>", "print<rust-entry-counts>"] {
        assert_eq!(parsed(name), plain(PassKind::EntryCounts, Mode::Plain));
    }
    let (function, output) = (Some("f".to_string()), file("x"));
    let explained = RequestOptions { function, output, ..RequestOptions::default() };
    for name in ["rust-entry-counts<explain=f;output=x>", "print<rust-entry-counts;output=x;explain=f>"] {
        assert_eq!(parsed(name), with(PassKind::EntryCounts, Mode::Explain, explained.clone()));
    }
    let pictured = |limit| {
        let options = RequestOptions { limit: Some(limit), ..RequestOptions::default() };
        with(PassKind::EntryCounts, Mode::Dot, options)
    };
    assert_eq!(parsed("rust-entry-counts<dot>"), pictured(24));
    assert_eq!(parsed("print<rust-entry-counts;limit=3;dot>"), pictured(3));
    for other in
        ["rust-entry-count", "rust-entry-counts2", "require<rust-entry-counts>", "print<rust-entry-count>"]
    {
        assert_eq!(Request::parse(other), None, "{other}");
    }
}

#[test]
fn entry_counts_can_be_written_in_three_degrees() {
    let annotate = |overwrite, write| {
        let options = RequestOptions { overwrite, write, ..RequestOptions::default() };
        with(PassKind::EntryCounts, Mode::Annotate, options)
    };
    assert_eq!(parsed("rust-entry-counts<annotate>"), annotate(false, Degree::Attributes));
    assert_eq!(parsed("rust-entry-counts<annotate;write=counts>"), annotate(false, Degree::Counts));
    assert_eq!(parsed("rust-entry-counts<write=cold;annotate;overwrite>"), annotate(true, Degree::Cold));
    assert_eq!(parsed("rust-entry-counts<annotate;write=attributes>"), annotate(false, Degree::Attributes));
    let valid =
        "valid options are: annotate, overwrite, write=KIND, explain=NAME, json, graph, score, features, dot, limit=N, \
                 like=N, predictor=NAME|FILE, append, output=FILE";
    for (options, problem) in [
        ("write=hot;annotate", "option 'write=hot' needs attributes, cold or counts"),
        ("write=cold", "option 'write=cold' needs option 'annotate'"),
        ("overwrite", "option 'overwrite' needs option 'annotate'"),
        ("limit=3", "option 'limit=3' needs option 'dot'"),
        ("dot;limit=0", "option 'limit=0' needs a number from 1 to 4294967295"),
        ("explain=", "option 'explain=' needs the name of a function"),
        ("exact", "unknown option 'exact'"),
    ] {
        let element = format!("rust-entry-counts<{options}>");
        assert_eq!(error(&element), format!("rust-entry-counts: {problem}; {valid}"));
    }
    for (options, rejected, other, valid) in [
        ("annotate;json", "json", "annotate", "overwrite, write=KIND, predictor=NAME|FILE"),
        ("explain=f;json", "explain=f", "json", "like=N, predictor=NAME|FILE, append, output=FILE"),
        ("score;explain=f", "explain=f", "score", "like=N, predictor=NAME|FILE, append, output=FILE"),
        ("annotate;dot", "dot", "annotate", "overwrite, write=KIND, predictor=NAME|FILE"),
        ("dot;json", "dot", "json", "like=N, predictor=NAME|FILE, append, output=FILE"),
        ("dot;explain=f", "explain=f", "dot", "limit=N, like=N, predictor=NAME|FILE, append, output=FILE"),
    ] {
        assert_eq!(
            error(&format!("rust-entry-counts<{options}>")),
            format!(
                "rust-entry-counts: option '{rejected}' cannot be used with option '{other}'; \
                 with '{other}', valid options are: {valid}"
            )
        );
    }
    assert!(error("rust-entry-counts<json").contains("one pair of angle brackets"));
    assert!(error("print<rust-entry-counts;>").starts_with("print<rust-entry-counts>: unknown option ''"));
}
