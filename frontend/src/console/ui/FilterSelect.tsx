import { fieldError } from '../lib/fieldError';
import type { Filtering } from '../lib/useListState';
import { Field } from './Field';

interface Props {
  label: string;
  /** The name of the filter. */
  name: string;
  /** The first option, which does not filter: 'All actions'. */
  all: string;
  options: Record<string, string>;
  list: Filtering;
  /** The query's: it may say what is wrong with the value. */
  error: unknown;
}

export function FilterSelect({ label, name, all, options, list, error }: Props) {
  return (
    <Field label={label} error={fieldError(error, name)}>
      {(control) => (
        <select
          {...control}
          value={list.filters[name] ?? ''}
          onChange={(event) => list.filter({ [name]: event.target.value })}
        >
          <option value="">{all}</option>
          {Object.entries(options).map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
