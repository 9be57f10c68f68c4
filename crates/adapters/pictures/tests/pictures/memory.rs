use crate::files::*;
use jpeg_encoder::{ColorType, SamplingFactor};
use raffle::pictures::{MOST_UPLOAD_BYTES, PICTURE_MEMORY, Size};
use std::fs;

/// The most memory that this process ever had, in bytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// Makes a picture of an upload, padded to the most bytes, and says how much memory that took, with the upload.
fn taken(mut upload: Vec<u8>) -> u64 {
    upload.resize(MOST_UPLOAD_BYTES, 0);
    // From here on, the peak is what it is now.
    fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = peak();
    made(&upload);
    peak() - before + MOST_UPLOAD_BYTES as u64
}

/// The largest of each kind, by how much memory it takes.
#[test]
fn the_largest_pictures_keep_within_the_memory() {
    let size = Size::new(5000, 5000);
    let cmyk = || {
        jpeg_with(
            &halves(size, [9, 9, 9, 9], [80; 4]),
            size,
            ColorType::Cmyk,
            |_| (),
        )
    };
    let progressive = || {
        let size = Size::new(4400, 4000);
        jpeg_with(&halves(size, RED, BLUE), size, ColorType::Rgb, |encoder| {
            encoder.set_progressive(true);
            encoder.set_sampling_factor(SamplingFactor::F_2_2);
        })
    };
    let rgba = || png_with(&halves(size, [9; 4], [80; 4]), size, png::ColorType::Rgba, |_| ());
    let deep = || {
        png_with(
            &halves(size, [9; 8], [80; 8]),
            size,
            png::ColorType::Rgba,
            |encoder| {
                encoder.set_depth(png::BitDepth::Sixteen);
            },
        )
    };
    let uploads: [(&str, &dyn Fn() -> Vec<u8>); 6] = [
        ("JPEG", &|| jpeg(size)),
        ("CMYK", &cmyk),
        ("progressive JPEG", &progressive),
        ("PNG", &rgba),
        ("16-bit PNG", &deep),
        ("WebP", &|| LARGEST_WEBP.to_vec()),
    ];
    for (name, upload) in uploads {
        let taken = taken(upload());
        println!("{name}: {} MiB", taken >> 20);
        assert!(taken <= PICTURE_MEMORY, "{name} took {} MiB", taken >> 20);
    }
}
