import type { Filtering } from '../lib/useListState';
import { Field } from './Field';

interface Props {
  label: string;
  /** The longest text that the server searches for. */
  maxLength?: number;
  list: Filtering;
  /** What the server says is wrong with the text. */
  error?: string | undefined;
}

/** Filters as one types; a step back in the history undoes the whole search, not its last letter. */
export function SearchField({ label, maxLength, list, error }: Props) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <input
          {...control}
          type="search"
          autoComplete="off"
          maxLength={maxLength}
          value={list.filters.search ?? ''}
          onChange={({ target }) =>
            list.filter({ search: target.value }, { replace: Boolean(list.filters.search) })
          }
        />
      )}
    </Field>
  );
}
