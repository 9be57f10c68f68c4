use super::*;
use std::io::Write;
use tempfile::NamedTempFile;

/// A certificate authority of this test, valid until 2126. Made by `openssl req -x509`; its key was thrown away.
const AUTHORITY: &str = "-----BEGIN CERTIFICATE-----\n\
    MIIBmTCCAT+gAwIBAgIUXRzvZLrRZzGDUVkvZIz1gx352TswCgYIKoZIzj0EAwIw\n\
    ITEfMB0GA1UEAwwWVG9tYm9sYSB0ZXN0IGF1dGhvcml0eTAgFw0yNjExMjIxMTI5\n\
    NDVaGA8yMTI2MTAyOTExMjk0NVowITEfMB0GA1UEAwwWVG9tYm9sYSB0ZXN0IGF1\n\
    dGhvcml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLltsmdL4EFLs8vXiQ01\n\
    CN2JCpAV/Xr3DxRtZWlV6K/gp89Bq30LDEbiJPqn0MhZPoVhmlK03sxqlneqTJKZ\n\
    r6ejUzBRMB0GA1UdDgQWBBRROHQoecgAOMJ5C/it0rxwuKlsuDAfBgNVHSMEGDAW\n\
    gBRROHQoecgAOMJ5C/it0rxwuKlsuDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49\n\
    BAMCA0gAMEUCIQDBfFcxe8D8Pgvw5FxZ1RHs8NTa4/yX2JSJYKRvrZ6naAIgSLcy\n\
    syfhTSydf0xi5E29sdKdeIab7f+Wb67blemfUfI=\n\
    -----END CERTIFICATE-----\n";

fn authority() -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(AUTHORITY.as_bytes()).unwrap();
    file
}

fn database(url: &str) -> Result<(), String> {
    check_database(url, true)
}

#[test]
fn production_accepts_sockets_loopback_and_verified_tls() {
    let file = authority();
    let path = file.path().to_str().unwrap();
    for url in [
        "postgresql://a@localhost/c?host=/run/postgresql",
        "postgresql://a@%2Frun%2Fpostgresql/c",
        "postgresql://a@localhost/c",
        "postgresql://a@127.0.0.1,[::1]/c",
        "host=/run/postgresql dbname=c",
        &format!("postgresql://a@db.example/c?sslmode=verify-full&sslrootcert={path}"),
        &format!("postgresql://a@one,two:6432/c?sslmode=verify-full&sslrootcert={path}"),
        &format!("host=db.example sslmode=verify-full sslrootcert='{path}'"),
    ] {
        assert_eq!(database(url), Ok(()), "{url}");
    }
}

#[test]
fn production_rejects_connections_that_others_could_read_or_answer() {
    let file = authority();
    let path = file.path().to_str().unwrap();
    let tls = format!("sslmode=verify-full&sslrootcert={path}");
    for (url, said) in [
        ("postgresql://a@db.example/c".to_owned(), "another machine"),
        (
            "postgresql://a@db.example/c?sslmode=prefer".to_owned(),
            "another machine",
        ),
        (
            "postgresql://a@10.0.0.1/c?sslmode=disable".to_owned(),
            "another machine",
        ),
        (
            "postgresql://a@localhost,db.example/c".to_owned(),
            "another machine",
        ),
        (
            "postgresql://a@localhost/c?host=db.example".to_owned(),
            "another machine",
        ),
        (
            "host=localhost hostaddr=192.0.2.1 dbname=c".to_owned(),
            "another machine",
        ),
        (
            "postgresql://a@db/c?sslmode=require".to_owned(),
            "sslmode=verify-full",
        ),
        (
            "postgresql://a@localhost/c?sslmode=require".to_owned(),
            "sslmode=verify-full",
        ),
        (
            format!("postgresql://a@db/c?sslmode=verify-ca&sslrootcert={path}"),
            "sslmode=verify-full",
        ),
        ("postgresql://a@db/c?ssl=true".to_owned(), "sslmode=verify-full"),
        (
            "postgresql://a@db/c?sslmode=verify-full".to_owned(),
            "sslrootcert is not set",
        ),
        (
            "postgresql://a@db/c?sslmode=verify-full&sslrootcert=/none".to_owned(),
            "sslrootcert: cannot read",
        ),
        (
            "postgresql://a@db/c?sslmode=verify-full&sslrootcert=/dev/null".to_owned(),
            "there are none",
        ),
        (format!("postgresql:///c?{tls}"), "must name a host"),
        (
            format!("postgresql://a@db/c?{tls}&sslcert=x"),
            "sslcert is not supported",
        ),
        (
            format!("postgresql://a@db/c?{tls}&service=x"),
            "service is not supported",
        ),
        (
            format!("postgresql://a@db/c?{tls}&channel_binding=require"),
            "channel_binding",
        ),
        ("postgresql:///c".to_owned(), "must name a host"),
        ("dbname=c".to_owned(), "must name a host"),
        ("host=localhost service=x".to_owned(), "service"),
        ("mysql://db".to_owned(), "must be a PostgreSQL URL"),
        ("postgresql://a@one,two/c?port=1,2,3".to_owned(), "port"),
    ] {
        let problem = database(&url).unwrap_err();
        assert!(problem.contains(said), "{url}: {problem}");
    }
}

