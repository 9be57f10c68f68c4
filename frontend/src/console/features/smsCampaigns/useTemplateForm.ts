import type { FieldErrors } from 'react-hook-form';
import {
  useCreateSmsTemplateMutation,
  useUpdateSmsTemplateMutation,
  type SmsTemplateView,
} from '../../api/sms';
import type { ApiError } from '../../../shared/api/apiError';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { isMissing, REQUIRED } from './required';
import { bodyOf, newTemplate, valuesOf, type TemplateValues } from './templateValues';
import { isUnknown, useSubmitting } from '../../form/useSubmitting';

const loadSchema = () =>
  import(/* webpackChunkName: "sms-rules" */ './templateSchema').then(
    (file) => file.templateSchema,
  );

/** Creates a template or changes one; what was typed stays until it worked. */
export function useTemplateForm(edited: SmsTemplateView | undefined, onSaved: () => void) {
  const form = useAppForm<TemplateValues>({
    schema: loadSchema,
    defaultValues: edited ? valuesOf(edited) : newTemplate,
  });
  const [create] = useCreateSmsTemplateMutation();
  const [update] = useUpdateSmsTemplateMutation();
  const toast = useToast();

  async function send(values: TemplateValues) {
    const smsTemplateBody = bodyOf(values);
    if (edited) await update({ id: edited.id, smsTemplateBody }).unwrap();
    else await create({ smsTemplateBody }).unwrap();
    onSaved();
    toast({ title: `Template ${edited ? 'updated' : 'created'} successfully` });
  }

  function explain(error: ApiError): string | undefined {
    toast({
      title: `Failed to ${edited ? 'update' : 'create'} template`,
      description: error.sentence,
      tone: 'bad',
    });
    if (form.showServerErrors(error)) return undefined;
    return edited || !isUnknown(error) ? error.sentence : `${error.sentence} ${MAYBE_THERE}`;
  }

  const { pending, problem, run } = useSubmitting(explain);
  const tellMissing = (errors: FieldErrors<TemplateValues>) => {
    if (isMissing(errors)) toast({ title: REQUIRED, tone: 'bad' });
  };
  const save = () => run(form.handleSubmit(send, tellMissing));
  return { ...form, errors: form.formState.errors, pending, problem, save };
}

const MAYBE_THERE =
  'The template may be there all the same: look at the list before you try again.';
