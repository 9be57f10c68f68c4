use crate::files::*;
use jpeg_encoder::{ColorType, SamplingFactor};
use pictures::Maker;
use raffle::pictures::{MOST_UPLOAD_BYTES, PictureMaker, Size, UploadFault};
use std::time::{Duration, Instant};

#[test]
fn other_files_are_no_pictures() {
    for upload in [
        b"".as_slice(),
        b"\xff\xd8",
        b"GIF89a\x40\x06\xe8\x03\xf0\0\0",
        b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>",
        b"<?xml version=\"1.0\"?><svg/>",
        b"BM\0\0\0\0",
        b"%PDF-1.7",
        b"RIFF\0\0\0\0AVI LIST",
        b"\0\0\0\x20ftypavif",
    ] {
        assert_eq!(fault(upload), UploadFault::UnknownKind);
    }
}

#[test]
fn animations_are_refused() {
    let still = png(USUAL);
    let control = chunk(b"acTL", &[0, 0, 0, 2, 0, 0, 0, 0]);
    assert_eq!(fault(&with(&still, 33, &control)), UploadFault::Animated);
    assert_eq!(fault(ANIMATED_WEBP), UploadFault::Animated);
}

#[test]
fn limits_are_those_of_the_header() {
    let least = Size::LEAST;
    assert!(Maker.make(&jpeg(least)).is_ok());
    for (size, expected) in [
        (Size::new(1199, 630), UploadFault::TooSmall),
        (Size::new(1200, 629), UploadFault::TooSmall),
        (Size::new(5001, 5000), UploadFault::TooManyPixels),
    ] {
        assert_eq!(fault(&png(size)), expected, "{size:?}");
    }
    // Nothing turns it, so it is too small, though it would be large enough if it lay.
    assert_eq!(fault(&jpeg(Size::new(700, 1300))), UploadFault::TooSmall);
    let mut long = jpeg(least);
    long.resize(MOST_UPLOAD_BYTES, 0);
    assert!(Maker.make(&long).is_ok());
    long.push(0);
    assert_eq!(fault(&long), UploadFault::TooManyBytes);
}

/// A few bytes that promise a billion pixels and more.
#[test]
fn bombs_are_refused_by_their_headers() {
    let begun = Instant::now();
    let mut bomb = jpeg(Size::LEAST);
    let frame = bomb.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    bomb[frame + 5..frame + 9].fill(0xff);
    assert_eq!(fault(&bomb), UploadFault::TooManyPixels);
    let rows = vec![0; 1000];
    for side in [50_000, u32::MAX] {
        assert_eq!(
            fault(&raw_png(Size::new(side, side), 8, 2, false, &rows)),
            UploadFault::TooManyPixels
        );
    }
    let mut webp = lossless_webp(Size::new(1600, 1000));
    webp[21..25].copy_from_slice(&[0xff, 0xff, 0xff, 0x0f]);
    assert_eq!(fault(&webp), UploadFault::TooManyPixels);
    assert!(begun.elapsed() < Duration::from_secs(5));
}

/// All coefficients of a progressive JPEG are kept until the last scan has been read.
#[test]
fn what_takes_too_much_memory_is_refused_by_its_header() {
    let size = Size::new(5000, 4000);
    let progressive = |size| {
        let pixels = halves(size, RED, BLUE);
        jpeg_with(&pixels, size, ColorType::Rgb, |encoder| {
            encoder.set_progressive(true);
            encoder.set_sampling_factor(SamplingFactor::F_1_1);
        })
    };
    assert_eq!(fault(&progressive(size)), UploadFault::TooMuchMemory);
    assert!(Maker.make(&progressive(Size::new(4000, 3000))).is_ok());
    assert_eq!(
        fault(&lossless_webp(Size::new(5000, 5000))),
        UploadFault::TooMuchMemory
    );
}

#[test]
fn headers_that_lie_are_found_out() {
    // More rows than there are.
    let short = vec![0; 1601 * 3 * 500];
    assert_eq!(
        fault(&raw_png(USUAL, 8, 2, false, &short)),
        UploadFault::Unreadable
    );
    let mut tall = jpeg(USUAL);
    let frame = tall.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    tall[frame + 5..frame + 7].copy_from_slice(&3000_u16.to_be_bytes());
    // The decoder fills up what is missing; it is a picture like any other.
    assert_eq!(made(&tall).renditions[0].size, Size::new(1440, 900));
    // Two frames: the second is larger.
    let again = [&tall[..frame], &tall[frame..frame + 19], &tall[frame..]].concat();
    assert_eq!(fault(&again), UploadFault::Unreadable);
    // The canvas is smaller than the picture in it.
    let mut canvas = LOSSY_ALPHA_WEBP.to_vec();
    assert_eq!(&canvas[12..16], b"VP8X");
    canvas[24..30].copy_from_slice(&[0xaf, 4, 0, 0x75, 2, 0]);
    assert_eq!(fault(&canvas), UploadFault::Unreadable);
}

/// Text and profiles that are a thousand times as long as their compressed form are not unpacked.
#[test]
fn a_bomb_beside_the_pixels_does_nothing() {
    let long = deflated(&vec![b'a'; 64 << 20]);
    let text = chunk(b"zTXt", &[b"Comment\0\0".as_slice(), &long].concat());
    let profile = chunk(b"iCCP", &[b"sRGB\0\0".as_slice(), &long].concat());
    let upload = with(&with(&png(USUAL), 33, &text), 33, &profile);
    match Maker.make(&upload) {
        Ok(made) => assert_eq!(made.renditions, self::made(&png(USUAL)).renditions),
        Err(fault) => assert_eq!(fault, UploadFault::Unreadable),
    }
}

fn originals() -> Vec<Vec<u8>> {
    let size = Size::LEAST;
    let rgb = halves(size, RED, BLUE);
    vec![
        jpeg(size),
        jpeg_with(&rgb, size, ColorType::Rgb, |encoder| {
            encoder.set_progressive(true)
        }),
        png(size),
        lossless_webp(size),
        LOSSY_WEBP.to_vec(),
        LOSSY_ALPHA_WEBP.to_vec(),
    ]
}

#[test]
fn half_a_file_is_no_picture() {
    for original in originals() {
        for part in [1, 2, 3] {
            let cut = &original[..original.len() * part / 4];
            assert!(Maker.make(cut).is_err(), "{:?} {part}", &original[..4]);
        }
    }
}

/// Whatever bytes change, there is a picture or a fault, and it does not take long.
#[test]
fn damaged_files_are_survived() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut refused = 0;
    for original in originals() {
        for _ in 0..60 {
            let mut damaged = original.clone();
            for _ in 0..=random(4) {
                let near = if random(2) == 0 {
                    damaged.len().min(700)
                } else {
                    damaged.len()
                };
                let at = random(near);
                damaged[at] = random(256) as u8;
            }
            refused += usize::from(Maker.make(&damaged).is_err());
        }
    }
    assert!(refused > 60, "{refused}");
}
