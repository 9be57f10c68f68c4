import type { ApiError } from '../../../shared/api/apiError';
import { useSaveCredentialsMutation } from '../../api/sms';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useSubmitting } from '../../form/useSubmitting';
import { useToast } from '../../../shared/ui/toast/useToast';
import { bodyOf, noCredentials, type CredentialValues } from './credentialValues';

const loadSchema = () =>
  import(/* webpackChunkName: "credential-rules" */ './credentialSchema').then(
    (file) => file.credentialSchema,
  );

/** Saves credentials; the form is emptied once they are saved, and kept when they were not. */
export function useCredentials() {
  const form = useAppForm<CredentialValues>({ schema: loadSchema, defaultValues: noCredentials });
  const [saveCredentials] = useSaveCredentialsMutation();
  const toast = useToast();

  async function send(values: CredentialValues) {
    await saveCredentials({ credentialsBody: bodyOf(values) }).unwrap();
    form.reset(noCredentials);
    toast({ title: 'Credentials saved', description: 'Texts are sent with them from now on.' });
  }

  function explain(error: ApiError): string | undefined {
    const description = 'Failed to save credentials';
    toast({ title: 'Error saving credentials', description, tone: 'bad' });
    return form.showServerErrors(error) ? undefined : `${description}. ${error.sentence}`;
  }

  const { pending, problem, run } = useSubmitting(explain);
  const save = () => run(form.handleSubmit(send));
  return { ...form, errors: form.formState.errors, pending, problem, save };
}
