import { describe, expect, it } from 'vitest';
import { someShares } from '../../../../testing/site/builders';
import type { ShareProgress } from '../api';
import { achieved, inFull, inOneLine, levelInWords } from './words';

// In New York, where the site is, it is still the 23rd.
const NOW = new Date('2026-11-24T03:00:00Z');
const TODAY = '2026-11-23';
const YESTERDAY = '2026-11-22';

const shares = (
  totalShares: number,
  platformsShared: string[],
  shareStreak: number,
  lastShareDate: string,
): ShareProgress => someShares({ totalShares, platformsShared, shareStreak, lastShareDate });

describe('shares in one line', () => {
  it('are nothing before the first one', () => {
    expect(inOneLine(someShares(), NOW)).toBeUndefined();
  });

  it.each([
    [1, ['email'], 1, TODAY, 'You shared your link today.'],
    [9, ['email', 'sms'], 1, TODAY, 'You shared your link today.'],
    [4, ['sms'], 3, TODAY, 'You shared on 3 days in a row.'],
    [4, ['sms'], 3, YESTERDAY, 'You shared on 3 days in a row.'],
    [4, ['sms'], 0, YESTERDAY, 'You shared by text.'],
    [1, ['email'], 1, YESTERDAY, 'You shared by email.'],
    [2, ['sms', 'email'], 1, YESTERDAY, 'You shared by email and by text.'],
    [2, ['copy'], 1, YESTERDAY, 'You shared by copying the link.'],
    [
      3,
      ['copy', 'email', 'system'],
      1,
      YESTERDAY,
      'You shared by email, by your share menu, and by copying the link.',
    ],
    [2, ['pigeon'], 1, YESTERDAY, 'You shared.'],
    [2_000, ['sms'], 1_200, TODAY, 'You shared on 1,200 days in a row.'],
  ])('%i by %j, %i days up to %s: "%s"', (total, platforms, streak, last, line) => {
    expect(inOneLine(shares(total, platforms, streak, last), NOW)).toBe(line);
  });
});

describe('shares in full', () => {
  it.each([
    [1, ['email'], 1, TODAY, 'You shared your link once, by email.'],
    [2, ['email', 'sms'], 1, TODAY, 'You shared your link 2 times, by email and by text.'],
    [
      1_200,
      ['sms'],
      3,
      YESTERDAY,
      'You shared your link 1,200 times, by text, most recently on 3 days in a row.',
    ],
    [5, ['sms'], 0, YESTERDAY, 'You shared your link 5 times, by text.'],
  ])('%i by %j, %i days up to %s: "%s"', (total, platforms, streak, last, sentence) => {
    expect(inFull(shares(total, platforms, streak, last))).toBe(sentence);
  });

  it('name the level and what it comes from', () => {
    expect(levelInWords(someShares({ level: 2, xp: 130 }))).toMatch(
      /^You have 130 points, which is level 2\. .*10 points.*100 points/,
    );
  });

  it('have what was achieved in words, and leave out what they do not know', () => {
    const achievements = ['five_friends', 'of_tomorrow', 'first_share'];
    expect(achieved(someShares({ achievements }))).toEqual([
      'Your first share',
      'Five friends joined through your link',
    ]);
  });
});
