//! A published list, written part by part, is one CSV and one gzip stream, whatever part of it is read.

use drawing::{
    BlindedId, Hash, Leaf, ListForm, ListPart, ListPiece, ListProgress, PublishedList, csv_header, csv_lines,
    rest,
};
use flate2::read::GzDecoder;
use proptest::collection::vec;
use proptest::prelude::*;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// Lists of one to five parts; a real part has 4,096 lines.
fn chunks() -> impl Strategy<Value = Vec<Vec<Leaf>>> {
    vec(vec((1..=1_000_000u64, any::<[u8; 24]>()), 1..80), 1..6).prop_map(numbered)
}

fn numbered(chunks: Vec<Vec<(u64, [u8; 24])>>) -> Vec<Vec<Leaf>> {
    let (mut index, mut first_entry) = (0, 1);
    let mut leaf = |(weight, id): (u64, [u8; 24])| {
        let digits: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
        let blinded_id: BlindedId = digits.parse().unwrap();
        let leaf = Leaf {
            index,
            first_entry,
            weight,
            blinded_id,
        };
        index += 1;
        first_entry += weight;
        leaf
    };
    chunks
        .into_iter()
        .map(|chunk| chunk.into_iter().map(&mut leaf).collect())
        .collect()
}

fn write(chunks: &[Vec<Leaf>]) -> (PublishedList, Vec<ListPart>) {
    let mut end = ListProgress::default();
    let mut parts = Vec::new();
    for leaves in chunks {
        let part = ListPart::write(&end, leaves).unwrap();
        end = part.progress();
        parts.push(part);
    }
    let root = Hash::new([7; 32]);
    (PublishedList { root, end }, parts)
}

/// What a reader sends for a range: piece after piece, each from at most one part.
fn read(list: &PublishedList, parts: &[ListPart], form: ListForm, from: u64, to: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let offset = from + bytes.len() as u64;
        let piece = match list.piece_at(form, offset) {
            _ if offset >= to => break,
            ListPiece::End => break,
            ListPiece::Frame(bytes) => bytes,
            ListPiece::InPart(inside) => in_part(parts, form, inside),
        };
        assert!(!piece.is_empty());
        bytes.extend(piece);
    }
    bytes.truncate(usize::try_from(to - from).unwrap());
    bytes
}

fn in_part(parts: &[ListPart], form: ListForm, offset: u64) -> Vec<u8> {
    let place = |part: &ListPart| match form {
        ListForm::Csv => part.csv.clone(),
        ListForm::Gzip => part.deflated.clone(),
    };
    let part = parts.iter().find(|part| place(part).contains(&offset)).unwrap();
    let bytes = match form {
        ListForm::Csv => part.csv().unwrap(),
        ListForm::Gzip => part.bytes.clone(),
    };
    rest(&bytes, offset - place(part).start)
}

fn whole(list: &PublishedList, parts: &[ListPart], form: ListForm) -> Vec<u8> {
    read(list, parts, form, 0, u64::MAX / 2)
}

/// Reads one member of a gzip stream, as browsers do, and refuses anything after it.
fn gunzip(bytes: &[u8]) -> Vec<u8> {
    let mut decoder = GzDecoder::new(bytes);
    let mut plain = Vec::new();
    decoder.read_to_end(&mut plain).unwrap();
    assert_eq!(decoder.into_inner().len(), 0, "something follows the member");
    plain
}

proptest! {
    #[test]
    fn both_forms_are_the_list(chunks in chunks()) {
        let (list, parts) = write(&chunks);
        let csv = csv_header() + &csv_lines(&chunks.concat());
        prop_assert_eq!(whole(&list, &parts, ListForm::Csv), csv.as_bytes());
        prop_assert_eq!(list.length(ListForm::Csv), csv.len() as u64);
        let gzip = whole(&list, &parts, ListForm::Gzip);
        prop_assert_eq!(list.length(ListForm::Gzip), gzip.len() as u64);
        prop_assert_eq!(gunzip(&gzip), csv.as_bytes());
    }

    #[test]
    fn a_range_is_a_slice_of_the_whole(chunks in chunks(), from: prop::sample::Index, to: prop::sample::Index) {
        let (list, parts) = write(&chunks);
        for form in [ListForm::Csv, ListForm::Gzip] {
            let whole = whole(&list, &parts, form);
            let ends = [from.index(whole.len() + 1), to.index(whole.len() + 1)];
            let (from, to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            let range = read(&list, &parts, form, from as u64, to as u64);
            prop_assert_eq!(range, &whole[from..to]);
        }
    }
}

/// Some lists are whole even without their last bytes, which only end at a byte boundary: every cut is tried.
#[test]
fn a_damaged_part_is_not_read() {
    for lines in 1..40u64 {
        let leaves = (0..lines)
            .map(|line| (line * line + 1, [(line * 37) as u8; 24]))
            .collect();
        let (_, parts) = write(&numbered(vec![leaves]));
        let whole = &parts[0];
        assert!(whole.csv().is_some());
        for length in 0..whole.bytes.len() {
            let mut cut = whole.clone();
            cut.bytes.truncate(length);
            assert_eq!(cut.csv(), None, "{length} bytes of {lines} lines");
        }
        let mut longer = whole.clone();
        longer.csv.end -= 1;
        assert_eq!(longer.csv(), None);
    }
}

#[test]
fn the_tags_of_two_forms_and_of_two_compressions_differ() {
    let chunks = numbered(vec![vec![(1, [1; 24])]]);
    let (list, _) = write(&chunks);
    let mut other = list;
    other.end.deflated_crc ^= 1;
    let tag = |list: &PublishedList, form| list.tag(form);
    assert_eq!(
        tag(&list, ListForm::Csv),
        tag(&other, ListForm::Csv),
        "the same CSV"
    );
    assert_ne!(tag(&list, ListForm::Gzip), tag(&other, ListForm::Gzip));
    assert_ne!(tag(&list, ListForm::Csv), tag(&list, ListForm::Gzip));
}

#[test]
fn python_reads_the_gzip_stream() {
    let chunk = |n: u8| {
        (0..500u16)
            .map(|m| (u64::from(n) + 1, [n ^ m as u8; 24]))
            .collect()
    };
    let (list, parts) = write(&numbered(vec![chunk(1), chunk(2), chunk(3)]));
    let script = "import gzip, sys; sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))";
    let mut python = Command::new("python3")
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is needed: `make setup` installs it");
    let mut stdin = python.stdin.take().unwrap();
    stdin.write_all(&whole(&list, &parts, ListForm::Gzip)).unwrap();
    drop(stdin);
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(output.stdout, whole(&list, &parts, ListForm::Csv));
}
