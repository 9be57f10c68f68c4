import { asApiError } from '../../shared/api/apiError';
import { useQueryState } from './useQueryState';

/** The days that something is of, inclusive and in the site's time zone; they stand in the address. */
export function useDateRange() {
  const [query, setQuery] = useQueryState();
  return {
    startDate: query.get('startDate') ?? '',
    endDate: query.get('endDate') ?? '',
    setRange: (range: { startDate?: string | null; endDate?: string | null }) => setQuery(range),
  };
}

/** Only what was filled in is asked for. An address may hold anything: the server says what it does not know. */
export const filled = <Filters>(filters: { [Name in keyof Filters]-?: string }) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value)) as Filters;

/** What the server says of one of the filters. */
export function fieldError(error: unknown, name: string): string | undefined {
  return error === undefined ? undefined : asApiError(error).fields?.[name]?.[0];
}
