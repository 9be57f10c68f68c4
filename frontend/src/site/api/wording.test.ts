import { describe, expect, it } from 'vitest';
import { visitorWords } from '../../shared/api/apiError';
import { wordsFor } from './wording';

describe('what visitors read when a call failed', () => {
  it.each([
    '/api/users/register',
    '/api/users/register-referred',
    '/api/users/verify',
    '/api/users/verify/resend',
  ])('of %s is for a form', (path) => {
    expect(wordsFor(path)).toEqual({
      ...visitorWords,
      offline: expect.stringContaining('What you typed is kept') as string,
      timeout: expect.stringContaining('nobody is ever entered twice') as string,
      busy: 'We cannot take entries right now.',
    });
  });

  it('of other calls fits every page', () => {
    expect(wordsFor('/api/users/7')).toBe(visitorWords);
    expect(Object.values(visitorWords).join(' ')).not.toMatch(/typed|enter|entries/);
  });
});
