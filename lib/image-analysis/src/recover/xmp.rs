//! The texts of an XMP packet (ISO 16684-1).

use roxmltree::{Document, Node, ParsingOptions};

use super::field::Fields;

/// Most nodes that are read.
const MOST_NODES: u32 = 20_000;
/// Deepest nesting of elements: the parser's stack grows with it.
const DEEPEST: usize = 64;
/// Most attributes of an element: the parser compares each with all before it. Photographs have up to 300.
const MOST_ATTRIBUTES: usize = 400;
/// Most namespaces of a packet, and most sections of CDATA: the parser looks through all of them for each name, and
/// copies the text before each. Real packets have up to 40.
const MOST_SECTIONS: usize = 100;

/// Adds the properties with text. DTDs are refused, so entities cannot expand.
pub fn read(packet: &str, fields: &mut Fields) {
    if fields.count(packet.len()).is_none() || !is_plain(packet) {
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
                .inspect(|_| budget::spend(1))
                .filter(Node::is_text)
                .filter_map(|node| node.text())
                .filter(|text| !text.trim().is_empty())
                .collect();
            budget::spend(text.len());
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

/// Whether the packet costs the parser neither more time nor more stack than those of real pictures do.
fn is_plain(packet: &str) -> bool {
    const OTHERS: [(&str, &str); 3] = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")];
    let (mut depth, mut sections) = (0_usize, 0);
    let mut rest = packet;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some((start, end)) = OTHERS.iter().find(|(start, _)| rest.starts_with(start)) {
            sections += usize::from(*end == "]]>");
            // The parser refuses what has no end.
            let Some(length) = rest[start.len()..].find(end) else { break };
            rest = &rest[start.len() + length..];
        } else if rest.starts_with('/') {
            depth = depth.saturating_sub(1);
        } else {
            let (attributes, open) = start_tag(rest);
            depth += usize::from(open);
            if attributes > MOST_ATTRIBUTES {
                return false;
            }
            budget::spend(attributes * (attributes + MOST_SECTIONS));
        }
        if depth > DEEPEST || sections > MOST_SECTIONS {
            return false;
        }
    }
    packet.matches("xmlns").count() <= MOST_SECTIONS
}

/// How many attributes the tag has, and whether its element has content. A value may have `>` in it, but never `<`.
fn start_tag(text: &str) -> (usize, bool) {
    let (mut attributes, mut quote, mut before) = (0, None, b'<');
    for byte in text.bytes() {
        match (byte, quote) {
            (b'<', _) => break,
            (_, Some(mark)) if byte == mark => quote = None,
            (_, Some(_)) => {}
            (b'"' | b'\'', None) => {
                quote = Some(byte);
                attributes += 1;
            }
            (b'>', None) => return (attributes, before != b'/'),
            _ => {}
        }
        before = byte;
    }
    (attributes, true)
}
