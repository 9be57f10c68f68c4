//! Bodies that are the same for every client: compressed once, with an ETag.

use crate::http::conditional::has_current;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, AcceptEncoding, Encoding, Header, HeaderValue, Preference, Quality};
use actix_web::{HttpRequest, HttpResponse, web::Bytes};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::sync::OnceLock;

/// A body, uncompressed and compressed. Pages are compressed after the start, the API's description at its first
/// request; files come compressed from the build.
pub(crate) struct Variants {
    plain: Bytes,
    brotli: OnceLock<Option<Bytes>>,
    /// What replaces `brotli` once it is there.
    smallest: OnceLock<Option<Bytes>>,
    gzip: OnceLock<Option<Bytes>>,
    etag: HeaderValue,
}

impl Variants {
    pub(crate) fn new(plain: Bytes) -> Self {
        Self {
            etag: etag(&plain),
            plain,
            brotli: OnceLock::new(),
            smallest: OnceLock::new(),
            gzip: OnceLock::new(),
        }
    }

    pub(crate) fn of_file(plain: Bytes, brotli: Option<Bytes>, gzip: Option<Bytes>) -> Self {
        Self::tagged(etag(&plain), plain, brotli, gzip)
    }

    /// A file whose name contains a hash of its content, which need not be read then.
    pub(crate) fn of_hashed_file(
        name: &str,
        plain: Bytes,
        brotli: Option<Bytes>,
        gzip: Option<Bytes>,
    ) -> Self {
        let tag = HeaderValue::from_str(&format!("W/\"{name}\"")).unwrap_or_else(|_| etag(&plain));
        Self::tagged(tag, plain, brotli, gzip)
    }

    fn tagged(etag: HeaderValue, plain: Bytes, brotli: Option<Bytes>, gzip: Option<Bytes>) -> Self {
        Self {
            plain,
            brotli: OnceLock::from(brotli),
            smallest: OnceLock::new(),
            gzip: OnceLock::from(gzip),
            etag,
        }
    }

    /// The body, uncompressed.
    pub(crate) const fn plain(&self) -> &Bytes {
        &self.plain
    }

    pub(crate) fn is_compressed(&self) -> bool {
        self.brotli.get().is_some() && self.gzip.get().is_some()
    }

    /// Compresses it in a millisecond or two for a page.
    pub(crate) fn compress(&self) {
        self.brotli();
        self.gzip();
    }

    /// Compresses it once more, better and slowly. No request waits for that.
    pub(crate) fn compress_best(&self) {
        if self.plain.len() <= LARGE {
            self.smallest.get_or_init(|| brotli(&self.plain, BEST));
        }
    }

    #[cfg(test)]
    pub(crate) fn is_compressed_best(&self) -> bool {
        self.smallest.get().is_some()
    }

    /// The response with this body, or 304 if the client has it already.
    pub(crate) fn answer(
        &self,
        request: &HttpRequest,
        status: StatusCode,
        mime: &str,
        cache_control: &'static str,
    ) -> HttpResponse {
        let unchanged =
            status == StatusCode::OK && has_current(request, self.etag.to_str().unwrap_or_default());
        let mut response = HttpResponse::build(if unchanged {
            StatusCode::NOT_MODIFIED
        } else {
            status
        });
        response
            .insert_header((header::CACHE_CONTROL, HeaderValue::from_static(cache_control)))
            .insert_header((header::ETAG, &self.etag))
            .insert_header((header::VARY, "Accept-Encoding"));
        if unchanged {
            return response.finish();
        }
        let (encoding, body) = self.best_for(request);
        if let Some(encoding) = encoding {
            response.insert_header((header::CONTENT_ENCODING, encoding));
        }
        response.content_type(mime).body(body)
    }

    fn brotli(&self) -> Option<&Bytes> {
        let smallest = self.smallest.get();
        let brotli = smallest.unwrap_or_else(|| self.brotli.get_or_init(|| brotli(&self.plain, FAST)));
        brotli.as_ref()
    }

    fn gzip(&self) -> Option<&Bytes> {
        self.gzip.get_or_init(|| gzip(&self.plain)).as_ref()
    }

    /// The smallest encoding that the client accepts.
    fn best_for(&self, request: &HttpRequest) -> (Option<&'static str>, Bytes) {
        let accepted = Accepted::of(request);
        if accepted.brotli
            && let Some(body) = self.brotli()
        {
            return (Some("br"), body.clone());
        }
        if accepted.gzip
            && let Some(body) = self.gzip()
        {
            return (Some("gzip"), body.clone());
        }
        (None, self.plain.clone())
    }
}

