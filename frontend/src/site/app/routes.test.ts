import { describe, expect, it } from 'vitest';
import { matchPath, routes } from './routes';

describe('matching a path', () => {
  it.each([
    ['/', 'sign-up', 'garden-bag', {}],
    ['/fresh-sips', 'sign-up', 'fresh-sips', {}],
    ['/kitchen-garden/ref/CDFG3467', 'sign-up', 'kitchen-garden', { code: 'CDFG3467' }],
    ['/ref/CDFG3467', 'sign-up', 'generic', { code: 'CDFG3467' }],
    ['/sustainable-living/success/12', 'success', 'sustainable-living', { userId: '12' }],
    ['/success/12', 'success', 'generic', { userId: '12' }],
    ['/fresh-sips/success/12/your-entry', 'your-entry', 'fresh-sips', { userId: '12' }],
    ['/success/12/your-entry', 'your-entry', 'generic', { userId: '12' }],
    ['/drawings', 'drawings', 'generic', {}],
    ['/drawings/7', 'drawings', 'generic', { drawingId: '7' }],
    ['/claim/0af1', 'claim', 'generic', { token: '0af1' }],
    ['/rules', 'rules', 'generic', {}],
    ['/terms', 'rules', 'generic', {}],
    ['/rules/2', 'rules', 'generic', { version: '2' }],
  ])('%s shows the %s page of %s', (path, page, look, params) => {
    expect(matchPath(path)).toMatchObject({ route: { page, look }, params });
  });

  it.each(['/nowhere', '/garden-bag/ref/', '/garden-bag/ref/a/b', '/success', '/drawings/'])(
    '%s shows none of them',
    (path) => {
      expect(matchPath(path)).toBeUndefined();
    },
  );

  it('decodes, and leaves a percent sign that encodes nothing', () => {
    expect(matchPath('/drawings/a%20b')?.params).toEqual({ drawingId: 'a b' });
    expect(matchPath('/drawings/50%')?.params).toEqual({ drawingId: '50%' });
  });

  it('cuts what is no code from a link, and still shows its page without one', () => {
    expect(matchPath('/garden-bag/ref/CDFG3467%E2%80%9D.')?.params).toEqual({ code: 'CDFG3467' });
    expect(matchPath('/ref/nowhere')).toMatchObject({ route: { page: 'sign-up' }, params: {} });
  });

  it('has no path twice', () => {
    expect(new Set(routes.map(({ path }) => path)).size).toBe(routes.length);
  });
});
