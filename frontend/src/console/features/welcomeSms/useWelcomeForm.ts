import type { FieldErrors } from 'react-hook-form';
import { useCreateWelcomeSmsMutation, useUpdateWelcomeSmsMutation } from '../../api/sms';
import type { ApiError } from '../../../shared/api/apiError';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useSubmitting } from '../../form/useSubmitting';
import { useToast } from '../../../shared/ui/toast/useToast';
import { newWelcome, REQUIRED, type WelcomeValues } from './welcomeValues';

const loadSchema = () =>
  import(/* webpackChunkName: "welcome-rules" */ './schema').then((file) => file.welcomeSchema);

/** Creates the welcome message of a landing page or changes it; what was typed stays until it worked. */
export function useWelcomeForm(edited: WelcomeValues | undefined, onSaved: () => void) {
  const form = useAppForm<WelcomeValues>({
    schema: loadSchema,
    defaultValues: edited ?? newWelcome,
  });
  const [create] = useCreateWelcomeSmsMutation();
  const [update] = useUpdateWelcomeSmsMutation();
  const toast = useToast();

  async function send({ landingPage, messageTemplate }: WelcomeValues) {
    if (landingPage === '') return; // the schema has said so
    const message = messageTemplate.trim();
    if (edited) {
      await update({ landingPage, welcomeSmsChangeBody: { messageTemplate: message } }).unwrap();
    } else {
      await create({ welcomeSmsBody: { landingPage, messageTemplate: message } }).unwrap();
    }
    onSaved();
    toast({ title: `Welcome template ${edited ? 'updated' : 'created'} successfully` });
  }

  function explain(error: ApiError): string | undefined {
    const description = `Failed to ${edited ? 'update' : 'create'} template`;
    toast({ title: 'Error', description, tone: 'bad' });
    return form.showServerErrors(error) ? undefined : error.sentence;
  }

  const { pending, problem, run } = useSubmitting(explain);
  const tellMissing = (errors: FieldErrors<WelcomeValues>) => {
    const isMissing = Object.values(errors).some(({ message }) => message === REQUIRED);
    if (isMissing) toast({ title: REQUIRED, tone: 'bad' });
  };
  const save = () => run(form.handleSubmit(send, tellMissing));
  return { ...form, errors: form.formState.errors, pending, problem, save };
}
