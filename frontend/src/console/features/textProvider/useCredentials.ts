import { useState } from 'react';
import type { ApiError } from '../../../shared/api/apiError';
import { useSaveCredentialsMutation } from '../../api/sms';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { isProposed, type Proposed } from '../../lib/proposal';
import { bodyOf, noCredentials, type CredentialValues } from './credentialValues';

const loadSchema = () =>
  import(/* webpackChunkName: "credential-rules" */ './credentialSchema').then(
    (file) => file.credentialSchema,
  );

/** Saves credentials; the form is emptied once they are saved. */
export function useCredentials() {
  const [saveCredentials] = useSaveCredentialsMutation();
  const toast = useToast();
  const [proposal, setProposal] = useState<Proposed>();
  const form = useAppForm<CredentialValues>({
    schema: loadSchema,
    defaultValues: noCredentials,
    send,
    explain,
  });

  async function send(values: CredentialValues) {
    setProposal(undefined);
    const answer: unknown = await saveCredentials({ credentialsBody: bodyOf(values) }).unwrap();
    form.reset(noCredentials);
    if (isProposed(answer)) return setProposal(answer);
    toast({ title: 'Credentials saved', description: 'Texts are sent with them from now on.' });
  }

  function explain(error: ApiError): string {
    const description = 'Failed to save credentials';
    toast({ title: 'Error saving credentials', description, tone: 'bad' });
    return `${description}. ${error.sentence}`;
  }

  return { ...form, proposal };
}
