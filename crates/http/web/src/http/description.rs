//! How calls are described: by the types of what their handlers take and answer.
//!
//! `#[utoipa::path]` says the rest: the path, the method, the words, answers whose status a handler chooses, and errors whose code or
//! meaning is the call's own.

use crate::http::error::ErrorView;
use actix_web::web::{self, Data, Json, Payload};
use actix_web::{HttpRequest, HttpResponse};
use utoipa::__dev::SchemaReferences;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Content, Ref, RefOr, Required, Response};
use utoipa::{PartialSchema, Path, ToSchema};

/// A call, while it is described. What its `#[utoipa::path]` says stands.
pub(crate) struct Description {
    path: String,
    pub(crate) operation: Operation,
    /// The schemas that the operation refers to.
    pub(crate) schemas: Vec<(String, RefOr<Schema>)>,
}

impl Description {
    /// A call, with what its `#[utoipa::path]` says.
    pub(crate) fn of<P: Path + SchemaReferences>() -> Self {
        let mut schemas = Vec::new();
        P::schemas(&mut schemas);
        Self {
            path: P::path(),
            operation: P::operation(),
            schemas,
        }
    }

    fn content<T: ToSchema>(&mut self) -> Content {
        self.schemas.push((T::name().into(), T::schema()));
        T::schemas(&mut self.schemas);
        Content::new(Some(Ref::from_schema_name(T::name())))
    }

    /// Adds a parameter, unless the call has one of this name.
    pub(crate) fn parameter(&mut self, mut parameter: Parameter) {
        parameter.schema = parameter.schema.map(without_null);
        let parameters = self.operation.parameters.get_or_insert_default();
        let is_same =
            |other: &RefOr<Parameter>| matches!(other, RefOr::T(other) if other.name == parameter.name);
        if !parameters.iter().any(is_same) {
            parameters.push(parameter.into());
        }
    }

    /// The only parameter of the path.
    pub(crate) fn in_path<T: ToSchema>(&mut self, meaning: Option<&str>) {
        let name = self.path.split(['{', '}']).nth(1).unwrap_or_default();
        let parameter = ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .description(meaning)
            .schema(Some(T::schema()));
        self.parameter(parameter.build());
    }

    /// A JSON body, which may be sent as each of these content types.
    pub(crate) fn body<T: ToSchema>(&mut self, content_types: &[&str]) {
        let content = self.content::<T>();
        let body = RequestBodyBuilder::new().required(Some(Required::True)).build();
        let add = |mut body: RequestBody, name: &&str| {
            body.content.insert((*name).to_owned(), content.clone().into());
            body
        };
        let body = content_types.iter().fold(body, add);
        self.operation.request_body.get_or_insert_with(|| body.into());
    }

    /// A JSON answer with this status.
    pub(crate) fn answer<T: ToSchema>(&mut self, status: &str) -> &mut Response {
        let content = self.content::<T>();
        let answer = || {
            let mut answer = Response::new("");
            answer
                .content
                .insert("application/json".to_owned(), content.into());
            answer.into()
        };
        let answers = &mut self.operation.responses.responses;
        match answers.entry(status.to_owned()).or_insert_with(answer) {
            RefOr::T(answer) => answer,
            RefOr::Ref(_) => unreachable!("no answer is a reference"),
        }
    }

    /// Text of another type as the answer.
    pub(crate) fn file(&mut self, content_type: &str, meaning: &str) {
        let mut answer = Response::new(meaning);
        let content = Content::new(Some(String::schema()));
        answer.content.insert(content_type.to_owned(), content.into());
        let answers = &mut self.operation.responses.responses;
        answers.entry("200".to_owned()).or_insert_with(|| answer.into());
    }

    /// An error that the call may have, unless the call says itself what this status means.
    pub(crate) fn error(&mut self, status: &str, meaning: &str) {
        let answers = &mut self.operation.responses.responses;
        answers
            .entry(status.to_owned())
            .or_insert_with(|| Response::new(meaning).into());
    }

    /// Errors have one body.
    pub(crate) fn fill_errors(&mut self) {
        let content = self.content::<ErrorView>();
        for (status, answer) in &mut self.operation.responses.responses {
            if let (true, RefOr::T(answer)) = (status.starts_with(['4', '5']), answer) {
                let json = answer.content.entry("application/json".to_owned());
                json.or_insert_with(|| content.clone().into());
            }
        }
    }
}

/// For utoipa, a parameter that may be missing may be null too.
fn without_null(schema: RefOr<Schema>) -> RefOr<Schema> {
    match schema {
        RefOr::T(Schema::OneOf(mut either)) => either.items.swap_remove(0),
        other => other,
    }
}

/// What a handler takes or answers.
pub(crate) trait Describe {
    /// Adds what it means for callers; most arguments mean nothing to them.
    fn describe(_: &mut Description) {}
}

impl<T> Describe for Data<T> {}
impl<T> Describe for web::Path<T> {}
impl Describe for HttpRequest {}
impl Describe for Payload {}
impl Describe for HttpResponse {}

impl<T: ToSchema> Describe for Json<T> {
    fn describe(call: &mut Description) {
        call.answer::<T>("200");
    }
}

impl<T: Describe, E> Describe for Result<T, E> {
    fn describe(call: &mut Description) {
        T::describe(call);
    }
}

macro_rules! describe_all_of {
    ($($part:ident),*) => {
        impl<$($part: Describe),*> Describe for ($($part,)*) {
            fn describe(_call: &mut Description) {
                $($part::describe(_call);)*
            }
        }
    };
}
describe_all_of!();
describe_all_of!(A);
describe_all_of!(A, B);
describe_all_of!(A, B, C);
describe_all_of!(A, B, C, D);
describe_all_of!(A, B, C, D, E);
describe_all_of!(A, B, C, D, E, F);
