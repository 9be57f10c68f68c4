import { useState } from 'react';
import { Field } from '../../ui/Field';

interface Props {
  label: string;
  /** Of the field in the content, so that what is missing can be found. */
  path: string;
  cents: number;
  isWhole?: boolean;
  error: string | undefined;
  onChange: (cents: number) => void;
}

/** An amount of dollars, as somebody types it; 0 is empty. */
export function DollarsField({ label, path, cents, isWhole = false, error, onChange }: Props) {
  const [typed, setTyped] = useState(() => inWords(cents));
  const shown = centsOf(typed, isWhole) === cents ? typed : inWords(cents); // changed elsewhere
  const isOdd = typed !== '' && centsOf(typed, isWhole) === undefined;
  const wanted = isWhole ? 'Enter whole dollars.' : 'Enter an amount such as 24.50.';
  return (
    <Field label={label} error={error ?? (isOdd ? wanted : undefined)}>
      {(control) => (
        <input
          {...control}
          data-path={path}
          inputMode="decimal"
          autoComplete="off"
          value={isOdd ? typed : shown}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(centsOf(target.value, isWhole) ?? 0);
          }}
        />
      )}
    </Field>
  );
}

const inWords = (cents: number): string =>
  cents === 0 ? '' : (cents / 100).toFixed(cents % 100 ? 2 : 0);

function centsOf(typed: string, isWhole: boolean): number | undefined {
  const text = typed.trim().replace(/^\$/, '').replaceAll(',', '');
  if (text === '') return 0;
  const pattern = isWhole ? /^\d{1,7}$/ : /^\d{1,7}(\.\d{1,2})?$/;
  return pattern.test(text) ? Math.round(Number(text) * 100) : undefined;
}
