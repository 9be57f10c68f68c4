import { useWatch, type Control, type UseFormRegisterReturn } from 'react-hook-form';
import { lengthOf } from '../../shared/lib/lengthOf';
import { MAX_CHARS } from '../lib/messageRules';

/** From here on it is said how much is left. */
const NEAR_LIMIT = 400;

interface Props {
  /** Of the input; the ids around it begin with it. */
  id: string;
  field: UseFormRegisterReturn;
  control: Control<{ message: string }>;
  error: string | undefined;
  onType?: () => void;
}

/** What people write to staff. `{id}-hint` is the sentence before it, which says what for. */
export function MessageField({ id, field, control, error, onType }: Props) {
  const describedBy = `${error ? `${id}-error ` : ''}${id}-hint ${id}-left`;
  return (
    <div className="field">
      <label htmlFor={id}>Your message</label>
      <textarea
        id={id}
        rows={4}
        required
        aria-invalid={error !== undefined}
        aria-describedby={describedBy}
        onInput={onType}
        {...field}
      />
      <Left id={`${id}-left`} control={control} />
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

function Left({ id, control }: { id: string; control: Control<{ message: string }> }) {
  const message = useWatch({ control, name: 'message' });
  const length = lengthOf(message.trim());
  const left = MAX_CHARS - length;
  return (
    <p className="note" id={id}>
      {length >= NEAR_LIMIT && (left >= 0 ? `${left} left of ${MAX_CHARS}` : `${-left} too many`)}
    </p>
  );
}
