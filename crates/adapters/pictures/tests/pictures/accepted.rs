use crate::files::*;
use jpeg_encoder::{ColorType, SamplingFactor};
use raffle::pictures::{MadePicture, Size};

/// The color of the left half and that of the right half in every rendition, which also has the size that it says.
fn assert_halves(made: &MadePicture, left: [u8; 3], right: [u8; 3]) {
    for rendition in &made.renditions {
        assert_eq!(pixels_of(&rendition.jpeg).0, rendition.size);
        for (place, expected) in [((2, 5), left), ((8, 5), right)] {
            let color = color_at(&rendition.jpeg, place);
            assert!(is_like(color, expected), "{color:?} is not {expected:?}");
        }
    }
}

#[test]
fn a_picture_is_made_in_every_size() {
    let made = made(&jpeg(Size::new(3000, 2000)));
    let sizes = made.renditions.each_ref().map(|rendition| rendition.size);
    let expected = [(1440, 900), (960, 600), (480, 300), (1200, 630)];
    assert_eq!(sizes, expected.map(|(width, height)| Size::new(width, height)));
    assert_halves(&made, RED, BLUE);
}

#[test]
fn the_same_upload_makes_the_same_bytes() {
    let upload = jpeg(USUAL);
    assert_eq!(made(&upload), made(&upload));
    assert_eq!(
        made(&upload).summary().hash(),
        raffle::PictureHash::of(&made(&upload).renditions[0].jpeg)
    );
}

#[test]
fn every_kind_of_jpeg_is_read() {
    let rgb = halves(USUAL, RED, BLUE);
    let progressive = jpeg_with(&rgb, USUAL, ColorType::Rgb, |encoder| {
        encoder.set_progressive(true)
    });
    let gray = jpeg_with(&halves(USUAL, [40], [220]), USUAL, ColorType::Luma, |_| ());
    let restarts = jpeg_with(&rgb, USUAL, ColorType::Rgb, |encoder| {
        encoder.set_restart_interval(7)
    });
    assert_halves(&made(&progressive), RED, BLUE);
    assert_halves(&made(&gray), [40; 3], [220; 3]);
    assert_halves(&made(&restarts), RED, BLUE);
}

/// Half the cyan and a fifth of the black let four tenths of the red through.
#[test]
fn cmyk_is_converted() {
    let pixels = halves(USUAL, [128, 0, 0, 51], [0, 255, 255, 0]);
    for color in [ColorType::Cmyk, ColorType::CmykAsYcck] {
        let upload = jpeg_with(&pixels, USUAL, color, |encoder| {
            encoder.set_sampling_factor(SamplingFactor::F_1_1);
        });
        assert_halves(&made(&upload), [102, 204, 204], [255, 0, 0]);
    }
}

#[test]
fn every_kind_of_png_is_read() {
    let with_alpha = halves(USUAL, [0, 0, 0, 0], [20, 60, 180, 255]);
    let gray_alpha = halves(USUAL, [0, 128], [40, 255]);
    let deep = halves(USUAL, [200, 1, 30, 2, 40, 3], [20, 4, 60, 5, 180, 6]);
    let deep_gray = halves(USUAL, [200, 1], [20, 4]);
    let sixteen = |encoder: &mut png::Encoder<'_, &mut Vec<u8>>| encoder.set_depth(png::BitDepth::Sixteen);
    for (upload, left, right) in [
        (png(USUAL), RED, BLUE),
        (
            png_with(&with_alpha, USUAL, png::ColorType::Rgba, |_| ()),
            [255; 3],
            BLUE,
        ),
        (
            png_with(&gray_alpha, USUAL, png::ColorType::GrayscaleAlpha, |_| ()),
            [127; 3],
            [40; 3],
        ),
        (png_with(&deep, USUAL, png::ColorType::Rgb, sixteen), RED, BLUE),
        (
            png_with(&deep_gray, USUAL, png::ColorType::Grayscale, sixteen),
            [200; 3],
            [20; 3],
        ),
        (
            png_with(
                &halves(USUAL, [0], [1]),
                USUAL,
                png::ColorType::Indexed,
                |encoder| {
                    encoder.set_palette([RED, BLUE].concat());
                },
            ),
            RED,
            BLUE,
        ),
    ] {
        assert_halves(&made(&upload), left, right);
    }
}

/// The seven passes of Adam7, each with every row of its own.
#[test]
fn an_interlaced_png_is_read() {
    let passes = [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ];
    let mut rows = Vec::new();
    for (x, y, across, down) in passes {
        for _ in (y..USUAL.height).step_by(down) {
            rows.push(0);
            let columns = (x..USUAL.width).step_by(across);
            rows.extend(columns.flat_map(|x| if x < USUAL.width / 2 { RED } else { BLUE }));
        }
    }
    assert_halves(&made(&raw_png(USUAL, 8, 2, true, &rows)), RED, BLUE);
}

