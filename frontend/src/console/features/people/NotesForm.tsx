import { useEffect, useRef } from 'react';
import { useUnsavedChanges } from '../../form/unsavedChanges';
import { Card } from '../../ui/Card';
import { Field } from '../../ui/Field';
import { FormActions } from '../../ui/FormActions';
import { useNotesForm } from './useNotesForm';

interface Props {
  id: number;
  tags: string[];
  notes: string;
}

/** What staff note about a person. A change by somebody else shows as long as nothing is typed here. */
export function NotesForm({ id, tags, notes }: Props) {
  const stored = tags.join(', ');
  const form = useNotesForm(id, { tags: stored, notes });
  const { register, errors, isSubmitting, problem, submit, reset, formState } = form;
  const { isDirty } = formState;
  useUnsavedChanges(isDirty);
  // After saving, the old values stay stored here until they are fetched again: the form does not go back to them.
  const shown = useRef({ tags: stored, notes });
  useEffect(() => {
    const unchanged = shown.current.tags === stored && shown.current.notes === notes;
    if (isDirty || unchanged) return;
    shown.current = { tags: stored, notes };
    reset(shown.current);
  }, [isDirty, reset, stored, notes]);

  return (
    <Card
      title="Tags and notes"
      note="Only staff see them. They are in a copy of the person's data."
    >
      <form className="person-form" onSubmit={submit} noValidate aria-label="Tags and notes">
        <Field
          label="Tags"
          hint="Separated by commas, at most 20 of 40 characters."
          error={errors.tags?.message}
        >
          {(props) => <input {...props} autoComplete="off" {...register('tags')} />}
        </Field>
        <Field label="Notes" error={errors.notes?.message}>
          {(props) => <textarea {...props} rows={4} {...register('notes')} />}
        </Field>
        <FormActions
          submitLabel={isSubmitting ? 'Saving...' : 'Save'}
          busy={isSubmitting}
          problem={problem}
          variant="secondary"
          {...(isDirty && { onCancel: () => reset({ tags: stored, notes }) })}
        />
      </form>
    </Card>
  );
}
