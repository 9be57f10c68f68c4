//! Making pictures in a child process. The system lets it have [`PICTURE_MEMORY`], whatever a file makes a decoder ask for: a
//! few bytes can ask for gigabytes, where no header says so. It knows no settings and no secrets, and its end is not the server's.

use crate::Maker;
use raffle::pictures::{
    MOST_UPLOAD_BYTES, MadePicture, PICTURE_MEMORY, PictureMaker, Rendition, Size, UploadFault,
};
use rlimit::Resource;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};

/// How long the child may keep a core, in seconds. The largest pictures take two.
const CPU_SECONDS: u64 = 30;
/// The exit code of the first fault; the others follow.
const FIRST_FAULT: u8 = 10;
const FAULTS: [UploadFault; 7] = [
    UploadFault::TooManyBytes,
    UploadFault::UnknownKind,
    UploadFault::Animated,
    UploadFault::TooManyPixels,
    UploadFault::TooSmall,
    UploadFault::TooMuchMemory,
    UploadFault::Unreadable,
];
/// The signal of a program whose memory is not enough.
const ABORTED: i32 = 6;

/// Makes each picture in a process of its own.
#[derive(Debug, Clone)]
pub struct ChildMaker {
    program: PathBuf,
    argument: OsString,
}

impl ChildMaker {
    /// A maker whose child is a program that calls [`run_child`] when it is started with this argument.
    pub fn new(program: impl Into<PathBuf>, argument: impl Into<OsString>) -> Self {
        Self {
            program: program.into(),
            argument: argument.into(),
        }
    }

    fn answer_of_child(&self, upload: &[u8]) -> io::Result<Result<MadePicture, UploadFault>> {
        let mut child = Command::new(&self.program)
            .arg(&self.argument)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        // The child reads everything before it writes. Its exit code says why it stopped reading.
        let _ = child.stdin.take().map(|mut stdin| stdin.write_all(upload));
        let mut answer = Vec::new();
        let read = child
            .stdout
            .take()
            .map(|mut stdout| stdout.read_to_end(&mut answer));
        let status = child.wait()?;
        read.transpose()?;
        Ok(match fault_of(status) {
            None => read_answer(&answer).ok_or(UploadFault::Unreadable),
            Some(fault) => Err(fault),
        })
    }
}

impl PictureMaker for ChildMaker {
    fn make(&self, upload: &[u8]) -> Result<MadePicture, UploadFault> {
        let answer = self.answer_of_child(upload);
        answer.unwrap_or_else(|error| Err(UploadFault::NotTried(error.kind())))
    }
}

fn fault_of(status: ExitStatus) -> Option<UploadFault> {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    match code.and_then(|code| code.checked_sub(FIRST_FAULT)) {
        _ if status.success() => None,
        Some(place) => Some(
            FAULTS
                .get(usize::from(place))
                .copied()
                .unwrap_or(UploadFault::Unreadable),
        ),
        None if status.signal() == Some(ABORTED) => Some(UploadFault::TooMuchMemory),
        None => Some(UploadFault::Unreadable),
    }
}

/// What the child does: it makes a picture of its standard input. Returns its exit code.
///
/// # Errors
/// When the child cannot limit itself, or its input or its output is gone.
pub fn run_child() -> io::Result<u8> {
    for (resource, limit) in [
        (Resource::DATA, PICTURE_MEMORY),
        (Resource::CPU, CPU_SECONDS),
        (Resource::CORE, 0),
    ] {
        resource.set(limit, limit)?;
    }
    let mut upload = Vec::with_capacity(MOST_UPLOAD_BYTES + 1);
    let most = upload.capacity() as u64;
    io::stdin().take(most).read_to_end(&mut upload)?;
    match Maker.make(&upload) {
        Ok(picture) => {
            let mut stdout = io::stdout();
            stdout.write_all(&written(&picture))?;
            stdout.flush().map(|()| 0)
        }
        Err(fault) => {
            let place = FAULTS.iter().position(|each| *each == fault);
            let place = place.and_then(|place| u8::try_from(place).ok());
            Ok(FIRST_FAULT + place.unwrap_or(u8::MAX - FIRST_FAULT))
        }
    }
}

/// Width, height and length of each rendition, and its bytes.
fn written(picture: &MadePicture) -> Vec<u8> {
    let mut bytes = Vec::new();
    for Rendition { size, jpeg } in &picture.renditions {
        let length = u32::try_from(jpeg.len()).unwrap_or(u32::MAX);
        for number in [size.width, size.height, length] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(jpeg);
    }
    bytes
}

fn read_answer(mut bytes: &[u8]) -> Option<MadePicture> {
    let mut renditions = Vec::new();
    while !bytes.is_empty() {
        let mut number = || {
            let (first, rest) = bytes.split_first_chunk()?;
            bytes = rest;
            Some(u32::from_le_bytes(*first))
        };
        let size = Size::new(number()?, number()?);
        let length = usize::try_from(number()?).ok()?;
        let (jpeg, rest) = bytes.split_at_checked(length)?;
        bytes = rest;
        renditions.push(Rendition {
            size,
            jpeg: jpeg.to_vec(),
        });
    }
    let renditions = renditions.try_into().ok()?;
    Some(MadePicture { renditions })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_reads_back() {
        let picture = MadePicture {
            renditions: Size::LEAST.renditions().map(|size| Rendition {
                size,
                jpeg: vec![7; size.width as usize % 11],
            }),
        };
        let bytes = written(&picture);
        assert_eq!(read_answer(&bytes), Some(picture));
        for length in 0..bytes.len() {
            assert_eq!(read_answer(&bytes[..length]), None, "{length}");
        }
    }
}
