import type { DrawingSortView } from '../../api/admin';
import { useQueryState } from '../../lib/useQueryState';

const PAGE = 25;
const DEFAULT: DrawingSortView = 'createdAt';
const sorts: Record<DrawingSortView, true> = {
  createdAt: true,
  landingPage: true,
  winningEntryNumber: true,
  totalParticipants: true,
  totalEntries: true,
};

/** Which drawings are shown, in which order; it stands in the address, newest first unless it says otherwise. */
export function useHistoryPage() {
  const [query, setQuery] = useQueryState();
  const asked = query.get('sort');
  const sort = isSort(asked) ? asked : DEFAULT;
  const order = query.get('order') === 'asc' ? ('asc' as const) : ('desc' as const);
  return {
    limit: PAGE,
    offset: Math.max(0, Math.trunc(Number(query.get('offset'))) || 0),
    sort,
    order,
    open: (offset: number) => setQuery({ offset: offset ? String(offset) : null }),
    /** The same column again turns the order round; names begin with A, figures and dates with the greatest. */
    sortBy: (by: string) => {
      const ascending = by === sort ? order === 'desc' : by === 'landingPage';
      setQuery({
        sort: by === DEFAULT ? null : by,
        order: ascending ? 'asc' : null,
        offset: null, // another order begins at its first page
      });
    },
  };
}

export type HistoryView = ReturnType<typeof useHistoryPage>;

const isSort = (name: string | null): name is DrawingSortView => name !== null && name in sorts;
