import { useEditPersonMutation } from '../../api/people';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { tagsIn } from './tags';

export interface NotesValues {
  /** Separated by commas. */
  tags: string;
  notes: string;
}

const loadSchema = () =>
  import(/* webpackChunkName: "people-rules" */ './schema').then((file) => file.notesSchema);

/** Saves what was changed only, so that two people who change different things lose nothing. */
export function useNotesForm(id: number, stored: NotesValues) {
  const [edit] = useEditPersonMutation();
  const toast = useToast();

  async function send(values: NotesValues) {
    const personBody = {
      ...(values.tags !== stored.tags && { tags: tagsIn(values.tags) }),
      ...(values.notes !== stored.notes && { notes: values.notes }),
    };
    if (Object.keys(personBody).length === 0) return; // saved by the first press of two
    const saved = await edit({ id, personBody }).unwrap();
    form.reset({ tags: saved.tags.join(', '), notes: saved.notes });
    toast({ title: 'Tags and notes saved' });
  }

  const form = useAppForm<NotesValues>({
    schema: loadSchema,
    defaultValues: stored,
    send,
    explain: ({ sentence }) => sentence,
  });
  return form;
}
