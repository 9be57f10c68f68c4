//! The published list as it is stored and sent: in parts, each compressed by itself, and together one gzip stream.

use crate::{Hash, Leaf, ListRow};
use crc32fast::Hasher;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::io::{self, Read, Write};
use std::ops::Range;

/// The beginning of a gzip stream (RFC 1952): deflate, no flags, no time, an unknown system.
const GZIP_HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
/// A last, empty deflate block (RFC 1951).
const LAST_BLOCK: [u8; 2] = [3, 0];
/// The last block, the CRC-32 and the length.
const GZIP_TAIL: usize = LAST_BLOCK.len() + 8;

/// A form in which a list is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ListForm {
    /// The CSV.
    Csv,
    /// The CSV as one gzip stream.
    Gzip,
}

/// How far a list has been written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ListProgress {
    /// The number of parts.
    pub parts: u32,
    /// The length of the CSV.
    pub csv: u64,
    /// The length of the deflated list, without what gzip adds before and after it.
    pub deflated: u64,
    /// The CRC-32 of the CSV.
    pub csv_crc: u32,
    /// The CRC-32 of the deflated list. Another version of the compressor may write other bytes for the same CSV.
    pub deflated_crc: u32,
}

/// A part of a list: the lines of one chunk. The first part begins with the header line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListPart {
    /// The number of its chunk.
    pub number: u32,
    /// Its place in the CSV.
    pub csv: Range<u64>,
    /// Its place in the deflated list.
    pub deflated: Range<u64>,
    /// The CRC-32 of the CSV up to the end of this part.
    pub csv_crc: u32,
    /// The CRC-32 of the deflated list up to the end of this part.
    pub deflated_crc: u32,
    /// The deflated lines. They end at a byte boundary and refer to no earlier part.
    pub bytes: Vec<u8>,
}

impl ListPart {
    /// Writes the next part of a list.
    ///
    /// # Errors
    /// When the compressor fails.
    pub fn write(before: &ListProgress, leaves: &[Leaf]) -> io::Result<Self> {
        let csv = match before.parts {
            0 => csv_header() + &csv_lines(leaves),
            _ => csv_lines(leaves),
        };
        let bytes = deflate(csv.as_bytes())?;
        Ok(Self {
            number: before.parts,
            csv: extend(before.csv, csv.as_bytes()),
            deflated: extend(before.deflated, &bytes),
            csv_crc: continue_crc(before.csv_crc, before.csv, csv.as_bytes()),
            deflated_crc: continue_crc(before.deflated_crc, before.deflated, &bytes),
            bytes,
        })
    }

    /// The list up to the end of this part.
    pub fn progress(&self) -> ListProgress {
        ListProgress {
            parts: self.number + 1,
            csv: self.csv.end,
            deflated: self.deflated.end,
            csv_crc: self.csv_crc,
            deflated_crc: self.deflated_crc,
        }
    }

    /// Its lines; `None` if its bytes or its lines do not fill its places.
    pub fn csv(&self) -> Option<Vec<u8>> {
        let length = length_of(&self.csv)?;
        // Lines can be whole without the last deflated bytes; the gzip stream is not.
        if length_of(&self.deflated)? != self.bytes.len() {
            return None;
        }
        let mut csv = Vec::with_capacity(length);
        let whole = self.bytes.as_slice().chain(LAST_BLOCK.as_slice());
        // One byte more than expected shows that there is too much, without reading all of it.
        let read = DeflateDecoder::new(whole)
            .take(length as u64 + 1)
            .read_to_end(&mut csv);
        read.is_ok_and(|read| read == length).then_some(csv)
    }
}

/// A list of which every part is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedList {
    /// The Merkle root of the list.
    pub root: Hash,
    /// Its last part and its lengths.
    pub end: ListProgress,
}

/// What is at an offset of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListPiece {
    /// These bytes, which are the same for every list or follow from its lengths.
    Frame(Vec<u8>),
    /// A part: the one that contains this byte of the CSV, or of the deflated list.
    InPart(u64),
    /// Nothing: the list ends before.
    End,
}

impl PublishedList {
    /// The length of a form in bytes.
    pub fn length(&self, form: ListForm) -> u64 {
        match form {
            ListForm::Csv => self.end.csv,
            ListForm::Gzip => GZIP_HEAD.len() as u64 + self.end.deflated + GZIP_TAIL as u64,
        }
    }

    /// A text that is different for different bytes, for an ETag.
    pub fn tag(&self, form: ListForm) -> String {
        match form {
            ListForm::Csv => csv_tag(&self.root),
            ListForm::Gzip => format!("{}-{:08x}-gzip", self.root, self.end.deflated_crc),
        }
    }

    /// What is at this offset of a form.
    pub fn piece_at(&self, form: ListForm, offset: u64) -> ListPiece {
        if offset >= self.length(form) {
            return ListPiece::End;
        }
        let Some(in_deflated) = (match form {
            ListForm::Csv => return ListPiece::InPart(offset),
            ListForm::Gzip => offset.checked_sub(GZIP_HEAD.len() as u64),
        }) else {
            return ListPiece::Frame(rest(&GZIP_HEAD, offset));
        };
        match in_deflated.checked_sub(self.end.deflated) {
            None => ListPiece::InPart(in_deflated),
            Some(in_tail) => ListPiece::Frame(rest(&self.gzip_tail(), in_tail)),
        }
    }

    fn gzip_tail(&self) -> Vec<u8> {
        let length = self.end.csv as u32; // RFC 1952: modulo 2^32
        [
            &LAST_BLOCK[..],
            &self.end.csv_crc.to_le_bytes(),
            &length.to_le_bytes(),
        ]
        .concat()
    }
}

/// The text for an ETag of a CSV, which follows from the root alone.
pub fn csv_tag(root: &Hash) -> String {
    format!("{root}-csv")
}

/// The first line of the CSV.
pub fn csv_header() -> String {
    format!("{}\n", ListRow::HEADER)
}

/// A line of the CSV for each leaf.
pub fn csv_lines(leaves: &[Leaf]) -> String {
    leaves.iter().map(|leaf| ListRow::write(leaf) + "\n").collect()
}

/// The bytes from an offset on.
pub fn rest(bytes: &[u8], offset: u64) -> Vec<u8> {
    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
    bytes.get(offset..).unwrap_or_default().to_vec()
}

fn length_of(place: &Range<u64>) -> Option<usize> {
    usize::try_from(place.end.checked_sub(place.start)?).ok()
}

fn extend(start: u64, bytes: &[u8]) -> Range<u64> {
    start..start + bytes.len() as u64
}

fn continue_crc(crc: u32, length: u64, more: &[u8]) -> u32 {
    let mut hasher = Hasher::new_with_initial_len(crc, length);
    hasher.update(more);
    hasher.finalize()
}

/// A new compressor for each part, so that no part refers to an earlier one. It is flushed and not finished, so that the
/// next part can follow.
fn deflate(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::with_capacity(text.len() / 2), Compression::default());
    encoder.write_all(text)?;
    encoder.flush()?;
    // Dropping the encoder would append a last block.
    Ok(std::mem::take(encoder.get_mut()))
}
