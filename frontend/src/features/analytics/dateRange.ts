import { asApiError } from '../../shared/api/apiError';
import { daysBefore, today } from '../../shared/lib/days';
import { useQueryState } from '../../shared/lib/useQueryState';

/** The days that figures are of, inclusive and in the site's time zone; they stand in the address. */
export function useDateRange() {
  const [query, setQuery] = useQueryState();
  return {
    startDate: query.get('startDate') ?? '',
    endDate: query.get('endDate') ?? '',
    setRange: (range: { startDate?: string | null; endDate?: string | null }) => setQuery(range),
  };
}

/** Only what was filled in is asked for. */
export const filled = <Names extends string>(filters: Record<Names, string>) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value)) as Partial<
    Record<Names, string>
  >;

/** Ranges that are one press away. The last 30 days are what the server gives unasked. */
export function presets() {
  const endDate = today();
  return [
    { label: 'Today', startDate: endDate, endDate },
    { label: '7 days', startDate: daysBefore(endDate, 6), endDate },
    { label: '30 days', startDate: '', endDate: '' },
    { label: '90 days', startDate: daysBefore(endDate, 89), endDate },
  ];
}

/** What the server says of one of the filters. */
export function fieldError(error: unknown, name: string): string | undefined {
  return error === undefined ? undefined : asApiError(error).fields?.[name]?.[0];
}
