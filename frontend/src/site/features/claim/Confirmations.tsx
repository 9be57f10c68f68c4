import type { ReactNode } from 'react';
import type { Details } from './schema';
import { describing, FieldError, type Field } from './TextField';

interface Props {
  field: (name: keyof Details) => Field;
}

/** Three that a winner has to confirm, and one free choice. */
export function Confirmations({ field }: Props) {
  return (
    <>
      <Tick field={field('isAdult')} required>
        I was at least 18 years old on the day I entered.
      </Tick>
      <Tick field={field('isResident')} required>
        I live in the United States.
      </Tick>
      <Tick field={field('rulesAccepted')} required>
        I've read the{' '}
        <a href="/rules" target="_blank" rel="noreferrer">
          official rules
        </a>{' '}
        and agree to them.
      </Tick>
      <Tick field={field('publicity')}>
        You may publish my first name and my state with the drawing and on the pages where people
        enter. Optional: it doesn't affect your prize.
      </Tick>
    </>
  );
}

interface TickProps {
  field: Field;
  required?: boolean;
  children: ReactNode;
}

function Tick({ field, required = false, children }: TickProps) {
  const { error, ...registered } = field;
  const id = `claim-${field.name}`;
  return (
    <div>
      <label className="consent">
        <input
          id={id}
          type="checkbox"
          required={required}
          {...describing(id, error)}
          {...registered}
        />
        <span>{children}</span>
      </label>
      <FieldError id={id} error={error} />
    </div>
  );
}
