import { useEffect } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import { lengthOf } from '../../../shared/lib/lengthOf';
import { appealRules, MAX_CHARS } from './appealRules';
import { useAppeal } from './useAppeal';

/** From here on it is said how much is left. */
const NEAR_LIMIT = 400;

interface Props {
  id: number;
  /** Nothing was answered to the entrant before. */
  isFirst: boolean;
  refetch: () => unknown;
  onType: () => void;
}

/** Tells staff why the entries should count. What was typed stays until it is sent. */
export function AppealForm({ id, isFirst, refetch, onType }: Props) {
  const { register, control, errors, isSubmitting, problem, submit } = useAppeal(id, refetch);
  useEffect(() => window.early?.release(), []); // submits on this page are the application's from here on
  const error = errors.message?.message;
  const describedBy = `${error ? 'appeal-error ' : ''}appeal-hint appeal-left`;
  return (
    <form onSubmit={submit} noValidate aria-label="Appeal">
      <p id="appeal-hint">
        {isFirst
          ? 'On hold means: they are in no drawing for now. If we are wrong about you, tell us. A person reads it and answers on this page.'
          : 'If there is more that we should know, you can write to us again.'}
      </p>
      <div className="field">
        <label htmlFor="appeal">Your message</label>
        <textarea
          id="appeal"
          rows={4}
          required
          aria-invalid={error !== undefined}
          aria-describedby={describedBy}
          onInput={onType}
          {...register('message', appealRules.message)}
        />
        <Left control={control} />
        {error && (
          <p className="field-error" id="appeal-error">
            {error}
          </p>
        )}
      </div>
      <div role="alert" className="problem">
        {problem}
      </div>
      <button type="submit" className="button" aria-disabled={isSubmitting}>
        {isSubmitting ? 'Sending...' : 'Send message'}
      </button>
    </form>
  );
}

function Left({ control }: { control: Control<{ message: string }> }) {
  const message = useWatch({ control, name: 'message' });
  const length = lengthOf(message.trim());
  const left = MAX_CHARS - length;
  return (
    <p className="note" id="appeal-left">
      {length >= NEAR_LIMIT && (left >= 0 ? `${left} left of ${MAX_CHARS}` : `${-left} too many`)}
    </p>
  );
}
