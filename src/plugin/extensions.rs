//! Parses the environment variable that requests passes at LLVM's extension points.
//!
//! `BPA_PIPELINE='optimizer-last:rust-lower-expect,rust-bpi<annotate>'` names an extension point and the passes to run
//! at that point, in order. The value can name several extension points:
//! `pipeline-start:print<rust-bpi>,optimizer-last:print<rust-bpi>`. The elements `analyses` and `audit` need no extension
//! point.

use super::message::Failure;
use super::request::INSTEAD_OF_OPTIMIZE;

/// The name of the environment variable.
pub(super) const VARIABLE: &str = "BPA_PIPELINE";

/// A pass for an extension point.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Extension<'a> {
    /// `None` for [`ANALYSES`] and [`AUDIT`].
    pub point: Option<&'a str>,
    /// The name and options of the pass, as the user typed them.
    pub element: &'a str,
}

/// The element that requests `rust-analyses` for every pipeline of the host. Options can follow.
const ANALYSES: &str = "analyses";

/// The element that requests an audit of every pipeline of the host. Options can follow.
pub(super) const AUDIT: &str = "audit";

/// Parses the value of the variable. The value is a list of passes, separated by commas. The prefix `POINT:` of
/// a pass selects the extension point of this pass and of the following passes. An empty value requests no pass.
///
/// `points` are the host's extension points. If a pass has no extension point, the error message depends on `is_pass`,
/// which returns whether a plugin has the pass.
pub(super) fn parse<'a>(
    text: &'a str,
    points: &[&str],
    is_pass: impl Fn(&str) -> bool,
) -> Result<Vec<Extension<'a>>, Failure> {
    let mut extensions = Vec::new();
    let mut current = None;
    if text.trim().is_empty() {
        return Ok(extensions);
    }
    for part in text.split(',') {
        let name = part.split('<').next().unwrap_or_default();
        let element = match name.find(':') {
            // Only a colon before `<` ends an extension point, because options can contain colons.
            Some(colon) => {
                let (point, element) = (part[..colon].trim(), &part[colon + 1..]);
                check_point(point, points)?;
                current = Some(point);
                element.trim()
            }
            None if [ANALYSES, AUDIT].contains(&name.trim()) => {
                extensions.push(Extension { point: None, element: part.trim() });
                continue;
            }
            None => part.trim(),
        };
        if element.is_empty() {
            return Err(Failure(format!(
                "'{text}' contains an empty list element; each element must contain a pass"
            )));
        }
        if element == "optimize" {
            return Err(Failure(format!("'optimize' no longer exists: {INSTEAD_OF_OPTIMIZE}")));
        }
        let Some(point) = current else {
            let problem = match is_pass(element) {
                true => format!(
                    "'{element}' needs an extension point before it, as in 'optimizer-last:{element}'"
                ),
                false => format!(
                    "unknown pass '{element}'; valid values are '{ANALYSES}', '{AUDIT}', and passes after an extension point, as in \
                     'optimizer-last:rust-bpi<annotate>'"
                ),
            };
            return Err(Failure(format!("{problem}; {}", list(points))));
        };
        extensions.push(Extension { point: Some(point), element });
    }
    Ok(extensions)
}

/// Checks that `point` is in the list `points` of the host's extension points.
pub(super) fn check_point(point: &str, points: &[&str]) -> Result<(), Failure> {
    if points.contains(&point) {
        return Ok(());
    }
    Err(Failure(format!("unknown extension point '{point}'; {}", list(points))))
}

/// Lists the host's extension points in a text for error messages.
fn list(points: &[&str]) -> String {
    format!("extension points are: {}", points.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [&str; 2] = ["pipeline-start", "optimizer-last"];

    fn parsed(text: &str) -> Vec<(&str, &str)> {
        let extensions = parse(text, &POINTS, is_pass).expect("well formed");
        extensions.into_iter().map(|extension| (extension.point.unwrap_or("-"), extension.element)).collect()
    }

    fn error(text: &str) -> String {
        parse(text, &POINTS, is_pass).expect_err("malformed").to_string()
    }

    fn is_pass(element: &str) -> bool {
        element.starts_with("rust-")
    }

    #[test]
    fn an_empty_value_requests_no_pass() {
        assert_eq!(parsed(""), []);
        assert_eq!(parsed(" "), []);
    }

    #[test]
    fn a_point_applies_until_the_next_point() {
        assert_eq!(parsed("optimizer-last:rust-bpi<annotate>"), [("optimizer-last", "rust-bpi<annotate>")]);
        assert_eq!(
            parsed("pipeline-start:rust-lower-expect,rust-bpi<annotate;overwrite>, optimizer-last: rust-bfi"),
            [
                ("pipeline-start", "rust-lower-expect"),
                ("pipeline-start", "rust-bpi<annotate;overwrite>"),
                ("optimizer-last", "rust-bfi"),
            ]
        );
    }

    #[test]
    fn analyses_need_no_extension_point() {
        assert_eq!(parsed("analyses"), [("-", "analyses")]);
        assert_eq!(
            parsed("optimizer-last:rust-bpi, analyses<predictor=a:b>,rust-bfi"),
            [
                ("optimizer-last", "rust-bpi"),
                ("-", "analyses<predictor=a:b>"),
                ("optimizer-last", "rust-bfi")
            ]
        );
        assert_eq!(parsed("pipeline-start:rust-analyses"), [("pipeline-start", "rust-analyses")]);
    }

    #[test]
    fn a_colon_in_options_does_not_end_an_extension_point() {
        assert_eq!(
            parsed("optimizer-last:rust-bpi,rust-bpi<output=a:b>,pipeline-start:rust-bfi<output=c:d>"),
            [
                ("optimizer-last", "rust-bpi"),
                ("optimizer-last", "rust-bpi<output=a:b>"),
                ("pipeline-start", "rust-bfi<output=c:d>"),
            ]
        );
    }

    #[test]
    fn errors_name_the_problem_and_the_valid_points() {
        let known = "extension points are: pipeline-start, optimizer-last";
        assert_eq!(error("nowhere:rust-bpi"), format!("unknown extension point 'nowhere'; {known}"));
        assert_eq!(
            error("rust-bpi"),
            format!(
                "'rust-bpi' needs an extension point before it, as in 'optimizer-last:rust-bpi'; {known}"
            )
        );
        for text in ["optimise", "rust", "optimizer-last", "instcombine"] {
            assert_eq!(
                error(text),
                format!(
                    "unknown pass '{text}'; valid values are 'analyses', 'audit', and passes after an extension point, as in \
                     'optimizer-last:rust-bpi<annotate>'; {known}"
                )
            );
        }
        for text in ["optimize", "optimizer-last:rust-bpi,optimize"] {
            assert_eq!(error(text), format!("'optimize' no longer exists: {INSTEAD_OF_OPTIMIZE}"));
        }
        for text in [",", "optimizer-last:rust-bpi,", "optimizer-last:", ",optimizer-last:rust-bpi"] {
            let empty = "contains an empty list element; each element must contain a pass";
            assert_eq!(error(text), format!("'{text}' {empty}"));
        }
    }
}
