import { useAddSharedNetworkMutation } from '../../api/admin';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';

interface Values {
  network: string;
  label: string;
}

const loadSchema = () =>
  import(/* webpackChunkName: "reason-rules" */ './schema').then((file) => file.networkSchema);

/** Puts a network on the list. */
export function AddNetwork({ onClose }: { onClose: () => void }) {
  const [add] = useAddSharedNetworkMutation();
  const toast = useToast();
  const form = useAppForm<Values>({
    schema: loadSchema,
    defaultValues: { network: '', label: '' },
    send: async (sharedNetworkBody) => {
      await add({ sharedNetworkBody }).unwrap();
      onClose();
      toast({ title: 'Network added' });
    },
    explain: ({ sentence }) => sentence,
  });
  const { register, errors, isSubmitting, problem, submit, formState } = form;

  return (
    <FormDialog
      title="Add a shared network"
      submitLabel={isSubmitting ? 'Adding...' : 'Add network'}
      busy={isSubmitting}
      dirty={formState.isDirty}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Address or network"
        hint="Such as 192.0.2.7 or 192.0.2.0/24. At most a /20, or a /40 for IPv6."
        error={errors.network?.message}
      >
        {(props) => (
          <input
            {...props}
            className="code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            {...register('network')}
          />
        )}
      </Field>
      <Field label="Name" hint="Whose network it is." error={errors.label?.message}>
        {(props) => <input {...props} autoComplete="off" required {...register('label')} />}
      </Field>
    </FormDialog>
  );
}
