//! MP4, QuickTime and WebM.

use super::Sample;
use media::MediaType;

pub fn part(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&(content.len() as u32 + 8).to_be_bytes()[..], kind, content].concat()
}

pub fn large_part(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&1_u32.to_be_bytes()[..], kind, &(content.len() as u64 + 16).to_be_bytes(), content].concat()
}

/// A box whose content begins with a version and flags.
fn full(kind: &[u8; 4], version: u8, content: &[u8]) -> Vec<u8> {
    part(kind, &[&[version, 0, 0, 0][..], content].concat())
}

pub fn brands(major: &[u8; 4], others: &[&[u8; 4]]) -> Vec<u8> {
    let others: Vec<u8> = others.iter().flat_map(|brand| brand.iter().copied()).collect();
    part(b"ftyp", &[&major[..], &[0, 0, 2, 0], &others].concat())
}

/// Parameters of a `moov`.
#[derive(Clone, Copy)]
pub struct Movie {
    pub width: u16,
    pub height: u16,
    /// The handler of the first track.
    pub handler: &'static [u8; 4],
    pub samples: u32,
    pub version: u8,
    pub fragmented: bool,
    pub sound: bool,
    pub large_offsets: bool,
    /// Where the frames begin.
    pub offset: u32,
}

pub const MOVIE: Movie = Movie {
    width: 320,
    height: 240,
    handler: b"vide",
    samples: 3,
    version: 0,
    fragmented: false,
    sound: false,
    large_offsets: false,
    offset: 48,
};

/// A header with times of creation and change, a unit of time and a duration of 2.5 seconds.
fn times(version: u8, between: &[u8]) -> Vec<u8> {
    if version == 0 {
        [&[0; 8][..], between, &600_u32.to_be_bytes(), &1500_u32.to_be_bytes()].concat()
    } else {
        [&[0; 16][..], between, &600_u32.to_be_bytes(), &1500_u64.to_be_bytes()].concat()
    }
}

pub fn track(movie: Movie, handler: &[u8; 4]) -> Vec<u8> {
    let size = [movie.width, movie.height];
    let visual = [
        &[0; 6][..],
        &[0, 1],
        &[0; 16],
        &size.map(u16::to_be_bytes).concat(),
        &[0, 0x48, 0, 0, 0, 0x48, 0, 0, 0, 0, 0, 0, 0, 1],
        &[0; 32],
        &[0, 0x18, 0xff, 0xff],
        &part(b"avcC", &[1, 0x42, 0, 0x1e, 0xff, 0xe0, 0]),
    ]
    .concat();
    let sound =
        [&[0; 6][..], &[0, 1], &[0; 8], &[0, 2, 0, 16, 0, 0, 0, 0], &[0xbb, 0x80, 0, 0]].concat();
    let entry = if handler == b"vide" { part(b"avc1", &visual) } else { part(b"mp4a", &sound) };
    let count = movie.samples.to_be_bytes();
    let offset = movie.offset.to_be_bytes();
    let offset = if movie.large_offsets {
        full(b"co64", 0, &[&[0, 0, 0, 1, 0, 0, 0, 0][..], &offset].concat())
    } else {
        full(b"stco", 0, &[&[0, 0, 0, 1][..], &offset].concat())
    };
    let tables = [
        full(b"stsd", 0, &[&[0, 0, 0, 1][..], &entry].concat()),
        full(b"stts", 0, &[&[0, 0, 0, 1][..], &count, &[0, 0, 1, 244]].concat()),
        full(b"stsc", 0, &[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 1]),
        full(b"stsz", 0, &[&[0, 0, 0, 10][..], &count].concat()),
        offset,
    ]
    .concat();
    let information = [
        full(b"vmhd", 0, &[0; 8]),
        part(b"dinf", &full(b"dref", 0, &[0; 4])),
        part(b"stbl", &tables),
    ];
    let name = [&[0; 4][..], handler, &[0; 12], b"handler\0"].concat();
    let media = [
        full(b"mdhd", movie.version, &[times(movie.version, &[]), vec![0x55, 0xc4, 0, 0]].concat()),
        full(b"hdlr", 0, &name),
        part(b"minf", &information.concat()),
    ];
    let sides = size.map(|side| (u32::from(side) << 16).to_be_bytes()).concat();
    let header = [&[0; 8][..], &[0, 0, 0, 1], &[0; 60], &sides].concat();
    part(b"trak", &[full(b"tkhd", 0, &header), part(b"mdia", &media.concat())].concat())
}