#[test]
fn a_problem_does_not_repeat_the_password() {
    let problem = database("postgresql://a:hidden@db.example/c").unwrap_err();
    assert!(!problem.contains("hidden"), "{problem}");
}

#[test]
fn development_may_connect_without_tls_anywhere() {
    for url in [
        "postgresql://a@db/c",
        "postgresql:///c",
        "dbname=c",
        "postgresql://a@db/c?sslmode=prefer",
    ] {
        assert_eq!(check_database(url, false), Ok(()), "{url}");
    }
    for url in [
        "postgresql://a@db/c?sslmode=require",
        "postgresql://a@db/c?sslmode=verify-full",
    ] {
        assert!(check_database(url, false).is_err(), "{url}");
    }
}

#[test]
fn redis_on_another_machine_needs_tls_in_production() {
    for (url, with_file, in_production, in_development) in [
        ("redis://localhost:6379", false, true, true),
        ("redis://127.0.0.1", false, true, true),
        ("redis://[::1]:6379", false, true, true),
        ("unix:///run/redis", false, true, true),
        ("rediss://redis.example", false, true, true),
        ("rediss://redis.example", true, true, true),
        ("redis://redis.example", false, false, true),
        ("redis://10.0.0.1", false, false, true),
        ("redis://localhost.example", false, false, true),
        ("redis://localhost", true, false, false),
        ("rediss://redis.example/#insecure", false, false, false),
        ("https://redis.example", false, false, false),
        ("secret", false, false, false),
    ] {
        assert_eq!(check_redis(url, with_file, true).is_ok(), in_production, "{url}");
        assert_eq!(
            check_redis(url, with_file, false).is_ok(),
            in_development,
            "{url}"
        );
    }
}

#[test]
fn redis_authorities_are_read_at_the_start() {
    let file = authority();
    let read = |variables: &[(&str, &str)]| {
        let mut reader = Reader::new(|name| {
            let value = variables.iter().find(|(given, _)| *given == name);
            value.map(|(_, value)| (*value).to_owned())
        });
        let redis = read_redis(&mut reader, true);
        (redis.and_then(|redis| redis.authorities), reader.problems())
    };
    let url = ("REDIS_URL", "rediss://redis.example");
    let (authorities, problems) = read(&[url, ("REDIS_CA_FILE", file.path().to_str().unwrap())]);
    assert_eq!(
        (authorities.as_deref(), problems),
        (Some(AUTHORITY.as_bytes()), vec![])
    );
    let (_, problems) = read(&[url, ("REDIS_CA_FILE", "/none")]);
    assert!(
        problems[0].starts_with("REDIS_CA_FILE: cannot read certificates"),
        "{problems:?}"
    );
    let (_, problems) = read(&[("REDIS_CA_FILE", file.path().to_str().unwrap())]);
    assert_eq!(problems, ["REDIS_URL: is not set, but REDIS_CA_FILE is"]);
}
