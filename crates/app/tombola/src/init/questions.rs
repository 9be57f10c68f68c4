//! The questions of `tombola init`, on a terminal or as lines of standard input.

use super::settings::{self, Answers};
use anyhow::{Context, bail};
use secrecy::{ExposeSecret, SecretString};
use staff::NewPassword;
use std::io::{BufRead, Write, stderr, stdin};

/// A question whose answer becomes a setting.
pub(super) struct Question {
    /// The setting.
    pub(super) variable: &'static str,
    /// What is asked.
    pub(super) prompt: &'static str,
}

/// To ask for another setting, add a line here; its answer is checked as the server checks it.
pub(super) const QUESTIONS: [Question; 5] = [
    Question {
        variable: settings::DOMAIN,
        prompt: "Domain of the site, such as raffle.example.org",
    },
    Question {
        variable: "CONTACT_EMAIL",
        prompt: "Email address that visitors can write to",
    },
    Question {
        variable: "SPONSOR_NAME",
        prompt: "Name of the sponsor that the rules of the raffles name, such as Example Gardens, Inc.",
    },
    Question {
        variable: "SPONSOR_ADDRESS",
        prompt: "Postal address of the sponsor, on one line",
    },
    Question {
        variable: "ADMIN_USERNAME",
        prompt: "Name with which the administrator signs in",
    },
];

/// Where answers come from.
pub(super) trait Source {
    /// The answer to a question, as it was typed.
    fn line(&mut self, prompt: &str) -> anyhow::Result<String>;
    /// A password.
    fn password(&mut self, prompt: &str) -> anyhow::Result<SecretString>;
    /// Says why an answer is not valid, so that the question is asked again; or fails if nobody can answer it again.
    fn refuse(&mut self, problem: &str) -> anyhow::Result<()>;
}

/// Asks every question until its answer is valid.
pub(super) fn ask(source: &mut impl Source) -> anyhow::Result<Answers> {
    let mut values = Vec::new();
    for question in &QUESTIONS {
        values.push((question.variable, ask_one(source, question)?));
    }
    Ok(Answers {
        values,
        password: ask_password(source)?,
    })
}

fn ask_one(source: &mut impl Source, question: &Question) -> anyhow::Result<String> {
    loop {
        let answer = source.line(question.prompt)?.trim().to_owned();
        match settings::problem(question.variable, &answer) {
            None => return Ok(answer),
            Some(problem) => source.refuse(&problem)?,
        }
    }
}

fn ask_password(source: &mut impl Source) -> anyhow::Result<SecretString> {
    let prompt = "Password of the administrator";
    loop {
        let password = source.password(prompt)?;
        match NewPassword::parse(password.clone(), "") {
            Ok(_) => return Ok(password),
            Err(problem) => source.refuse(&format!("{prompt}: {problem}"))?,
        }
    }
}

/// A person at a terminal, who can correct an answer.
pub(super) struct Terminal;

impl Source for Terminal {
    fn line(&mut self, prompt: &str) -> anyhow::Result<String> {
        write!(stderr(), "{prompt}: ")?;
        let mut line = String::new();
        if stdin().read_line(&mut line)? == 0 {
            bail!("the questions were not answered, so nothing was written");
        }
        Ok(line)
    }

    fn password(&mut self, prompt: &str) -> anyhow::Result<SecretString> {
        let ask = |prompt: &str| {
            rpassword::prompt_password(format!("{prompt}: "))
                .map(SecretString::from)
                .context("cannot read a password")
        };
        loop {
            let password = ask(prompt)?;
            if ask("The same password again")?.expose_secret() == password.expose_secret() {
                return Ok(password);
            }
            self.refuse("the passwords differ")?;
        }
    }

    fn refuse(&mut self, problem: &str) -> anyhow::Result<()> {
        writeln!(stderr(), "  {problem}").context("cannot write")
    }
}

/// Lines of a file or of another program.
pub(super) struct Lines<R>(pub(super) R);

impl<R: BufRead> Source for Lines<R> {
    fn line(&mut self, prompt: &str) -> anyhow::Result<String> {
        let mut line = String::new();
        if self.0.read_line(&mut line)? == 0 {
            bail!("standard input has no line for: {prompt}");
        }
        Ok(line.trim_end_matches(['\r', '\n']).to_owned())
    }

    fn password(&mut self, prompt: &str) -> anyhow::Result<SecretString> {
        self.line(prompt).map(SecretString::from)
    }

    fn refuse(&mut self, problem: &str) -> anyhow::Result<()> {
        bail!("{problem}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    fn from_lines(text: &str) -> anyhow::Result<Answers> {
        ask(&mut Lines(text.as_bytes()))
    }

    #[test]
    fn lines_answer_the_questions_in_their_order() {
        let answers = from_lines(
            "example.org\r\n hello@example.org \nExample, Inc.\n 1 Elm St \nalex\n a long password \n",
        )
        .unwrap();
        assert_eq!(
            answers.values,
            [
                ("SITE_DOMAIN", "example.org".to_owned()),
                ("CONTACT_EMAIL", "hello@example.org".to_owned()),
                ("SPONSOR_NAME", "Example, Inc.".to_owned()),
                ("SPONSOR_ADDRESS", "1 Elm St".to_owned()),
                ("ADMIN_USERNAME", "alex".to_owned())
            ]
        );
        assert_eq!(answers.password.expose_secret(), " a long password ");
    }

    #[test]
    fn a_missing_or_invalid_line_is_an_error_that_names_it() {
        for (text, expected) in [
            ("", "no line for: Domain"),
            ("example.org\n", "no line for: Email"),
            ("https://example.org\n", "SITE_DOMAIN"),
            ("example.org\nnobody\n", "CONTACT_EMAIL"),
            ("example.org\nhello@example.org\n\n", "SPONSOR_NAME"),
            ("example.org\nhello@example.org\nA\nB\n\n", "ADMIN_USERNAME"),
            ("example.org\nhello@example.org\nA\nB\nalex\nshort\n", "Password"),
        ] {
            let error = from_lines(text).err().unwrap().to_string();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
    }

    /// A person who types these answers, and the problems that they were told.
    struct Person(VecDeque<&'static str>, Vec<String>);

    impl Source for Person {
        fn line(&mut self, _: &str) -> anyhow::Result<String> {
            self.0.pop_front().map(str::to_owned).context("asked too often")
        }

        fn password(&mut self, prompt: &str) -> anyhow::Result<SecretString> {
            self.line(prompt).map(SecretString::from)
        }

        fn refuse(&mut self, problem: &str) -> anyhow::Result<()> {
            self.1.push(problem.to_owned());
            Ok(())
        }
    }

    #[test]
    fn a_person_is_asked_again_after_an_invalid_answer() {
        let typed = [
            "example",
            "example.org",
            "hello@example.org",
            "Example Gardens, Inc.",
            "12 Elm Street, Springfield, IL 62701",
            "alex",
            "short",
            "correct horse battery",
        ];
        let mut person = Person(typed.into(), Vec::new());
        let answers = ask(&mut person).unwrap();
        assert_eq!(answers.values.first().unwrap().1, "example.org");
        assert_eq!(person.1.len(), 2, "{:?}", person.1);
        assert!(person.0.is_empty());
    }
}