pub fn moov(movie: Movie) -> Vec<u8> {
    let mut parts =
        vec![full(b"mvhd", movie.version, &[times(movie.version, &[]), vec![0; 80]].concat())];
    parts.push(track(movie, movie.handler));
    if movie.sound {
        parts.push(track(movie, b"soun"));
    }
    if movie.fragmented {
        parts.push(part(b"mvex", &full(b"trex", 0, &[0; 20])));
    }
    parts.push(part(b"udta", &part(b"meta", &[0; 20])));
    part(b"moov", &parts.concat())
}

/// Video data: three small units with their lengths in front.
pub fn data() -> Vec<u8> {
    [0, 0, 0, 6, 0x65, 0x88, 0x84, 0, 0x10, 0x20].repeat(3)
}

pub fn isom() -> Vec<u8> {
    brands(b"isom", &[b"isom", b"iso2", b"avc1", b"mp41"])
}

pub fn fragment() -> Vec<u8> {
    let content =
        [full(b"mfhd", 0, &[0, 0, 0, 1]), part(b"traf", &full(b"tfhd", 0, &[0, 0, 0, 1]))].concat();
    [part(b"moof", &content), part(b"mdat", &data())].concat()
}

pub fn fragmented_start() -> Vec<u8> {
    [
        brands(b"iso5", &[b"iso5", b"iso6", b"mp41"]),
        moov(Movie { fragmented: true, samples: 0, ..MOVIE }),
    ]
    .concat()
}

fn sample(media: MediaType, name: &str, size: (u32, u32), parts: &[Vec<u8>]) -> Sample {
    Sample::new(name, media, size, parts.concat())
}

pub fn mp4s() -> Vec<Sample> {
    let small = (320, 240);
    let mp4 = |name: &str, parts: &[Vec<u8>]| sample(MediaType::Mp4, name, small, parts);
    let branded = |name: &str, major: &[u8; 4], others: &[&[u8; 4]]| {
        mp4(name, &[brands(major, others), moov(MOVIE), part(b"mdat", &data())])
    };
    let mdat = part(b"mdat", &data());
    let largest = Movie { width: 8192, height: 8192, ..MOVIE };
    vec![
        mp4("mp4", &[isom(), moov(MOVIE), mdat.clone()]),
        mp4("mp4, data first", &[isom(), part(b"free", &[]), mdat.clone(), moov(MOVIE)]),
        mp4("mp4 with sound", &[isom(), moov(Movie { sound: true, ..MOVIE }), mdat.clone()]),
        mp4(
            "mp4, sound first",
            &[
                isom(),
                part(
                    b"moov",
                    &[&moov(MOVIE)[8..116], &track(MOVIE, b"soun"), &track(MOVIE, b"vide")]
                        .concat(),
                ),
                mdat.clone(),
            ],
        ),
        mp4(
            "mp4, second version",
            &[isom(), moov(Movie { version: 1, large_offsets: true, ..MOVIE }), mdat.clone()],
        ),
        mp4("mp4, 64 bits", &[isom(), moov(MOVIE), large_part(b"mdat", &data())]),
        mp4("mp4, data to the end", &[isom(), moov(MOVIE), vec![0; 4], b"mdat".to_vec(), data()])
            .open_ended(),
        mp4(
            "mp4 with free space",
            &[isom(), part(b"free", &[0; 9000]), moov(MOVIE), mdat.clone(), part(b"skip", &[0])],
        ),
        mp4(
            "mp4 with a private part",
            &[isom(), part(b"uuid", &[0x5a; 40]), moov(MOVIE), mdat.clone()],
        ),
        mp4("mp4, data in two", &[isom(), moov(MOVIE), mdat.clone(), mdat.clone()]),
        mp4(
            "mp4, fragmented",
            &[fragmented_start(), fragment().repeat(4), part(b"mfra", &[0; 16])],
        )
        .open_ended(),
        mp4(
            "mp4 with an index of segments",
            &[fragmented_start(), part(b"sidx", &[0; 32]), fragment()],
        ),
        sample(
            MediaType::Mp4,
            "mp4, as large as allowed",
            (8192, 8192),
            &[isom(), moov(largest), mdat],
        ),
        branded("mp4 of mp42", b"mp42", &[b"isom", b"mp42"]),
        branded("mp4 of Apple", b"M4V ", &[b"isom", b"mp42"]),
        branded("mp4 of Sony", b"MSNV", &[b"MSNV", b"mp42", b"isom"]),
        branded("mp4 of a phone", b"3gp4", &[b"isom", b"3gp4"]),
        branded("mp4 of DASH", b"dash", &[b"iso6", b"avc1"]),
    ]
}

