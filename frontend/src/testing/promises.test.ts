import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generic } from '../themes';
import { contact, privacy, terms } from '../themes/legal';

const words = JSON.stringify([terms, privacy, contact, generic]);

/** The numbers in the legal pages, and the line of the server that keeps each. */
const promises = [
  {
    words: 'gives you one more entry',
    file: 'domain/referral/src/reward.rs',
    line: 'pub const REWARD: i64 = 1;',
  },
  {
    words: 'at most 1 text per month',
    file: 'app/tombola/src/config/assemble.rs',
    line: 'reader.number("SMS_MONTHLY_CAP", 0, 100, 1)',
  },
  {
    words: 'we keep what the form said for 10 minutes',
    file: 'domain/codes/src/sent_code.rs',
    line: 'pub const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);',
  },
  {
    words: 'it lasts 400 days',
    file: 'http/web/src/identity/visitor_tokens.rs',
    line: 'const LIFE: TimeDelta = TimeDelta::days(400);',
  },
  {
    words: 'it lasts 120 days',
    file: 'http/web/src/callers/code_browser.rs',
    line: 'const LIFE: time::Duration = time::Duration::days(120);',
  },
  {
    words: 'You have 14 days to send your details',
    file: 'domain/claims/src/deadline.rs',
    line: 'pub const CLAIM_PERIOD: TimeDelta = TimeDelta::days(14);',
  },
  {
    words: 'you have 7 days to object',
    file: 'domain/claims/src/lib.rs',
    line: 'pub const OBJECTION_WINDOW: TimeDelta = TimeDelta::days(7);',
  },
  {
    words: 'erase them 90 days after the claim has ended',
    file: 'domain/claims/src/lib.rs',
    line: 'pub const DETAILS_LIFE: TimeDelta = TimeDelta::days(90);',
  },
];

describe('a number that the pages promise', () => {
  it.each(promises)('is the server’s: $words', ({ words: promised, file, line }) => {
    expect(words).toContain(promised);
    expect(readFileSync(`../crates/${file}`, 'utf8')).toContain(line);
  });
});
