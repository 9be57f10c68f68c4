//! Traces over OTLP, with the cargo feature `otlp`: the spans of requests go to a collector such as Jaeger or Tempo.
//!
//! A span has the request's id, method and route, and the log lines of the request; like the log, it has no path and no
//! phone number.

use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::registry::LookupSpan;

/// The service that the spans name, unless `OTEL_SERVICE_NAME` names another.
const SERVICE: &str = "tombola";

/// Sends what is left when it is dropped.
pub(crate) struct Exporting(SdkTracerProvider);

impl Drop for Exporting {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown() {
            tracing::warn!(%error, "OTLP_ENDPOINT: the last traces were not sent");
        }
    }
}

/// Starts sending spans to `endpoint`, such as `http://localhost:4318`, and returns the layer that records them.
///
/// # Errors
/// When the exporter cannot be made. An endpoint that does not answer is not an error: its spans are lost, and logged.
pub(crate) fn start<S>(endpoint: &str) -> anyhow::Result<(impl Layer<S> + use<S>, Exporting)>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let exporter = SpanExporter::builder()
        .with_http()
        .with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')))
        .build()?;
    let mut resource = Resource::builder();
    if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
        resource = resource.with_service_name(SERVICE);
    }
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource.build())
        .build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer(SERVICE));
    Ok((layer, Exporting(provider)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use tracing_subscriber::layer::SubscriberExt;

    /// Answers one request, and returns its first line and its body.
    fn collector() -> (String, std::thread::JoinHandle<(String, Vec<u8>)>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let received = std::thread::spawn(move || {
            let (mut connection, _) = listener.accept().unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                connection.read_exact(&mut byte).unwrap();
                head.extend(byte);
            }
            let head = String::from_utf8(head).unwrap().to_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "))
                .unwrap();
            let mut body = vec![0; length.parse().unwrap()];
            connection.read_exact(&mut body).unwrap();
            connection
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
                .unwrap();
            (head.lines().next().unwrap().to_owned(), body)
        });
        (endpoint, received)
    }

    #[test]
    fn a_span_reaches_the_collector_with_the_name_of_the_service() {
        let (endpoint, received) = collector();
        let (layer, exporting) = start(&endpoint).unwrap();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            tracing::info_span!("request", route = "/api/users/register").in_scope(|| ());
        });
        drop(exporting);
        let (line, body) = received.join().unwrap();
        assert_eq!(line, "post /v1/traces http/1.1");
        let has = |text: &str| body.windows(text.len()).any(|part| part == text.as_bytes());
        for text in ["tombola", "request", "/api/users/register"] {
            assert!(has(text), "{text}");
        }
    }
}