pub fn quicktimes() -> Vec<Sample> {
    let mov = |name: &str, parts: &[Vec<u8>]| sample(MediaType::Quicktime, name, (320, 240), parts);
    let ours = brands(b"qt  ", &[b"qt  "]);
    let (wide, mdat) = (part(b"wide", &[]), part(b"mdat", &data()));
    let ended = {
        let moov = moov(MOVIE);
        part(b"moov", &[&moov[8..], &[0; 4]].concat())
    };
    vec![
        mov("mov", &[ours.clone(), wide.clone(), mdat.clone(), moov(MOVIE)]),
        mov("mov, description first", &[ours.clone(), moov(MOVIE), mdat.clone()]),
        mov("mov without brands", &[wide, mdat.clone(), moov(MOVIE)]),
        mov("mov without brands, description first", &[moov(MOVIE), mdat.clone()]),
        mov(
            "mov without brands, data first",
            &[mdat.clone(), moov(MOVIE), part(b"free", &[0; 30])],
        ),
        mov("mov whose list ends with zeros", &[ours.clone(), mdat.clone(), ended]),
        mov(
            "mov with sound",
            &[ours.clone(), large_part(b"mdat", &data()), moov(Movie { sound: true, ..MOVIE })],
        ),
        mov(
            "mov with a preview",
            &[ours, part(b"pnot", &[0; 12]), part(b"PICT", &[9; 50]), mdat, moov(MOVIE)],
        ),
    ]
}

/// An element whose size is written in `bytes` bytes.
fn sized(id: u32, bytes: usize, content: &[u8]) -> Vec<u8> {
    let id: Vec<u8> = id.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect();
    let size = (content.len() as u64 | 1 << (7 * bytes)).to_be_bytes();
    [&id[..], &size[8 - bytes..], content].concat()
}

pub fn element(id: u32, content: &[u8]) -> Vec<u8> {
    let bytes = (1..8).find(|bytes| (content.len() as u64) < (1 << (7 * bytes)) - 1).unwrap_or(8);
    sized(id, bytes, content)
}

/// An element of unknown size.
pub fn open(id: u32, content: &[u8]) -> Vec<u8> {
    [&id.to_be_bytes()[..], &[0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], content].concat()
}

pub const SEGMENT: u32 = 0x1853_8067;
pub const CLUSTER: u32 = 0x1f43_b675;
const INFO: u32 = 0x1549_a966;
const TRACKS: u32 = 0x1654_ae6b;
const CUES: u32 = 0x1c53_bb6b;
const TAGS: u32 = 0x1254_c367;
const SEEK_HEAD: u32 = 0x114d_9b74;
pub const ATTACHMENTS: u32 = 0x1941_a469;
pub const VOID: u32 = 0xec;

