//! The page: its frame, and in it styles, scripts and data.

use maud::{html, Markup, PreEscaped, DOCTYPE};

/// Nothing may be fetched, whatever a name or a line of the source says.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

const STYLE: &str = include_str!("assets/page.css");

/// In this order: each uses only what comes before it.
const SCRIPTS: [&str; 9] = [
    include_str!("assets/data.js"),
    include_str!("assets/dom.js"),
    include_str!("assets/rows.js"),
    include_str!("assets/layout.js"),
    include_str!("assets/graph.js"),
    include_str!("assets/source.js"),
    include_str!("assets/branches.js"),
    include_str!("assets/lists.js"),
    include_str!("assets/main.js"),
];

/// The page with this title, of `data`, which has no `<`.
pub fn page(title: &str, data: &str) -> String {
    let script = format!("\"use strict\";\n(() => {{\n{}\n}})();", SCRIPTS.join("\n"));
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
                (keys())
                noscript { "This page shows its data by JavaScript, all of which is in it." }
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
                div id="list" class="rows" tabindex="0" role="listbox" aria-label="Functions" {}
            }
            section id="middle" aria-label="Source" {
                div id="function" aria-live="polite" {}
                div id="source" class="rows" tabindex="0" aria-label="Source lines" {}
            }
            section id="right" aria-label="Details" {
                div id="detail" aria-live="polite" {}
                div class="tabs" role="tablist" id="right-tabs" {}
                div id="panel" {}
            }
        }
    }
}

fn keys() -> Markup {
    let keys = [
        ("/", "search"),
        ("Arrow keys", "next and previous in the list that has the focus"),
        ("n, p", "next and previous branch of the function"),
        ("b, g, l", "branches, graph, loops"),
        ("Enter", "on a block of the graph: mark its lines"),
        ("Escape", "clear the search, or what is marked"),
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
    fn a_title_is_text() {
        let page = page("</title><script>alert(1)</script>", "{}");
        assert!(!page.contains("<script>alert"));
    }

    #[test]
    fn nothing_is_fetched() {
        let page = page("t", "{}");
        // A name of a language, and a reference to what is in the page.
        let fetching = page.replace("http://www.w3.org/2000/svg", "").replace("url(#", "");
        for address in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!fetching.contains(address), "{address}");
        }
    }
}
