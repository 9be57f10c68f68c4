import type { UseFormRegisterReturn } from 'react-hook-form';

/** An input of the form, with what is wrong with it. */
export type Field = UseFormRegisterReturn & { error: string | undefined };

interface Props {
  label: string;
  autoComplete: string;
  inputMode?: 'numeric';
  isOptional?: boolean;
  field: Field;
}

export function TextField({ label, field, isOptional = false, ...input }: Props) {
  const { error, ...registered } = field;
  const id = `claim-${field.name}`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        required={!isOptional}
        {...input}
        {...describing(id, error)}
        {...registered}
      />
      <FieldError id={id} error={error} />
    </div>
  );
}

/** Connects an input with its error. */
export const describing = (id: string, error: string | undefined) => ({
  'aria-invalid': error !== undefined,
  ...(error && { 'aria-describedby': `${id}-error` }),
});

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null;
  return (
    <p className="field-error" id={`${id}-error`}>
      {error}
    </p>
  );
}