pub fn ebml(doc_type: &[u8]) -> Vec<u8> {
    let number = |id: u32, value: u8| element(id, &[value]);
    let parts = [
        number(0x4286, 1),
        number(0x42f7, 1),
        number(0x42f2, 4),
        number(0x42f3, 8),
        element(0x4282, doc_type),
        number(0x4287, 4),
        number(0x4285, 2),
    ];
    element(0x1a45_dfa3, &parts.concat())
}

pub fn info() -> Vec<u8> {
    element(
        INFO,
        &[element(0x2a_d7b1, &[0x0f, 0x42, 0x40]), element(0x4489, &2500_f64.to_be_bytes())]
            .concat(),
    )
}

pub fn video_track(width: u16, height: u16) -> Vec<u8> {
    let size = [element(0xb0, &width.to_be_bytes()), element(0xba, &height.to_be_bytes())].concat();
    let parts =
        [element(0xd7, &[1]), element(0x83, &[1]), element(0x86, b"V_VP9"), element(0xe0, &size)];
    element(0xae, &parts.concat())
}

pub fn sound_track() -> Vec<u8> {
    element(0xae, &[element(0xd7, &[2]), element(0x83, &[2]), element(0x86, b"A_OPUS")].concat())
}

pub fn tracks(tracks: &[Vec<u8>]) -> Vec<u8> {
    element(TRACKS, &tracks.concat())
}

pub fn start() -> Vec<u8> {
    [info(), tracks(&[video_track(320, 240)])].concat()
}

/// A time and two frames.
pub fn blocks() -> Vec<u8> {
    let block = [0x81, 0, 0, 0x80, 0x82, 0x49, 0x83, 0x42, 0, 0x13, 0xf0].to_vec();
    [element(0xe7, &[0]), element(0xa3, &block), element(0xa0, &element(0xa1, &block))].concat()
}

pub fn webm(content: &[Vec<u8>]) -> Vec<u8> {
    [ebml(b"webm"), element(SEGMENT, &content.concat())].concat()
}

pub fn webms() -> Vec<Sample> {
    let webm = |name: &str, segment: Vec<u8>| {
        sample(MediaType::Webm, name, (320, 240), &[ebml(b"webm"), segment])
    };
    let closed = |parts: &[Vec<u8>]| element(SEGMENT, &parts.concat());
    let cluster = element(CLUSTER, &blocks());
    let (cues, tags) = (
        element(CUES, &element(0xbb, &[0xb3, 0x81, 0])),
        element(TAGS, &element(0x7373, &[0x63, 0xc0, 0x80])),
    );
    let void = element(VOID, &[0; 200]);
    let seek = element(SEEK_HEAD, &element(0x4dbb, &[]));
    let live = [start(), open(CLUSTER, &blocks()), open(CLUSTER, &blocks())].concat();
    let with_sound = [info(), tracks(&[sound_track(), video_track(320, 240)]), cluster.clone()];
    let mut padded = ebml(b"webm\0\0");
    padded.extend(element(VOID, &[0; 5]));
    vec![
        webm("webm", closed(&[start(), cluster.clone()])),
        webm(
            "webm with everything",
            closed(&[
                seek,
                void.clone(),
                start(),
                tags,
                cluster.clone(),
                cluster.clone(),
                cues.clone(),
            ]),
        ),
        webm("webm with sound", closed(&with_sound)),
        webm(
            "webm with long sizes",
            sized(SEGMENT, 8, &[start(), sized(CLUSTER, 8, &blocks())].concat()),
        ),
        webm("webm with space behind", [closed(&[start(), cluster.clone()]), void].concat()),
        webm("webm, recorded live", open(SEGMENT, &live)).open_ended(),
        webm("webm, live with an index", open(SEGMENT, &[live, cues].concat())).open_ended(),
        webm(
            "webm, open with closed clusters",
            open(SEGMENT, &[start(), cluster.repeat(3)].concat()),
        )
        .open_ended(),
        sample(
            MediaType::Webm,
            "webm with a padded name",
            (320, 240),
            &[padded, closed(&[start(), cluster])],
        ),
    ]
}
