import { useEditPersonMutation } from '../../api/people';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { tagsIn } from './tags';

interface NotesValues {
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
    const changed = (name: keyof NotesValues) => form.getFieldState(name).isDirty;
    const personBody = {
      ...(changed('tags') && { tags: tagsIn(values.tags) }),
      ...(changed('notes') && { notes: values.notes }),
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
  void form.formState.dirtyFields; // the form keeps track of them only if they are read
  return form;
}
