import { fieldError } from '../lib/fieldError';
import type { Filtering } from '../lib/useListState';
import { DateField } from './DateField';

interface Props {
  list: Filtering;
  /** The query's: it may say what is wrong with a date. */
  error: unknown;
}

/** The first and the last day, inclusive and in the time zone of the site. */
export function DateRangeFields({ list, error }: Props) {
  return (
    <>
      <DateField
        label="Start date"
        value={list.filters.startDate ?? ''}
        error={fieldError(error, 'startDate')}
        onChange={(startDate) => list.filter({ startDate })}
      />
      <DateField
        label="End date"
        value={list.filters.endDate ?? ''}
        error={fieldError(error, 'endDate')}
        onChange={(endDate) => list.filter({ endDate })}
      />
    </>
  );
}
