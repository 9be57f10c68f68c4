import { describe, expect, it } from 'vitest';
import { countedRoutes } from './countedRoutes';
import { trackedPage } from './trackedPage';

describe('the name under which a page is counted', () => {
  it.each([
    ['/', 'garden-bag', undefined],
    ['/fresh-sips', 'fresh-sips', undefined],
    ['/kitchen-garden/ref/CDFG3467', 'kitchen-garden', 'CDFG3467'],
    ['/ref/CDFG3467', 'generic', 'CDFG3467'],
    ['/sustainable-living/success/12', 'sustainable-living-success', undefined],
    ['/success/12', 'generic-success', undefined],
    ['/welcome', 'welcome', undefined],
    ['/drawings', 'drawings', undefined],
    ['/drawings/7', 'drawings', undefined],
  ])('of %s is %s', (path, name, referralCode) => {
    expect(trackedPage(path)).toEqual({ name, referralCode });
  });

  it.each([
    ['garden-preview2345', 'planter-garden', 'garden-preview2345'],
    ['fresh-preview2345', 'planter-fresh-sips', 'fresh-preview2345'],
    ['kitchen-preview2345', 'planter-kitchen-garden', 'kitchen-preview2345'],
    ['sustainable-preview2345', 'planter-sustainable-living', 'sustainable-preview2345'],
    ['unknown', 'planter-garden', 'unknown'],
    ['odd%20fresh', 'planter-fresh-sips', undefined],
    ['a'.repeat(65), 'planter-garden', undefined],
  ])('behind the link %s is %s, and has its id', (id, name, smsTrackingId) => {
    expect(trackedPage(`/planter/${id}`)).toEqual({ name, smsTrackingId });
  });

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
    expect(trackedPage(path)).toBeUndefined();
  });

  it('is never one of those that are skipped', () => {
    const counted = countedRoutes;
    const names = counted.map(({ path }) => trackedPage(path.replace(/\{\w+\}/, '1'))?.name);
    expect(names.filter((name) => name === undefined)).toEqual([]);
    expect(
      names.filter((name) => /^(\/|admin|admin-dashboard|.*-referral.*)$/.test(name!)),
    ).toEqual([]);
  });
});
