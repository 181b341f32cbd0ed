//! Reads clang's syntax tree from `-ast-dump=json` node by node, because the tree can be larger than memory.
//!
//! Clang prints the file of a position only if it differs from the file of the previous position. Therefore this module
//! reads all source positions in clang's output, in their order.

use std::collections::HashMap;
use std::fmt;
use std::io::Read;
use std::path::Path;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::Deserialize;

use super::files::{FileId, Files};
use super::tree::{Kind, Node, Range, Sink, Token, TypeName};

/// The files of a syntax tree. The key is the name of the file in the tree.
pub type Names = HashMap<String, FileId>;

/// Reads the syntax tree in `json`. `directory` is the working directory of the compilation. Returns the files to which
/// the positions in the tree refer.
pub fn read<S: Sink>(
    json: impl Read,
    directory: &Path,
    files: &mut Files,
    sink: &mut S,
) -> serde_json::Result<Names> {
    let mut reader = serde_json::Deserializer::from_reader(json);
    reader.disable_recursion_limit();
    let mut state = State { directory, files, file: None, by_name: HashMap::new(), sink };
    NodeSeed(&mut state).deserialize(&mut reader)?;
    reader.end()?;
    Ok(state.by_name)
}

struct State<'a, S> {
    directory: &'a Path,
    files: &'a mut Files,
    /// The file of the previous position.
    file: Option<FileId>,
    by_name: Names,
    sink: &'a mut S,
}

impl<S> State<'_, S> {
    fn set_file(&mut self, name: String) {
        let known = self.by_name.get(&name).copied();
        let id = known.unwrap_or_else(|| self.files.id(self.directory, &name));
        self.by_name.insert(name, id);
        self.file = Some(id);
    }
}

/// Defines a deserialization seed that reads a JSON object and updates the state.
macro_rules! object_seed {
    ($seed:ident, $value:ty, $what:literal) => {
        struct $seed<'s, 'a, S>(&'s mut State<'a, S>);

        impl<'de, S: Sink> DeserializeSeed<'de> for $seed<'_, '_, S> {
            type Value = $value;

            fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
                reader.deserialize_map(self)
            }
        }

        impl<'de, S: Sink> Visitor<'de> for $seed<'_, '_, S> {
            type Value = $value;

            fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
                out.write_str($what)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                self.read(map)
            }
        }
    };
}

object_seed!(NodeSeed, S::Node, "a node");
object_seed!(RangeSeed, Option<Range>, "a range");
object_seed!(TokenSeed, Option<Token>, "a token");

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
enum NodeKey {
    Kind,
    Loc,
    Range,
    Opcode,
    Type,
    CastKind,
    HasInit,
    HasVar,
    IsConstexpr,
    IsConsteval,
    ReferencedDecl,
    Value,
    Inner,
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Type {
    #[serde(default)]
    qual_type: TypeName,
}

#[derive(Deserialize)]
struct Declaration {
    #[serde(default)]
    name: String,
}

impl<S: Sink> NodeSeed<'_, '_, S> {
    fn read<'de, A: MapAccess<'de>>(self, mut map: A) -> Result<S::Node, A::Error> {
        let state = self.0;
        let mut node = Node::default();
        while let Some(key) = map.next_key()? {
            match key {
                NodeKey::Kind => node.kind = map.next_value()?,
                NodeKey::Loc => drop(map.next_value_seed(TokenSeed(state))?),
                NodeKey::Range => node.range = map.next_value_seed(RangeSeed(state))?,
                NodeKey::Opcode => node.opcode = map.next_value()?,
                NodeKey::Type => node.type_name = map.next_value::<Type>()?.qual_type,
                NodeKey::CastKind => {
                    node.is_user_conversion = map.next_value::<String>()? == "UserDefinedConversion";
                }
                NodeKey::HasInit => node.has_init = map.next_value()?,
                NodeKey::HasVar => node.has_variable = map.next_value()?,
                NodeKey::IsConstexpr | NodeKey::IsConsteval => {
                    node.is_constant |= map.next_value::<bool>()?
                }
                NodeKey::ReferencedDecl => node.name = map.next_value::<Declaration>()?.name,
                // The field `value` is a string in integer literals, and can have any type in other nodes.
                NodeKey::Value if node.kind == Kind::Integer => node.value = map.next_value()?,
                NodeKey::Value | NodeKey::Other => drop(map.next_value::<IgnoredAny>()?),
                NodeKey::Inner => node.inner = map.next_value_seed(ListSeed(state))?,
            }
        }
        Ok(state.sink.node(state.files, node))
    }
}

struct ListSeed<'s, 'a, S>(&'s mut State<'a, S>);

impl<'de, S: Sink> DeserializeSeed<'de> for ListSeed<'_, '_, S> {
    type Value = Vec<S::Node>;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Self::Value, D::Error> {
        reader.deserialize_seq(self)
    }
}

impl<'de, S: Sink> Visitor<'de> for ListSeed<'_, '_, S> {
    type Value = Vec<S::Node>;

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element_seed(NodeSeed(&mut *self.0))? {
            nodes.push(node);
        }
        Ok(nodes)
    }
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "camelCase")]
enum PlaceKey {
    Begin,
    End,
    Offset,
    File,
    TokLen,
    SpellingLoc,
    ExpansionLoc,
    #[serde(other)]
    Other,
}

impl<S: Sink> RangeSeed<'_, '_, S> {
    fn read<'de, A: MapAccess<'de>>(self, mut map: A) -> Result<Option<Range>, A::Error> {
        let (mut begin, mut end) = (None, None);
        while let Some(key) = map.next_key()? {
            match key {
                PlaceKey::Begin => begin = map.next_value_seed(TokenSeed(&mut *self.0))?,
                PlaceKey::End => end = map.next_value_seed(TokenSeed(&mut *self.0))?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(begin.zip(end).map(|(begin, end)| Range { begin, end }))
    }
}

impl<S: Sink> TokenSeed<'_, '_, S> {
    fn read<'de, A: MapAccess<'de>>(self, mut map: A) -> Result<Option<Token>, A::Error> {
        let (mut offset, mut length, mut spelled, mut expanded) = (None, 0, None, None);
        while let Some(key) = map.next_key()? {
            match key {
                PlaceKey::Offset => offset = Some(map.next_value()?),
                PlaceKey::TokLen => length = map.next_value()?,
                PlaceKey::File => self.0.set_file(map.next_value()?),
                PlaceKey::SpellingLoc => spelled = map.next_value_seed(TokenSeed(&mut *self.0))?,
                PlaceKey::ExpansionLoc => expanded = map.next_value_seed(TokenSeed(&mut *self.0))?,
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        if let Some(expanded) = expanded {
            let spelled = spelled.map_or(0, |spelled: Token| spelled.offset);
            return Ok(Some(Token { spelled: Some(spelled), ..expanded }));
        }
        let place = |(offset, file)| Token { file, offset, length, spelled: None };
        Ok(offset.zip(self.0.file).map(place))
    }
}
