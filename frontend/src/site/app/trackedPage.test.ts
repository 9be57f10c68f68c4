import { describe, expect, it } from 'vitest';
import { countedRoutes } from './countedRoutes';
import { trackedPage } from './trackedPage';

describe('the name under which a page is counted', () => {
  it.each([
    ['/', 'fresh-sips', undefined],
    ['/fresh-sips', 'fresh-sips', undefined],
    ['/fresh-sips/ref/CDFG3467', 'fresh-sips', 'CDFG3467'],
    ['/ref/CDFG3467', 'generic', 'CDFG3467'],
    ['/fresh-sips/success/12', 'fresh-sips-success', undefined],
    ['/success/12', 'generic-success', undefined],
    ['/welcome', 'welcome', undefined],
    ['/drawings', 'drawings', undefined],
    ['/drawings/7', 'drawings', undefined],
  ])('of %s is %s', (path, name, referralCode) => {
    expect(trackedPage(path, { raffle: 'fresh-sips' })).toEqual({ name, referralCode });
  });

  it.each([
    ['garden-preview2345', 'garden-preview2345'],
    ['odd%20fresh', undefined],
    ['a'.repeat(65), undefined],
  ])('behind the link %s is what the page says, and has its id', (id, smsTrackingId) => {
    const name = 'planter-garden';
    expect(trackedPage(`/planter/${id}`, { countedAs: name })).toEqual({ name, smsTrackingId });
  });

  it.each(['/', '/ref/CDFG3467', '/planter/garden-preview2345'])(
    'of %s is that of all raffles where none is open',
    (path) => {
      expect(trackedPage(path, {})?.name).toBe('welcome');
    },
  );

  it.each([
    '/admin',
    '/terms',
    '/privacy',
    '/contact',
    '/planter/',
    '/claim/0af1',
    '/success/7/your-entry',
    '/rules',
    '/rules/2',
    '/nowhere',
  ])('does not count %s', (path) => {
    expect(trackedPage(path, { raffle: 'fresh-sips' })).toBeUndefined();
  });

  it('is never one of those that are skipped', () => {
    const counted = countedRoutes;
    const names = counted
      .map(({ path }) => path.replace('{raffle}', 'any').replace(/\{\w+\}/, '1'))
      .map((path) => trackedPage(path, { raffle: 'any' })?.name);
    expect(names.filter((name) => name === undefined)).toEqual([]);
    expect(
      names.filter((name) => /^(\/|admin|admin-dashboard|.*-referral.*)$/.test(name!)),
    ).toEqual([]);
  });
});
