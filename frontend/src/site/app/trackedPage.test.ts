import { describe, expect, it } from 'vitest';
import { routes } from './routes';
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
    ['/planter/garden-preview2345', 'planter-garden', undefined],
    ['/planter/fresh-preview2345', 'planter-fresh-sips', undefined],
    ['/planter/kitchen-preview2345', 'planter-kitchen-garden', undefined],
    ['/planter/sustainable-preview2345', 'planter-sustainable-living', undefined],
    ['/planter/unknown', 'planter-garden', undefined],
  ])('of %s is %s', (path, name, referralCode) => {
    expect(trackedPage(path)).toEqual({ name, referralCode });
  });

  it.each(['/admin', '/terms', '/privacy', '/contact', '/planter/', '/nowhere'])(
    'does not count %s',
    (path) => {
      expect(trackedPage(path)).toBeUndefined();
    },
  );

  it('is never one of those that are skipped', () => {
    const names = routes.map(({ path }) => trackedPage(path.replace(/\{\w+\}/, '1'))?.name);
    expect(names.filter((name) => name === undefined)).toEqual([]);
    expect(
      names.filter((name) => /^(\/|admin|admin-dashboard|.*-referral.*)$/.test(name!)),
    ).toEqual([]);
  });
});
