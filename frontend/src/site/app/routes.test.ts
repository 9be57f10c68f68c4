import { describe, expect, it } from 'vitest';
import { matchPath, routes } from './routes';

describe('matching a path', () => {
  const match = (path: string, raffle = 'fresh-sips') => matchPath(path, raffle);

  it.each([
    ['/', 'sign-up', 'raffle', {}],
    ['/fresh-sips', 'sign-up', 'raffle', { raffle: 'fresh-sips' }],
    ['/fresh-sips/ref/CDFG3467', 'sign-up', 'raffle', { raffle: 'fresh-sips', code: 'CDFG3467' }],
    ['/ref/CDFG3467', 'sign-up', 'generic', { code: 'CDFG3467' }],
    ['/fresh-sips/success/12', 'success', 'raffle', { raffle: 'fresh-sips', userId: '12' }],
    ['/success/12', 'success', 'generic', { userId: '12' }],
    [
      '/fresh-sips/success/12/your-entry',
      'your-entry',
      'raffle',
      { raffle: 'fresh-sips', userId: '12' },
    ],
    ['/success/12/your-entry', 'your-entry', 'generic', { userId: '12' }],
    ['/drawings', 'drawings', 'generic', {}],
    ['/drawings/7', 'drawings', 'generic', { drawingId: '7' }],
    ['/claim/0af1', 'claim', 'generic', { token: '0af1' }],
    ['/rules', 'rules', 'generic', {}],
    ['/terms', 'rules', 'generic', {}],
    ['/rules/2', 'rules', 'generic', { version: '2' }],
  ])('%s shows the %s page with the look of a %s one', (path, page, look, params) => {
    expect(match(path)).toMatchObject({ route: { page, look }, params });
  });

  it.each([
    '/nowhere',
    '/garden-bag', // another raffle's
    '/fresh-sips/ref/',
    '/fresh-sips/ref/a/b',
    '/success',
    '/drawings/',
  ])('%s shows none of them', (path) => {
    expect(match(path)).toBeUndefined();
  });

  it('decodes, and leaves a percent sign that encodes nothing', () => {
    expect(match('/drawings/a%20b')?.params).toEqual({ drawingId: 'a b' });
    expect(match('/drawings/50%')?.params).toEqual({ drawingId: '50%' });
  });

  it('cuts what is no code from a link, and still shows its page without one', () => {
    expect(match('/fresh-sips/ref/CDFG3467%E2%80%9D.')?.params).toEqual({
      raffle: 'fresh-sips',
      code: 'CDFG3467',
    });
    expect(match('/ref/nowhere')).toMatchObject({ route: { page: 'sign-up' }, params: {} });
  });

  it('has no path twice', () => {
    expect(new Set(routes.map(({ path }) => path)).size).toBe(routes.length);
  });
});
