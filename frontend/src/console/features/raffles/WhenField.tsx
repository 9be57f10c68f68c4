import { useId } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';

interface Props<When extends string> {
  legend: string;
  options: Record<When, string>;
  register: UseFormRegisterReturn;
}

/** At once, or with the month. */
export function WhenField<When extends string>({ legend, options, register }: Props<When>) {
  const id = useId();
  return (
    <fieldset className="raffle-when">
      <legend>{legend}</legend>
      {Object.entries<string>(options).map(([value, label]) => (
        <div className="check" key={value}>
          <input type="radio" id={`${id}-${value}`} value={value} {...register} />
          <label htmlFor={`${id}-${value}`}>{label}</label>
        </div>
      ))}
    </fieldset>
  );
}
