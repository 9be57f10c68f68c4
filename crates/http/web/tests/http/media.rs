//! Uploaded pictures: uploading, showing and withdrawing them. What becomes of real files is in `crates/adapters/pictures`.

use crate::staff_accounts::join;
use crate::support::{Response, authorized, send, sign_in};
use actix_web::test::TestRequest;
use fakes::MemStore;
use kernel::{PageRequest, UnitOfWork};
use raffle::pictures::{ALLOWED_UPLOADS, MOST_UPLOAD_BYTES};
use sha2::{Digest, Sha256};
use staff::{Action, AuditFilter, AuditLog};

const UPLOAD: &str = "/api/admin/media";
const JPEG: &[u8] = b"\xff\xd8\xff a bag";

async fn upload(store: &MemStore, token: &str, bytes: &[u8], content_type: &str) -> Response {
    let request = TestRequest::post()
        .uri(UPLOAD)
        .insert_header(("Content-Type", content_type))
        .set_payload(bytes.to_vec());
    send(store, authorized(request, token)).await
}

async fn withdraw(store: &MemStore, token: &str, hash: &str) -> Response {
    let request = TestRequest::delete().uri(&format!("{UPLOAD}/{hash}"));
    send(store, authorized(request, token)).await
}

async fn medium(store: &MemStore, hash: &str) -> Response {
    send(store, TestRequest::get().uri(&format!("/media/{hash}"))).await
}

#[actix_web::test]
async fn an_upload_is_served_in_every_size_by_the_hash_of_its_bytes() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let answer = upload(&store, &token, JPEG, "image/jpeg").await;
    assert_eq!(answer.status, 200, "{:?}", answer.bytes);
    let picture = answer.json();
    assert_eq!(
        (&picture["width"], &picture["height"]),
        (&1440.into(), &900.into())
    );
    assert_eq!(picture["hash"], picture["renditions"][0]["hash"]);
    let renditions = picture["renditions"].as_array().unwrap();
    let widths: Vec<_> = renditions
        .iter()
        .map(|made| made["width"].as_u64().unwrap())
        .collect();
    assert_eq!(widths, [1440, 960, 480, 1200]);
    for made in renditions {
        let hash = made["hash"].as_str().unwrap();
        let found = medium(&store, hash).await;
        assert_eq!(found.status, 200);
        assert_eq!(hex::encode(Sha256::digest(&found.bytes)), hash);
        for (name, value) in [
            ("content-type", "image/jpeg"),
            ("cache-control", "public, max-age=31536000, immutable"),
            ("x-content-type-options", "nosniff"),
            ("etag", &format!("\"{hash}\"")),
        ] {
            assert_eq!(found.headers.get(name).unwrap(), value, "{name}");
        }
    }
    let again = upload(&store, &token, JPEG, "application/octet-stream").await;
    assert_eq!(again.json(), picture);
}

#[actix_web::test]
async fn a_browser_that_has_a_picture_does_not_get_it_again() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let picture = upload(&store, &token, JPEG, "image/jpeg").await.json();
    let path = format!("/media/{}", picture["hash"].as_str().unwrap());
    let etag = format!("\"{}\"", picture["hash"].as_str().unwrap());
    let asked = TestRequest::get()
        .uri(&path)
        .insert_header(("If-None-Match", etag.clone()));
    let same = send(&store, asked).await;
    assert_eq!((same.status.as_u16(), same.bytes.len()), (304, 0));
    let head = send(
        &store,
        TestRequest::default().method("HEAD".parse().unwrap()).uri(&path),
    )
    .await;
    assert_eq!(head.status, 200);
    assert_eq!(head.headers.get("etag").unwrap(), etag.as_str());
}

#[actix_web::test]
async fn what_is_no_picture_is_refused_with_what_is_allowed() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    for (bytes, content_type) in [
        (
            b"<svg xmlns='http://www.w3.org/2000/svg'/>".as_slice(),
            "image/svg+xml",
        ),
        (b"GIF89a", "image/jpeg"),
        (b"", "image/png"),
    ] {
        let refused = upload(&store, &token, bytes, content_type).await;
        assert_eq!(refused.error(), "400 unusable_picture");
        let sentence = refused.json()["error"].as_str().unwrap().to_owned();
        assert!(sentence.ends_with(ALLOWED_UPLOADS), "{sentence}");
    }
    let mut largest = JPEG.to_vec();
    largest.resize(MOST_UPLOAD_BYTES, 0);
    assert_eq!(upload(&store, &token, &largest, "image/jpeg").await.status, 200);
    largest.push(0);
    let refused = upload(&store, &token, &largest, "image/jpeg").await;
    assert_eq!(refused.error(), "413 too_large");
}

#[actix_web::test]
async fn a_withdrawn_picture_is_gone() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    let picture = upload(&store, &token, JPEG, "image/jpeg").await.json();
    let hash = picture["hash"].as_str().unwrap();
    let (_, manager) = join(&store, "maria", "manager").await;
    assert_eq!(withdraw(&store, &manager, hash).await.error(), "403 forbidden");
    assert_eq!(medium(&store, hash).await.status, 200);

    assert_eq!(withdraw(&store, &token, hash).await.status, 200);
    assert_eq!(withdraw(&store, &token, hash).await.status, 200);
    for made in picture["renditions"].as_array().unwrap() {
        let gone = medium(&store, made["hash"].as_str().unwrap()).await;
        assert_eq!(gone.error(), "410 withdrawn");
        assert_eq!(gone.headers.get("cache-control").unwrap(), "no-store");
    }
    let again = upload(&store, &token, JPEG, "image/jpeg").await;
    assert_eq!(again.error(), "409 withdrawn");

    let list = |tx: &fakes::MemTx| tx.list_audit(&AuditFilter::default(), PageRequest::default());
    let audit = store.read(list).unwrap();
    let of_picture = audit.iter().filter(|entry| entry.target.as_deref() == Some(hash));
    let actions: Vec<_> = of_picture.map(|entry| entry.action).collect();
    assert_eq!(actions, [Action::WithdrawPicture, Action::UploadPicture]);
    let member = audit.iter().find(|entry| entry.action == Action::WithdrawPicture);
    assert!(member.is_some_and(|entry| entry.member.is_some()));
}

#[actix_web::test]
async fn unknown_hashes_are_not_found() {
    let store = MemStore::default();
    let token = sign_in(&store).await;
    for hash in ["", "nonsense", &"0".repeat(64), &"A".repeat(64)] {
        assert_eq!(medium(&store, hash).await.status, 404, "{hash}");
        assert!(
            withdraw(&store, &token, hash).await.error().starts_with("404"),
            "{hash}"
        );
    }
}
