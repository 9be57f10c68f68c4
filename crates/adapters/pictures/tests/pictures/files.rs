//! Files as people upload them, and as they come out.

use flate2::Compression;
use flate2::write::ZlibEncoder;
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use pictures::Maker;
use raffle::pictures::{MadePicture, PictureMaker, Size, UploadFault};
use std::io::Write;
use zune_core::bytestream::ZCursor;
use zune_jpeg::JpegDecoder;

pub(crate) const RED: [u8; 3] = [200, 30, 40];
pub(crate) const BLUE: [u8; 3] = [20, 60, 180];
pub(crate) const USUAL: Size = Size::new(1600, 1000);

/// Lossy, from another encoder: the left half red, the right half blue.
pub(crate) const LOSSY_WEBP: &[u8] = include_bytes!("files/lossy.webp");
/// The same, with the left half transparent.
pub(crate) const LOSSY_ALPHA_WEBP: &[u8] = include_bytes!("files/lossy-alpha.webp");
pub(crate) const ANIMATED_WEBP: &[u8] = include_bytes!("files/animated.webp");
/// 5,000 x 5,000.
pub(crate) const LARGEST_WEBP: &[u8] = include_bytes!("files/largest.webp");

pub(crate) fn made(upload: &[u8]) -> MadePicture {
    Maker.make(upload).unwrap()
}

pub(crate) fn fault(upload: &[u8]) -> UploadFault {
    Maker.make(upload).unwrap_err()
}

/// Pixels whose left half is one color, and whose right half is another.
pub(crate) fn halves<const N: usize>(size: Size, left: [u8; N], right: [u8; N]) -> Vec<u8> {
    let half = size.width / 2;
    let row: Vec<u8> = (0..size.width)
        .flat_map(|x| if x < half { left } else { right })
        .collect();
    row.repeat(size.height as usize)
}

pub(crate) fn jpeg_with(
    pixels: &[u8],
    size: Size,
    color: ColorType,
    set: impl FnOnce(&mut Encoder<&mut Vec<u8>>),
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, 90);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    set(&mut encoder);
    encoder
        .encode(pixels, size.width as u16, size.height as u16, color)
        .unwrap();
    file
}

pub(crate) fn jpeg(size: Size) -> Vec<u8> {
    jpeg_with(&halves(size, RED, BLUE), size, ColorType::Rgb, |_| ())
}

pub(crate) fn png_with(
    pixels: &[u8],
    size: Size,
    color: png::ColorType,
    set: impl FnOnce(&mut png::Encoder<'_, &mut Vec<u8>>),
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, size.width, size.height);
    encoder.set_color(color);
    encoder.set_compression(png::Compression::Fast);
    set(&mut encoder);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(pixels).unwrap();
    writer.finish().unwrap();
    file
}

pub(crate) fn png(size: Size) -> Vec<u8> {
    png_with(&halves(size, RED, BLUE), size, png::ColorType::Rgb, |_| ())
}

pub(crate) fn lossless_webp(size: Size) -> Vec<u8> {
    let mut file = Vec::new();
    let pixels = halves(size, RED, BLUE);
    let color = image_webp::ColorType::Rgb8;
    image_webp::WebPEncoder::new(&mut file)
        .encode(&pixels, size.width, size.height, color)
        .unwrap();
    file
}

/// A chunk of a PNG file.
pub(crate) fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut chunk = (data.len() as u32).to_be_bytes().to_vec();
    let body = [name.as_slice(), data].concat();
    chunk.extend_from_slice(&body);
    chunk.extend_from_slice(&crc32fast::hash(&body).to_be_bytes());
    chunk
}

/// A PNG file of chunks whose pixels are these bytes, with a filter before each row.
pub(crate) fn raw_png(size: Size, depth: u8, color: u8, interlaced: bool, rows: &[u8]) -> Vec<u8> {
    let mut header = size.width.to_be_bytes().to_vec();
    header.extend_from_slice(&size.height.to_be_bytes());
    header.extend_from_slice(&[depth, color, 0, 0, u8::from(interlaced)]);
    let chunks = [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        chunk(b"IDAT", &deflated(rows)),
        chunk(b"IEND", b""),
    ];
    chunks.concat()
}

pub(crate) fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// With bytes after the first `at`.
pub(crate) fn with(file: &[u8], at: usize, inserted: &[u8]) -> Vec<u8> {
    [&file[..at], inserted, &file[at..]].concat()
}

/// A segment of a JPEG file.
pub(crate) fn segment(marker: u8, data: &[u8]) -> Vec<u8> {
    let length = (data.len() as u16 + 2).to_be_bytes();
    [&[0xff, marker], length.as_slice(), data].concat()
}

/// Size and pixels of a rendition.
pub(crate) fn pixels_of(jpeg: &[u8]) -> (Size, Vec<u8>) {
    let mut decoder = JpegDecoder::new(ZCursor::new(jpeg));
    let pixels = decoder.decode().unwrap();
    let (width, height) = decoder.dimensions().unwrap();
    (Size::new(width as u32, height as u32), pixels)
}

/// The color at a place of a rendition, which is given in tenths of its width and its height.
pub(crate) fn color_at(jpeg: &[u8], (x, y): (usize, usize)) -> [u8; 3] {
    let (size, pixels) = pixels_of(jpeg);
    let (width, height) = (size.width as usize, size.height as usize);
    let at = (height * y / 10 * width + width * x / 10) * 3;
    pixels[at..at + 3].try_into().unwrap()
}

/// Whether two colors look the same.
pub(crate) fn is_like(color: [u8; 3], expected: [u8; 3]) -> bool {
    color.iter().zip(expected).all(|(a, b)| a.abs_diff(b) <= 6)
}
