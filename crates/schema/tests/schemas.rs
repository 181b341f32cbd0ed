//! Generates docs/src/reference/schemas/*.schema.json from the types, and tests that the files are up to date.
//!
//! `BPA_WRITE_SCHEMAS=1 cargo test -p bpa-schema` rewrites the files.

use std::path::Path;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use bpa_schema::{
    BranchFeatures, CallGraph, Calls, DifferingBranch, Function, FunctionFeatures, MeasuredBranch,
    ModuleAudit, ScoredBranch, SourceBranch, SourceHints, FORMAT,
};

/// Makes the schema strict: integers are limited to their range, and omitted fields have no default value. Other fields
/// are allowed, because a later version may add fields.
fn strict(schema: &mut Schema) {
    schema.remove("default");
    if schema.get("format").is_some_and(|format| format == "uint32") && schema.get("maximum").is_none() {
        schema.insert("maximum".into(), u32::MAX.into());
    }
    // The Rust type of a number has no meaning outside Rust.
    if schema.get("type").is_some_and(|kind| !kind.is_object()) {
        schema.remove("format");
    }
    if schema.get("type").is_some_and(|kind| kind == "object") && schema.get("properties").is_some() {
        forbid_null(schema);
    }
}

/// Forbids null for fields that are not required.
fn forbid_null(schema: &mut Schema) {
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required =
        |name: &str| required.as_array().is_some_and(|names| names.iter().any(|one| one == name));
    let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (_, field) in fields.iter_mut().filter(|(name, _)| !is_required(name)) {
        if let Some(kinds) = field.get_mut("type").and_then(Value::as_array_mut) {
            kinds.retain(|kind| kind != "null");
        }
        if let Some(kinds) = field.get_mut("anyOf").and_then(Value::as_array_mut) {
            kinds.retain(|kind| kind["type"] != "null");
        }
    }
}

/// Compares docs/src/reference/schemas/`name`.schema.json with the schema of `T`, or writes the file.
fn check<T: JsonSchema>(name: &str) {
    let settings = SchemaSettings::draft07().with_transform(RecursiveTransform(strict)).with(|settings| {
        settings.contract = schemars::generate::Contract::Serialize;
        settings.meta_schema = Some("http://json-schema.org/draft-07/schema#".into());
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("$id".into(), format!("urn:bpa:{name}:{FORMAT}").into());
    let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../../docs/src/reference/schemas/{name}.schema.json"));
    if std::env::var_os("BPA_WRITE_SCHEMAS").is_some() {
        std::fs::write(&path, text).expect("the file can be written");
        return;
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "docs/src/reference/schemas/{name}.schema.json differs from the types: rewrite it with \
         BPA_WRITE_SCHEMAS=1 cargo test -p bpa-schema"
    );
}

#[test]
fn schemas_match_the_types() {
    check::<Function>("bpa");
    check::<ModuleAudit>("audit");
    check::<Calls>("entry-counts");
    check::<CallGraph>("call-graph");
    check::<ScoredBranch>("score");
    check::<SourceBranch>("explain");
    check::<DifferingBranch>("diff");
    check::<MeasuredBranch>("measured");
    check::<SourceHints>("source-hints");
    check::<BranchFeatures>("features");
    check::<FunctionFeatures>("function-features");
}
