import { useQueryState } from './useQueryState';

export type Order = 'asc' | 'desc';

/** The values that a filter can have; `anyText` leaves the check to the server, or to the search. */
type Allowed = readonly string[];
export const anyText: Allowed = [];

type Values<Filters extends Record<string, Allowed>> = {
  [Name in keyof Filters]?: Filters[Name][number];
};

interface Spec<Sort extends string, Filters extends Record<string, Allowed>> {
  /** Goes before the names in the address. Only needed where a screen has several lists. */
  prefix?: string;
  pageSize?: number;
  /** What the list can be sorted by, with the order of the first press. The first one is the default. */
  sorts?: Record<Sort, Order>;
  filters?: Filters;
}

/** A list's state as the table, the pages and the filter fields read it. */
export interface ListState {
  limit: number;
  offset: number;
  sort: string;
  order: Order;
  /** Another order than the default one. */
  isSorted: boolean;
  /** Only the filters that are set. */
  filters: Partial<Record<string, string>>;
  isFiltered: boolean;
  open: (offset: number) => void;
  sortBy: (sort: string) => void;
  /** Null or '' clears a filter. */
  filter: (change: Changes, options?: { replace: boolean }) => void;
  clearFilters: () => void;
}

/** What a field that filters needs. */
export type Filtering = Pick<ListState, 'filters' | 'filter'>;

type Changes = Record<string, string | null>;

/**
 * The page, order and filters of a list. They are part of the address, so that reloading, going back and
 * sharing a link work. Anything in the address that the list does not know is ignored. A new order or filter
 * begins at the first page.
 */
export function useListState<
  Sort extends string = never,
  const Filters extends Record<string, Allowed> = Record<never, Allowed>,
>({ prefix = '', pageSize = 25, sorts, filters: allowed }: Spec<Sort, Filters>) {
  const [query, setQuery] = useQueryState();
  const read = (name: string) => query.get(prefix + name);
  const set = (change: Changes, options?: { replace: boolean }) => {
    const entries = Object.entries(change).map(([name, value]) => [prefix + name, value] as const);
    setQuery(Object.fromEntries(entries), options);
  };

  const { sort, order, isSorted, sortBy } = sortingOf(sorts, read, set);
  const filters = filtersOf(allowed ?? {}, read) as Values<Filters>;
  const filter: ListState['filter'] = (change, options) =>
    set({ ...change, offset: null }, options);
  return {
    limit: pageSize,
    offset: offsetIn(read('offset')),
    sort,
    order,
    isSorted,
    filters,
    isFiltered: Object.keys(filters).length > 0,
    open: (offset: number) => set({ offset: offset ? String(offset) : null }),
    sortBy,
    filter,
    clearFilters: () =>
      filter(Object.fromEntries(Object.keys(filters).map((name) => [name, null]))),
  } satisfies ListState;
}

function offsetIn(text: string | null): number {
  const offset = Math.trunc(Number(text));
  return Number.isSafeInteger(offset) && offset > 0 ? offset : 0;
}

type Read = (name: string) => string | null;

function filtersOf(allowed: Record<string, Allowed>, read: Read) {
  const set = Object.entries(allowed).flatMap(([name, values]) => {
    const value = read(name);
    const isKnown = value && (values === anyText || values.includes(value));
    return isKnown ? [[name, value] as const] : [];
  });
  return Object.fromEntries(set);
}

function sortingOf<Sort extends string>(
  sorts: Record<Sort, Order> | undefined,
  read: Read,
  set: (change: Changes) => void,
) {
  const first = Object.keys(sorts ?? {})[0] as Sort;
  const isKnown = (name: string | null): name is Sort =>
    !!name && !!sorts && Object.hasOwn(sorts, name);
  const asked = read('sort');
  const sort = isKnown(asked) ? asked : first;
  // Without an order the default sort has its own; any other sort is descending.
  const orderWithout = (by: Sort): Order => (by === first ? (sorts?.[by] ?? 'desc') : 'desc');
  const askedOrder = read('order');
  const isOrder = askedOrder === 'asc' || askedOrder === 'desc';
  const order: Order = isOrder ? askedOrder : orderWithout(sort);

  /** The same column again reverses the order. */
  const sortBy = (by: string) => {
    if (!isKnown(by) || !sorts) return;
    const reversed: Order = order === 'asc' ? 'desc' : 'asc';
    const next = by === sort ? reversed : sorts[by];
    set({
      sort: by === first ? null : by,
      order: next === orderWithout(by) ? null : next,
      offset: null,
    });
  };
  return { sort, order, isSorted: sort !== first || order !== orderWithout(first), sortBy };
}
