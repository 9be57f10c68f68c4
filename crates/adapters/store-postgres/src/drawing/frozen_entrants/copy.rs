//! The rows that `COPY (entrants) TO STDOUT (FORMAT binary)` sends.

use super::number;
use drawing::EntriesByKind;
use kernel::PersonTag;
use std::io::{self, BufRead};

/// The header of binary COPY: its signature, no flags, no extension.
const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

/// The length of a row with four 8-byte integers and a tag: the number of fields, then each field after its length.
const ROW: usize = 2 + 4 * (4 + 8) + 4 + 32;

/// A row: the entries are those of now.
pub(super) struct Participant {
    pub(super) id: i64,
    pub(super) now: Kinds,
    pub(super) tag: PersonTag,
}

/// Entries by kind, or what they changed by.
#[derive(Clone, Copy, Default)]
pub(super) struct Kinds {
    pub(super) base: i64,
    pub(super) bonus: i64,
    pub(super) purchased: i64,
}

impl Kinds {
    pub(super) fn without(self, late: Self) -> EntriesByKind {
        EntriesByKind {
            base: number(self.base - late.base),
            imported: 0,
            bonus: number(self.bonus - late.bonus),
            purchased: number(self.purchased - late.purchased),
        }
    }
}

/// Reads the rows of a binary COPY. Each buffer contains whole rows.
///
/// # Errors
/// `UnexpectedEof` when the stream ends before the trailer, `InvalidData` when it contains anything but such rows.
pub(super) fn read_rows(mut copy: impl BufRead, each: &mut dyn FnMut(Participant)) -> io::Result<()> {
    let mut header = HEADER;
    loop {
        let buffer = copy.fill_buf()?;
        if buffer.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let length = buffer.len();
        let rows = buffer.strip_prefix(header).ok_or(io::ErrorKind::InvalidData)?;
        header = &[];
        let (rows, rest) = rows.as_chunks::<ROW>();
        for row in rows {
            each(read_row(row).ok_or(io::ErrorKind::InvalidData)?);
        }
        match rest {
            [] => copy.consume(length),
            [0xff, 0xff] => return Ok(()),
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

fn read_row(row: &[u8; ROW]) -> Option<Participant> {
    let row = row.strip_prefix(&[0, 5])?;
    let (id, row) = read_integer(row)?;
    let (base, row) = read_integer(row)?;
    let (bonus, row) = read_integer(row)?;
    let (purchased, row) = read_integer(row)?;
    let tag = row.strip_prefix(&[0, 0, 0, 32])?.try_into().ok()?;
    Some(Participant {
        id,
        now: Kinds {
            base,
            bonus,
            purchased,
        },
        tag: PersonTag::new(tag),
    })
}

fn read_integer(row: &[u8]) -> Option<(i64, &[u8])> {
    let (bytes, rest) = row.strip_prefix(&[0, 0, 0, 8])?.split_first_chunk()?;
    Some((i64::from_be_bytes(*bytes), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRAILER: &[u8] = &[0xff, 0xff];
    const TAG: [u8; 32] = [7; 32];

    fn row(id: i64, base: i64) -> Vec<u8> {
        let field = |number: i64| [&8u32.to_be_bytes()[..], &number.to_be_bytes()].concat();
        let tag = [&32u32.to_be_bytes()[..], &TAG].concat();
        [vec![0, 5], field(id), field(base), field(20), field(30), tag].concat()
    }

    /// Returns one buffer after the other, as libpq does.
    struct Buffers(Vec<Vec<u8>>);

    impl io::Read for Buffers {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            unreachable!("only whole buffers are read")
        }
    }

    impl BufRead for Buffers {
        fn fill_buf(&mut self) -> io::Result<&[u8]> {
            Ok(self.0.first().map_or(&[], Vec::as_slice))
        }

        fn consume(&mut self, amount: usize) {
            assert_eq!(amount, self.0.remove(0).len());
        }
    }

    fn read(buffers: &[&[u8]]) -> (Vec<(i64, i64)>, Result<(), io::ErrorKind>) {
        let mut rows = Vec::new();
        let buffers = Buffers(buffers.iter().map(|buffer| buffer.to_vec()).collect());
        let result = read_rows(buffers, &mut |row| {
            assert_eq!(
                (row.now.bonus, row.now.purchased, row.tag),
                (20, 30, PersonTag::new(TAG))
            );
            rows.push((row.id, row.now.base));
        });
        (rows, result.map_err(|error| error.kind()))
    }

    #[test]
    fn rows_are_read_however_they_are_split_into_buffers() {
        let (one, two) = (row(1, 7), row(i64::MAX, 0));
        let expected = vec![(1, 7), (i64::MAX, 0)];
        let first = [HEADER, &one].concat();
        let all = [HEADER, &one, &two, TRAILER].concat();
        assert_eq!(read(&[&first, &two, TRAILER]), (expected.clone(), Ok(())));
        assert_eq!(read(&[HEADER, &one, &two, TRAILER]), (expected.clone(), Ok(())));
        assert_eq!(read(&[&all]), (expected, Ok(())));
        assert_eq!(read(&[&[HEADER, TRAILER].concat()]), (vec![], Ok(())));
    }

    #[test]
    fn an_end_without_the_trailer_is_an_error() {
        let eof = Err(io::ErrorKind::UnexpectedEof);
        assert_eq!(read(&[]), (vec![], eof));
        assert_eq!(read(&[&[HEADER, &row(1, 2)].concat()]), (vec![(1, 2)], eof));
    }

    #[test]
    fn invalid_rows_are_rejected() {
        let invalid = Err(io::ErrorKind::InvalidData);
        let whole = row(1, 2);
        let with = |place: usize, byte| {
            let mut wrong = whole.clone();
            wrong[place] = byte;
            wrong
        };
        let (four_fields, short_tag) = (with(1, 4), with(53, 31));
        let [long_id, long_base, long_bonus, long_purchased] = [5, 17, 29, 41].map(|place| with(place, 9));
        let no_header = [&whole[..], TRAILER].concat();
        let cut = &whole[..ROW - 1];
        assert_eq!(read(&[&no_header]), (vec![], invalid));
        for wrong in [
            four_fields.as_slice(),
            &long_id,
            &long_base,
            &long_bonus,
            &long_purchased,
            &short_tag,
            cut,
        ] {
            assert_eq!(read(&[HEADER, wrong, TRAILER]), (vec![], invalid), "{wrong:?}");
        }
        assert_eq!(read(&[HEADER, HEADER]), (vec![], invalid));
    }
}
