//! Pictures are made in a process of their own, whose memory the system limits.

use pictures::{ChildMaker, Maker};
use raffle::pictures::{MOST_UPLOAD_BYTES, PictureMaker, Size, UploadFault};
use std::io::ErrorKind;

const USUAL: &[u8] = include_bytes!("../../../../adapters/pictures/tests/pictures/files/lossy.webp");
/// 25 megapixels.
const LARGEST: &[u8] = include_bytes!("../../../../adapters/pictures/tests/pictures/files/largest.webp");

fn child() -> ChildMaker {
    ChildMaker::new(env!("CARGO_BIN_EXE_tombola"), "make-picture")
}

#[test]
fn the_process_makes_the_same_picture() {
    assert_eq!(child().make(USUAL), Maker.make(USUAL));
    assert!(Maker.make(USUAL).is_ok());
}

#[test]
fn the_memory_is_enough_for_the_largest_upload() {
    let mut upload = LARGEST.to_vec();
    upload.resize(MOST_UPLOAD_BYTES, 0);
    let made = child().make(&upload).unwrap();
    assert_eq!(made.renditions[0].size, Size::new(1440, 900));
}

#[test]
fn faults_come_out_as_they_are() {
    let mut long = USUAL.to_vec();
    long.resize(MOST_UPLOAD_BYTES + 1, 0);
    for upload in [b"<svg/>".as_slice(), &USUAL[..1000], &long, b""] {
        let fault = Maker.make(upload).unwrap_err();
        assert_eq!(child().make(upload), Err(fault));
    }
}

/// Bits, the lowest first.
#[derive(Default)]
struct Bits(Vec<u8>, usize);

impl Bits {
    fn put(&mut self, value: u32, count: usize) {
        for bit in 0..count {
            if self.1.is_multiple_of(8) {
                self.0.push(0);
            }
            let last = self.0.len() - 1;
            self.0[last] |= (((value >> bit) & 1) as u8) << (self.1 % 8);
            self.1 += 1;
        }
    }

    /// A code of one symbol, which takes no bits.
    fn put_only(&mut self, symbol: u32) {
        self.put(1, 1);
        self.put(0, 1);
        self.put(1, 1);
        self.put(symbol, 8);
    }
}

/// A lossless WebP file of 1,600 x 1,000 pixels that asks for 65,536 groups of codes. The first code of each has 2,048 symbols,
/// for which a decoder keeps tables, and takes ten bytes of the file.
fn bomb() -> Vec<u8> {
    let mut bits = Bits::default();
    bits.put(0x2f, 8);
    bits.put(1599, 14);
    bits.put(999, 14);
    bits.put(0, 4); // no alpha, version 0
    bits.put(0, 1); // no transform
    bits.put(1, 1); // a cache of 2,048 colors
    bits.put(11, 4);
    bits.put(1, 1); // groups of codes, one for each 4 x 4 pixels
    bits.put(0, 3);
    bits.put(0, 1); // their numbers are an image without a cache, whose pixels are all 65,535
    for symbol in [255, 255, 0, 0, 0] {
        bits.put_only(symbol);
    }
    for _ in 0..65_536 {
        bits.put(0, 1);
        bits.put(11, 4); // the lengths of 15 lengths: all are 11
        for place in 0..15 {
            bits.put(u32::from(place == 14), 3);
        }
        bits.put(1, 1); // 2,048 of them, in 12 bits
        bits.put(5, 3);
        bits.put(2046, 12);
        for _ in 0..4 {
            bits.put_only(0);
        }
    }
    let chunk = bits.0;
    let length = |bytes: usize| (bytes as u32).to_le_bytes();
    let parts: [&[u8]; 5] = [
        b"RIFF",
        &length(chunk.len() + 12),
        b"WEBPVP8L",
        &length(chunk.len()),
        &chunk,
    ];
    parts.concat()
}

#[test]
fn a_bomb_that_no_header_shows_ends_only_its_own_process() {
    let bomb = bomb();
    assert!(bomb.len() < 2_000_000, "{}", bomb.len());
    assert_eq!(child().make(&bomb), Err(UploadFault::TooMuchMemory));
    assert!(child().make(USUAL).is_ok());
}

#[test]
fn without_the_program_nothing_is_said_about_the_picture() {
    let nothing = ChildMaker::new("/nonexistent", "make-picture");
    assert_eq!(
        nothing.make(USUAL),
        Err(UploadFault::NotTried(ErrorKind::NotFound))
    );
}
