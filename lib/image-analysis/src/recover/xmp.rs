//! The texts of an XMP packet (ISO 16684-1).

use roxmltree::{Document, Node, ParsingOptions};

use super::field::Fields;

/// Longest packet that is read, in bytes.
const LONGEST: usize = 4 << 20;
/// Most nodes that are read.
const MOST_NODES: u32 = 20_000;

/// Adds the properties with text. DTDs are refused, so entities cannot expand.
pub fn read(packet: &str, fields: &mut Fields) {
    if packet.len() > LONGEST || deep(packet) {
        return;
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES };
    let packet = packet.trim_matches(['\0', '\u{feff}', ' ', '\n', '\r', '\t']);
    let Ok(document) = Document::parse_with_options(packet, options) else { return };
    for description in document.descendants().filter(|node| node.tag_name().name() == "Description")
    {
        for attribute in description.attributes() {
            fields.add("XMP", &name(packet, attribute.range_qname()), attribute.value().to_owned());
        }
        for property in description.children().filter(Node::is_element) {
            let text: String = property
                .descendants()
                .filter(Node::is_text)
                .filter_map(|node| node.text())
                .filter(|text| !text.trim().is_empty())
                .collect();
            let start = property.range().start + 1;
            let end = packet[start..]
                .find(|c: char| c.is_whitespace() || c == '>' || c == '/')
                .map_or(start, |length| start + length);
            fields.add("XMP", &name(packet, start..end), text);
        }
    }
}

fn name(packet: &str, range: std::ops::Range<usize>) -> String {
    packet.get(range).unwrap_or_default().to_owned()
}

/// Whether elements are nested deeper than in any real packet.
fn deep(packet: &str) -> bool {
    const DEEPEST: i32 = 64;
    let mut depth = 0;
    packet.split('<').skip(1).any(|tag| {
        match tag.as_bytes().first() {
            Some(b'/') => depth -= 1,
            Some(b'?' | b'!') | None => {}
            Some(_) if tag.split('>').next().is_some_and(|tag| tag.ends_with('/')) => {}
            Some(_) => depth += 1,
        }
        depth > DEEPEST
    })
}
