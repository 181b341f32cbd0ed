//! The HTML of the page, with its styles, scripts and data.

use maud::{html, Markup, PreEscaped, DOCTYPE};

/// The content security policy of the page, which forbids all requests.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const STYLE: &str = include_str!("assets/page.css");

/// The syntax highlighter. See vendor/prism/README.md. With `manual`, Prism does not highlight the whole page when the
/// browser loads it.
const PRISM: [&str; 6] = [
    "window.Prism = { manual: true, disableWorkerMessageHandler: true };",
    include_str!("vendor/prism/prism-core.min.js"),
    include_str!("vendor/prism/prism-clike.min.js"),
    include_str!("vendor/prism/prism-c.min.js"),
    include_str!("vendor/prism/prism-cpp.min.js"),
    include_str!("vendor/prism/prism-rust.min.js"),
];

/// The scripts of the page. While the browser loads a script, the script can use names that earlier scripts define. The
/// order of the scripts must therefore not change.
const SCRIPTS: [&str; 16] = [
    include_str!("assets/data.js"),
    include_str!("assets/dom.js"),
    include_str!("assets/link.js"),
    include_str!("assets/rows.js"),
    include_str!("assets/folds.js"),
    include_str!("assets/bars.js"),
    include_str!("assets/highlight.js"),
    include_str!("assets/layout.js"),
    include_str!("assets/graph.js"),
    include_str!("assets/pan.js"),
    include_str!("assets/source.js"),
    include_str!("assets/branches.js"),
    include_str!("assets/panel.js"),
    include_str!("assets/orders.js"),
    include_str!("assets/lists.js"),
    include_str!("assets/main.js"),
];

/// The HTML page with `title` and `data`. `data` must not contain `<`.
pub fn page(title: &str, data: &str) -> String {
    let scripts = [PRISM.join("\n"), SCRIPTS.join("\n")].join("\n");
    let script = format!("\"use strict\";\n(() => {{\n{scripts}\n}})();");
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                link rel="icon" href="data:,";
                title { (title) " - bpa" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (top(title))
                (columns())
                (legend())
                (keys())
                noscript { "This page needs JavaScript to show its data. All scripts are in this file." }
                script id="data" type="application/json" { (PreEscaped(data)) }
                script { (PreEscaped(script)) }
            }
        }
    };
    page.into_string()
}

fn top(title: &str) -> Markup {
    html! {
        header {
            h1 { (title) }
            p id="summary" {}
            label class="search" {
                span class="hidden" { "Search functions" }
                input id="search" type="search" placeholder="Search functions ( / )" autocomplete="off" spellcheck="false";
            }
            button id="theme" type="button" title="Light or dark (t)" { "Theme" }
            button id="help" type="button" title="Keys (?)" { "Keys" }
        }
    }
}

fn columns() -> Markup {
    html! {
        main {
            section id="left" aria-label="Functions" {
                div class="tabs" role="tablist" id="left-tabs" {}
                div class="tools" {
                    label { span { "Order" } select id="order" {} }
                    label { span { "Only" } select id="filter" {} }
                    span id="found" class="quiet" {}
                }
                div id="list" class="rows" tabindex="0" role="listbox" aria-label="Functions" {}
            }
            section id="middle" aria-label="Source" {
                div id="function" aria-live="polite" {}
                div id="source" class="rows" tabindex="0" aria-label="Source lines" {}
            }
            section id="right" aria-label="Details" {
                div id="detail" tabindex="0" aria-live="polite" {}
                div id="panels" {
                    div class="tabs" role="tablist" id="right-tabs" {}
                    div id="panel" {}
                }
            }
        }
    }
}

/// Explains colours and bars. The page shows an element with the attribute `data-if="FIELD"` only if the index of the
/// page contains a value for FIELD.
fn legend() -> Markup {
    html! {
        footer id="legend" aria-label="Legend" {
            span {
                "Executions per call: "
                b { "\u{d7}0.001" } i class="scale" {} b { "\u{d7}1" } i class="scale hot" {} b { "\u{d7}1000" }
            }
            span { i class="split share" { i class="part most" {} i class="part" {} } " predicted: likeliest, others" }
            span data-if="measured" { i class="split measured" { i class="part most" {} i class="part" {} } " measured" }
            span data-if="against" { i class="split against" { i class="part most" {} i class="part" {} } " compared with" }
            span { i class="dashes" {} " loop back edge" }
            span { "+3: three more branches, in inlined system code or exception paths" }
        }
    }
}

fn keys() -> Markup {
    let keys = [
        ("/", "search"),
        ("Arrow keys", "next and previous item of the list that has the focus"),
        ("n, p", "next and previous branch of the function"),
        ("b, g, l", "branches, graph, loops"),
        ("w", "widen or narrow the right column"),
        ("+, -, 0", "zoom in, zoom out, or fit the graph; arrow keys move the graph"),
        ("Enter", "highlight the lines of the selected block of the graph"),
        ("Escape", "clear the search or the highlight"),
        ("t", "light or dark"),
        ("?", "these keys"),
    ];
    html! {
        dialog id="keys" {
            h2 { "Keys" }
            dl { @for (key, what) in keys { dt { (key) } dd { (what) } } }
            form method="dialog" { button { "Close" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_escaped() {
        let page = page("</title><script>alert(1)</script>", "{}");
        assert!(!page.contains("<script>alert"));
    }

    #[test]
    fn the_page_requests_nothing() {
        // The library Prism contains the text `src=`, but loads no script. Therefore the test removes Prism from the
        // page before the check.
        let page = page("t", "{}").replace(&PRISM.join("\n"), "");
        // The name of the SVG namespace contains `http:`, and references inside the page contain `url(`. The browser
        // sends no request for such a name or reference.
        let fetching = page.replace("http://www.w3.org/2000/svg", "").replace("url(#", "");
        for address in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!fetching.contains(address), "{address}");
        }
    }
}