#[test]
fn every_kind_of_webp_is_read() {
    assert_halves(&made(&lossless_webp(USUAL)), RED, BLUE);
    assert_halves(&made(LOSSY_WEBP), RED, BLUE);
    assert_halves(&made(LOSSY_ALPHA_WEBP), [255; 3], BLUE);
}

/// EXIF data with this orientation, and the place where the picture was taken.
fn exif(orientation: u8) -> Vec<u8> {
    let mut tiff = b"MM\0\x2a\0\0\0\x08\0\x02".to_vec();
    tiff.extend_from_slice(&[0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]);
    tiff.extend_from_slice(&[0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38, 0, 0, 0, 0]);
    tiff.extend_from_slice(b"48.8584 N 2.2945 E");
    tiff
}

fn jpeg_with_exif(size: Size, orientation: u8) -> Vec<u8> {
    let data = [b"Exif\0\0".as_slice(), &exif(orientation)].concat();
    with(&jpeg(size), 2, &segment(0xe1, &data))
}

#[test]
fn a_picture_is_turned_as_exif_says() {
    let flipped = made(&jpeg_with_exif(USUAL, 3));
    assert_halves(&flipped, BLUE, RED);
    // The left half comes to the top, and the right half to the bottom.
    let upload = Size::new(2000, 3000);
    for orientation in [6, 8] {
        let (top, bottom) = if orientation == 6 {
            (RED, BLUE)
        } else {
            (BLUE, RED)
        };
        let mut png = png(Size::new(1000, 1400));
        png = with(&png, 33, &chunk(b"eXIf", &exif(orientation)));
        for made in [made(&jpeg_with_exif(upload, orientation)), made(&png)] {
            let jpeg = &made.renditions[0].jpeg;
            assert!(is_like(color_at(jpeg, (5, 2)), top) && is_like(color_at(jpeg, (5, 8)), bottom));
        }
    }
}

/// Only what it takes to show the pixels: no EXIF, no profile, no comment, and nothing after the end.
#[test]
fn nothing_but_pixels_comes_out() {
    let polyglot = [
        jpeg_with_exif(USUAL, 1),
        b"<script>alert(1)</script>PK\x03\x04 a.zip".to_vec(),
    ]
    .concat();
    let upload = with(&polyglot, 2, &segment(0xfe, b"<?php echo 1 ?>"));
    let upload = with(
        &upload,
        2,
        &segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>"),
    );
    for rendition in made(&upload).renditions {
        let jpeg = rendition.jpeg;
        for left in ["48.8584", "Exif", "xmpmeta", "php", "script", "PK\x03\x04"] {
            assert!(
                !jpeg.windows(left.len()).any(|part| part == left.as_bytes()),
                "{left}"
            );
        }
        assert!(jpeg.starts_with(b"\xff\xd8\xff\xe0\0\x10JFIF") && jpeg.ends_with(b"\xff\xd9"));
        let before = jpeg
            .windows(2)
            .filter(|pair| pair[0] == 0xff && matches!(pair[1], 0xe1..=0xef | 0xfe));
        assert_eq!(before.count(), 0);
    }
}

/// Orange of Display P3. Expected: what Apple's ColorSync makes of it in sRGB, red beyond the end of its scale.
#[test]
fn colors_of_a_profile_become_srgb() {
    let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    let pixels = halves(USUAL, [128; 3], [200, 120, 60]);
    let plain = jpeg_with(&pixels, USUAL, ColorType::Rgb, |_| ());
    let upload = jpeg_with(&pixels, USUAL, ColorType::Rgb, |encoder| {
        encoder.add_icc_profile(&profile).unwrap();
    });
    assert_halves(&made(&plain), [128; 3], [200, 120, 60]);
    assert_halves(&made(&upload), [128; 3], [213, 117, 47]);
}

#[test]
fn a_profile_that_makes_no_sense_changes_nothing() {
    let of_gray = moxcms::ColorProfile::new_gray_with_gamma(1.0).encode().unwrap();
    for profile in [b"no profile".to_vec(), of_gray] {
        let pixels = halves(USUAL, RED, BLUE);
        let upload = jpeg_with(&pixels, USUAL, ColorType::Rgb, |encoder| {
            encoder.add_icc_profile(&profile).unwrap();
        });
        assert_halves(&made(&upload), RED, BLUE);
    }
}
