import { describe, expect, it } from 'vitest';
import { bodyOf, newCampaign, numbersOf, summaryOf, type CampaignValues } from './campaignValues';

describe('a list of numbers', () => {
  it('is separated by commas or lines, as people write them', () => {
    expect(numbersOf(' +1234567890, (555) 123-4567\n\n555.123.4568;,\r\n+49 170 1234567 ')).toEqual(
      ['+1234567890', '(555) 123-4567', '555.123.4568', '+49 170 1234567'],
    );
    expect(numbersOf(' ,\n , ')).toEqual([]);
  });

  it('counts the spellings of a number once, and names what is repeated once', () => {
    const list = '(555) 123-4567, 5551234567\n1-555-123-4567, +1 555 123 4567, +49 170 1, 49 170 1';
    expect(summaryOf(list)).toEqual({ count: 2, repeated: ['(555) 123-4567', '+49 170 1'] });
    expect(summaryOf('')).toEqual({ count: 0, repeated: [] });
  });

  it('may have 100,000 numbers', () => {
    const list = Array.from({ length: 100_000 }, (_, index) => 2_000_000_000 + index).join('\n');
    expect(summaryOf(`${list}\n2000000000`)).toEqual({ count: 100_000, repeated: ['2000000000'] });
  });
});

describe('what is sent', () => {
  const body = (changes: Partial<CampaignValues>) =>
    bodyOf(
      {
        ...newCampaign,
        templateId: '4',
        campaignName: ' July ',
        scheduledDate: '2026-11-01T01:30',
        ...changes,
      },
      'America/New_York',
    );

  it('is what the audience needs, and no more', () => {
    const left = {
      landingPageFilter: 'fresh-sips' as const,
      customPhoneNumbers: '+1555',
      consentBasis: ' They asked. ',
    };
    expect(body(left)).toEqual({
      templateId: 4,
      campaignName: 'July',
      scheduledDate: '2026-11-01T05:30:00.000Z',
      targetAudience: 'all',
    });
    expect(body({ ...left, targetAudience: 'landing_page' })).toMatchObject({
      landingPageFilter: 'fresh-sips',
    });
    expect(body({ ...left, targetAudience: 'landing_page' })).not.toHaveProperty(
      'customPhoneNumbers',
    );
    expect(body({ ...left, targetAudience: 'custom', trackingUrlBase: ' https://a.b ' })).toEqual({
      templateId: 4,
      campaignName: 'July',
      scheduledDate: '2026-11-01T05:30:00.000Z',
      targetAudience: 'custom',
      customPhoneNumbers: ['+1555'],
      consentBasis: 'They asked.',
      trackingUrlBase: 'https://a.b',
    });
  });

  it('has no time for now', () => {
    expect(body({ when: 'now' })).toEqual({
      templateId: 4,
      campaignName: 'July',
      startNow: true,
      targetAudience: 'all',
    });
  });

  it('is the moment that was chosen where there are two', () => {
    expect(body({ occurrence: 'second' }).scheduledDate).toBe('2026-11-01T06:30:00.000Z');
    expect(body({ occurrence: 'second', scheduledDate: '2026-11-02T01:30' }).scheduledDate).toBe(
      '2026-11-02T06:30:00.000Z',
    );
  });
});
