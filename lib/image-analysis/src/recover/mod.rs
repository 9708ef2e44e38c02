//! Reads the prompt that a generator wrote into the file.
//!
//! Supports the `parameters` text of the AUTOMATIC1111 web UI and its descendants, the graphs of
//! ComfyUI, the JSON of NovelAI, InvokeAI, SwarmUI and Fooocus, and the descriptions of Midjourney.

mod automatic;
mod comfy;
mod dialects;
mod exif;
mod field;
pub(crate) mod jpeg;
mod json;
mod midjourney;
mod novel;
mod png;
mod riff;
mod stealth;
mod xmp;

use image::ImageFormat;
use serde_json::{Map, Value};

pub use self::automatic::settings;

use self::field::{Field, Fields, MOST_TEXT};
use crate::{decode, header};

/// Longest prompt that is accepted, in bytes.
const LONGEST_PROMPT: usize = 400_000;
/// Longest settings and negative prompt that are accepted, in bytes of JSON: as long as the texts of a file may be. A
/// graph can use a text many times.
const LONGEST_REST: usize = MOST_TEXT;

/// A prompt that was found in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovered {
    /// The program that wrote it.
    pub tool: String,
    /// Format of the file: `png`, `jpeg`, `webp` or `gif`.
    pub container: String,
    /// Its place in the file, such as `tEXt parameters` or `EXIF UserComment`.
    pub field: String,
    /// The prompt, word for word.
    pub prompt: String,
    /// The negative prompt, word for word.
    pub negative_prompt: Option<String>,
    /// The other settings, under the program's names.
    pub parameters: Map<String, Value>,
}

/// What a program wrote, without its place in the file.
#[derive(Clone, Debug, Default, PartialEq)]
struct Record {
    tool: String,
    prompt: String,
    negative_prompt: Option<String>,
    parameters: Map<String, Value>,
}

/// Finds what one program writes, and the index of its field.
type Reader = fn(&[Field]) -> Option<(usize, Record)>;

/// The generation metadata of a PNG, JPEG, WebP or GIF file. `None` if there is none or it is
/// incomplete: texts by people or cameras are never mistaken for prompts.
pub fn recover(bytes: &[u8]) -> Option<Recovered> {
    let format = header::format(bytes)?;
    let (container, fields) = match format {
        ImageFormat::Png => ("png", png::fields(bytes)),
        ImageFormat::Jpeg => ("jpeg", jpeg::fields(bytes)),
        ImageFormat::WebP => ("webp", riff::fields(bytes)),
        _ => ("gif", field::of_gif(bytes)),
    };
    let found = written(fields.list()).or_else(|| hidden(bytes, format, fields));
    found.map(|(field, record)| Recovered {
        tool: record.tool,
        container: container.to_owned(),
        field,
        prompt: record.prompt,
        negative_prompt: record.negative_prompt.filter(|text| !text.trim().is_empty()),
        parameters: record.parameters,
    })
}

/// Reads the fields; the most specific form is tried first.
fn written(fields: &[Field]) -> Option<(String, Record)> {
    let readers: [Reader; 7] = [
        dialects::fooocus,
        dialects::swarm,
        dialects::invoke,
        novel::read,
        automatic::read,
        comfy::read,
        midjourney::read,
    ];
    readers.iter().find_map(|read| {
        let (index, record) = read(fields)?;
        record.is_sound().then(|| (fields[index].label(), record))
    })
}

impl Record {
    /// Whether it has a prompt, and is not too long.
    fn is_sound(&self) -> bool {
        let rest = serde_json::to_string(&(&self.parameters, &self.negative_prompt));
        !self.prompt.trim().is_empty()
            && self.prompt.len() <= LONGEST_PROMPT
            && rest.is_ok_and(|rest| rest.len() <= LONGEST_REST)
    }
}

/// Reads the lowest bits of the pixels; what was read before counts.
fn hidden(bytes: &[u8], format: ImageFormat, mut fields: Fields) -> Option<(String, Record)> {
    if !matches!(format, ImageFormat::Png | ImageFormat::WebP) {
        return None;
    }
    // Their trees are freed before the pixels take memory.
    fields.clear();
    let (image, _) = decode::pixels(bytes, format).ok()?;
    let kind = stealth::read(&image, &mut fields)?;
    drop(image);
    let (_, record) = written(fields.list())?;
    Some((kind.to_owned(), record))
}
