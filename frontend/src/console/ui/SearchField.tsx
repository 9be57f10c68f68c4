import type { Filtering } from '../lib/useListState';
import { Field } from './Field';

/** Filters as one types; a step back in the history undoes the whole search, not its last letter. */
export function SearchField({ label, list }: { label: string; list: Filtering }) {
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="search"
          autoComplete="off"
          value={list.filters.search ?? ''}
          onChange={({ target }) =>
            list.filter({ search: target.value }, { replace: Boolean(list.filters.search) })
          }
        />
      )}
    </Field>
  );
}
