import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { anyText, useListState } from './useListState';

const at = (search: string) => history.replaceState(null, '', `/admin${search}`);
beforeEach(() => at(''));

const render = (prefix = '') =>
  renderHook(() =>
    useListState({
      prefix,
      pageSize: 10,
      sorts: { createdAt: 'desc', name: 'asc' },
      filters: { status: ['sent', 'failed'], search: anyText },
    }),
  ).result;

describe('the state of a list', () => {
  it('is its first page in its default order, without filters', () => {
    expect(render().current).toMatchObject({
      limit: 10,
      offset: 0,
      sort: 'createdAt',
      order: 'desc',
      isSorted: false,
      filters: {},
      isFiltered: false,
    });
  });

  it('is read from the address', () => {
    at('?offset=20&sort=name&order=asc&status=sent&search=a%20b');
    expect(render().current).toMatchObject({
      offset: 20,
      sort: 'name',
      order: 'asc',
      isSorted: true,
      filters: { status: 'sent', search: 'a b' },
      isFiltered: true,
    });
  });

  it.each([
    '?offset=-3',
    '?offset=x',
    '?offset=Infinity',
    '?offset=1e99',
    '?sort=winner&order=up',
    '?sort=toString',
    '?status=lost',
    '?status=',
  ])('ignores %s', (search) => {
    at(search);
    expect(render().current).toMatchObject({
      offset: 0,
      sort: 'createdAt',
      order: 'desc',
      filters: {},
    });
  });

  it('reverses its order when the same column is pressed again', () => {
    const list = render();
    act(() => list.current.sortBy('createdAt'));
    expect(location.search).toBe('?order=asc');
    act(() => list.current.sortBy('createdAt'));
    expect(location.search).toBe('');
    act(() => list.current.sortBy('name'));
    expect(location.search).toBe('?sort=name&order=asc');
    act(() => list.current.sortBy('name'));
    expect(location.search).toBe('?sort=name');
    expect(list.current).toMatchObject({ sort: 'name', order: 'desc' });
  });

  it('begins at the first page for another order or filter', () => {
    at('?offset=20&tab=x');
    const list = render();
    act(() => list.current.filter({ status: 'sent' }));
    expect(location.search).toBe('?tab=x&status=sent');
    act(() => list.current.open(10));
    expect(location.search).toBe('?tab=x&status=sent&offset=10');
    act(() => list.current.sortBy('name'));
    expect(list.current).toMatchObject({ offset: 0, sort: 'name' });
    act(() => list.current.clearFilters());
    expect(location.search).toBe('?tab=x&sort=name&order=asc');
  });

  it('stays apart from that of another list of the same screen', () => {
    at('?offset=20&codes.offset=10');
    const list = render('codes.');
    expect(list.current.offset).toBe(10);
    act(() => list.current.filter({ status: 'sent' }));
    expect(location.search).toBe('?offset=20&codes.status=sent');
  });
});
