import type { FieldErrors } from 'react-hook-form';
import { useCreateWelcomeSmsMutation, useUpdateWelcomeSmsMutation } from '../../api/sms';
import type { ApiError } from '../../../shared/api/apiError';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { newWelcome, REQUIRED, type WelcomeValues } from './welcomeValues';

const loadSchema = () =>
  import(/* webpackChunkName: "welcome-rules" */ './schema').then((file) => file.welcomeSchema);

/** Creates the welcome message of a landing page or changes it. */
export function useWelcomeForm(edited: WelcomeValues | undefined, onSaved: () => void) {
  const [create] = useCreateWelcomeSmsMutation();
  const [update] = useUpdateWelcomeSmsMutation();
  const toast = useToast();

  async function send({ landingPage, messageTemplate }: WelcomeValues) {
    if (landingPage === '') return; // the schema has rejected this
    if (edited) await update({ landingPage, welcomeSmsChangeBody: { messageTemplate } }).unwrap();
    else await create({ welcomeSmsBody: { landingPage, messageTemplate } }).unwrap();
    onSaved();
    toast({ title: `Welcome template ${edited ? 'updated' : 'created'} successfully` });
  }

  function explain(error: ApiError): string {
    const description = `Failed to ${edited ? 'update' : 'create'} template`;
    toast({ title: 'Error', description, tone: 'bad' });
    return error.sentence;
  }

  function onInvalid(errors: FieldErrors<WelcomeValues>) {
    const isMissing = Object.values(errors).some(({ message }) => message === REQUIRED);
    if (isMissing) toast({ title: REQUIRED, tone: 'bad' });
  }

  return useAppForm<WelcomeValues>({
    schema: loadSchema,
    defaultValues: edited ?? newWelcome,
    send,
    explain,
    onInvalid,
  });
}
