import { useState } from 'react';
import { Field } from './Field';

interface Props {
  label: string;
  /** `2026-11-21`, or '' for none. */
  value: string;
  error?: string | undefined;
  onChange: (day: string) => void;
}

// While a year is typed its first digits are dates too: of the Roman Empire.
const isWhole = (day: string) => day === '' || day >= '2000';

export function DateField({ label, value, error, onChange }: Props) {
  const [typed, setTyped] = useState<string>();
  const change = (day: string) => {
    setTyped(day);
    if (isWhole(day)) onChange(day);
  };
  return (
    <Field label={label} error={error}>
      {(control) => (
        <input
          {...control}
          type="date"
          min="2000-01-01"
          value={typed ?? value}
          onChange={(event) => change(event.target.value)}
          onBlur={() => setTyped(undefined)}
        />
      )}
    </Field>
  );
}
