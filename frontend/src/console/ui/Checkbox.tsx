import { useId, type InputHTMLAttributes } from 'react';

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: string;
}

/** One thing of a form that is so or not; it counts when the form is sent. */
export function Checkbox({ label, hint, ...input }: Props) {
  const id = useId();
  return (
    <div className="check">
      <input
        {...input}
        type="checkbox"
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className="quiet-text" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
