//! Passes for LLVM's extension points, asked for by an environment variable.
//!
//! `BPA_PIPELINE='optimizer-last:rust-lower-expect,rust-bpi<annotate>'` names an extension point and the passes to run
//! there, in order. More of them may follow: `pipeline-start:print<rust-bpi>,optimizer-last:print<rust-bpi>`.

use super::options::OptionError;
use super::request::Request;

/// The variable.
pub(super) const VARIABLE: &str = "BPA_PIPELINE";

/// A pass for an extension point.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Extension<'a> {
    pub point: &'a str,
    pub request: Request,
    /// How it was asked for.
    pub text: &'a str,
}

/// Why the value of the variable cannot be followed.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ExtensionError {
    #[error("'{element}' needs an extension point before it, as in 'optimizer-last:{element}'; {known}")]
    Nowhere { element: String, known: KnownPoints },
    #[error("unknown extension point '{point}'; {known}")]
    Point { point: String, known: KnownPoints },
    #[error("unknown pass '{element}'")]
    Pass { element: String },
    #[error(transparent)]
    Options(#[from] OptionError),
}

/// The extension points that the host has, as an error lists them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct KnownPoints(String);

impl std::fmt::Display for KnownPoints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "extension points are: {}", self.0)
    }
}

/// Reads the value of the variable: passes separated by commas, an extension point and a colon before the first at
/// each. An empty value asks for nothing.
pub(super) fn parse<'a>(text: &'a str, points: &[&str]) -> Result<Vec<Extension<'a>>, ExtensionError> {
    let known = || KnownPoints(points.join(", "));
    let mut extensions = Vec::new();
    let mut current = None;
    if text.trim().is_empty() {
        return Ok(extensions);
    }
    for part in text.split(',') {
        let element = match part.split_once(':') {
            Some((point, element)) => {
                let point = point.trim();
                if !points.contains(&point) {
                    return Err(ExtensionError::Point { point: point.to_string(), known: known() });
                }
                current = Some(point);
                element.trim()
            }
            None => part.trim(),
        };
        let point = current
            .ok_or_else(|| ExtensionError::Nowhere { element: element.to_string(), known: known() })?;
        let request = Request::parse(element)
            .ok_or_else(|| ExtensionError::Pass { element: element.to_string() })??;
        extensions.push(Extension { point, request, text: element });
    }
    Ok(extensions)
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: [&str; 2] = ["pipeline-start", "optimizer-last"];

    fn parsed(text: &str) -> Vec<(&str, &str)> {
        let extensions = parse(text, &POINTS).expect("well formed");
        extensions.into_iter().map(|extension| (extension.point, extension.text)).collect()
    }

    fn error(text: &str) -> String {
        parse(text, &POINTS).expect_err("malformed").to_string()
    }

    #[test]
    fn nothing_asks_for_nothing() {
        assert_eq!(parsed(""), []);
        assert_eq!(parsed(" "), []);
    }

    #[test]
    fn a_point_holds_until_the_next_is_named() {
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
    fn errors_name_what_is_wrong_and_what_would_be_right() {
        let known = "extension points are: pipeline-start, optimizer-last";
        assert_eq!(error("nowhere:rust-bpi"), format!("unknown extension point 'nowhere'; {known}"));
        assert_eq!(
            error("rust-bpi"),
            format!(
                "'rust-bpi' needs an extension point before it, as in 'optimizer-last:rust-bpi'; {known}"
            )
        );
        assert_eq!(error("optimizer-last:inline"), "unknown pass 'inline'");
        assert_eq!(error("optimizer-last:rust-bpi,"), "unknown pass ''");
        assert!(error("optimizer-last:rust-bpi<hot>").starts_with("rust-bpi: unknown option 'hot'"));
    }
}