/// The encodings that a client accepts.
pub(crate) struct Accepted {
    pub(crate) brotli: bool,
    pub(crate) gzip: bool,
}

impl Accepted {
    pub(crate) fn of(request: &HttpRequest) -> Self {
        let accepted = AcceptEncoding::parse(request).map(|header| header.0);
        let accepted = accepted.unwrap_or_default();
        let accepts = |encoding: Encoding| {
            let encoding = Preference::Specific(encoding);
            let mut choices = accepted.iter();
            choices.any(|choice| choice.item == encoding && choice.quality > Quality::ZERO)
        };
        Self {
            brotli: accepts(Encoding::brotli()),
            gzip: accepts(Encoding::gzip()),
        }
    }
}

/// A weak tag, because it is the same for all encodings of a body.
fn etag(body: &[u8]) -> HeaderValue {
    let mut tag = hex::encode(Sha256::digest(body));
    tag.truncate(24);
    HeaderValue::from_str(&format!("W/\"{tag}\"")).unwrap_or(HeaderValue::from_static("W/\"\""))
}

/// Above this size, in bytes, the best compression takes a good part of a second.
const LARGE: usize = 128 * 1024;

/// Qualities of brotli. A page of 40 kB takes a millisecond with the first, and 45 with the second, which makes a tenth less of it.
const FAST: i32 = 6;
const BEST: i32 = 11;

fn brotli(plain: &[u8], quality: i32) -> Option<Bytes> {
    let mut out = Vec::new();
    let params = brotli::enc::BrotliEncoderParams {
        quality,
        lgwin: 18,
        ..Default::default()
    };
    brotli::BrotliCompress(&mut &plain[..], &mut out, &params).ok()?;
    Some(out.into())
}

fn gzip(plain: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    fn encoding(accept: &str) -> Option<&'static str> {
        let variants = Variants::new(Bytes::from_static(b"<html></html>"));
        let request = TestRequest::get()
            .insert_header((header::ACCEPT_ENCODING, accept))
            .to_http_request();
        variants.best_for(&request).0
    }

    #[test]
    fn the_smallest_accepted_encoding_is_sent() {
        assert_eq!(encoding("gzip, deflate, br, zstd"), Some("br"));
        assert_eq!(encoding("gzip, br;q=0"), Some("gzip"));
        assert_eq!(encoding("GZIP;q=0.5"), Some("gzip"));
        assert_eq!(encoding("br; q=0.0, gzip; q=0"), None);
        assert_eq!(encoding("identity"), None);
        assert_eq!(encoding(""), None);
    }

    #[test]
    fn what_is_compressed_better_is_sent_as_soon_as_it_is_there() {
        let words = (0..2_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 20).to_string());
        let page = Variants::new(words.collect::<String>().into());
        let request = TestRequest::get()
            .insert_header((header::ACCEPT_ENCODING, "br"))
            .to_http_request();
        let (_, fast) = page.best_for(&request);
        page.compress_best();
        let (encoding, best) = page.best_for(&request);
        assert_eq!(encoding, Some("br"));
        assert!(best.len() < fast.len(), "{} and {} bytes", best.len(), fast.len());
    }

    #[test]
    fn a_file_whose_name_has_a_hash_is_tagged_with_its_name() {
        let file = Variants::of_hashed_file("site.20e3f69dec.js", Bytes::from_static(b"let a;"), None, None);
        let status = |tag: &str| {
            let request = TestRequest::get().insert_header((header::IF_NONE_MATCH, tag));
            let response = file.answer(
                &request.to_http_request(),
                StatusCode::OK,
                "text/javascript",
                "no-cache",
            );
            assert_eq!(
                response.headers().get(header::ETAG).unwrap(),
                "W/\"site.20e3f69dec.js\""
            );
            response.status()
        };
        assert_eq!(status("W/\"site.20e3f69dec.js\""), StatusCode::NOT_MODIFIED);
        assert_eq!(status("W/\"site.0000000000.js\""), StatusCode::OK);
        assert_eq!(status("*"), StatusCode::NOT_MODIFIED);
    }

    #[test]
    fn every_encoding_decodes_to_the_page() {
        let variants = Variants::new(Bytes::from_static(b"<html>hello hello hello</html>"));
        let mut plain = Vec::new();
        brotli::BrotliDecompress(&mut &brotli(&variants.plain, FAST).unwrap()[..], &mut plain).unwrap();
        assert_eq!(plain, variants.plain);
        let zipped = gzip(&variants.plain).unwrap();
        let mut unzipped = Vec::new();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&zipped[..]), &mut unzipped).unwrap();
        assert_eq!(unzipped, variants.plain);
    }
}
