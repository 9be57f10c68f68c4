//! The description of the API as it is served.

use crate::support::{Response, get, send};
use fakes::MemStore;
use serde_json::Value;

const PATH: &str = "/api/openapi.json";

async fn description(headers: &[(&str, &str)]) -> Response {
    let request = headers
        .iter()
        .fold(get(PATH), |request, header| request.insert_header(*header));
    send(&MemStore::default(), request).await
}

#[actix_web::test]
async fn a_description_that_the_client_has_is_not_sent_again() {
    let first = description(&[]).await;
    assert_eq!(first.status, 200);
    assert_eq!(first.header("content-type"), "application/json");
    assert_eq!(first.header("cache-control"), "public, max-age=300");
    assert_eq!(first.bytes, web::openapi_json::<MemStore>().unwrap());
    let again = description(&[("If-None-Match", first.header("etag"))]).await;
    assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    assert_eq!(again.header("etag"), first.header("etag"));
    assert_eq!(again.header("cache-control"), "public, max-age=300");
    assert_eq!(description(&[("If-None-Match", "\"other\"")]).await.status, 200);
}

#[actix_web::test]
async fn the_description_is_sent_compressed() {
    let plain = description(&[]).await.bytes;
    for encoding in ["br", "gzip"] {
        let compressed = description(&[("Accept-Encoding", encoding)]).await;
        assert_eq!(compressed.header("content-encoding"), encoding);
        assert_eq!(compressed.header("vary"), "Accept-Encoding");
        assert!(
            compressed.bytes.len() * 5 < plain.len(),
            "{}",
            compressed.bytes.len()
        );
    }
}

#[test]
fn every_list_that_is_read_in_pages_says_how_long_it_is() {
    let api: Value = serde_json::from_str(&web::openapi_json::<MemStore>().unwrap()).unwrap();
    let mut lists = 0;
    for (path, methods) in api["paths"].as_object().unwrap() {
        let list = &methods["get"];
        let parameters = list["parameters"].as_array().into_iter().flatten();
        if parameters
            .into_iter()
            .any(|parameter| parameter["name"] == "offset")
        {
            assert!(
                list["responses"]["200"]["headers"]["X-Total-Count"].is_object(),
                "{path}"
            );
            lists += 1;
        }
    }
    assert!(lists >= 15, "{lists}");
}

#[test]
fn every_route_describes_the_common_errors() {
    let api: Value = serde_json::from_str(&web::openapi_json::<MemStore>().unwrap()).unwrap();
    let mut operations = 0;
    for (path, methods) in api["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            for status in ["4XX", "5XX"] {
                let error = &operation["responses"][status]["content"]["application/json"]["schema"]["$ref"];
                assert_eq!(error, "#/components/schemas/ErrorView", "{method} {path}");
            }
            operations += 1;
        }
    }
    assert!(operations > 50, "{operations}");
}
