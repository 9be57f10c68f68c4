import type { FieldErrors } from 'react-hook-form';
import {
  useCreateSmsTemplateMutation,
  useUpdateSmsTemplateMutation,
  type SmsTemplateView,
} from '../../api/sms';
import type { ApiError } from '../../../shared/api/apiError';
import { isUnknown } from '../../../shared/api/isUnknown';
import { useAppForm } from '../../../shared/form/useAppForm';
import { useToast } from '../../../shared/ui/toast/useToast';
import { isMissing, REQUIRED } from './required';
import { bodyOf, newTemplate, valuesOf, type TemplateValues } from './templateValues';

const loadSchema = () =>
  import(/* webpackChunkName: "sms-rules" */ './templateSchema').then(
    (file) => file.templateSchema,
  );

/** Creates a template or changes one. */
export function useTemplateForm(edited: SmsTemplateView | undefined, onSaved: () => void) {
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

  function explain(error: ApiError): string {
    toast({
      title: `Failed to ${edited ? 'update' : 'create'} template`,
      description: error.sentence,
      tone: 'bad',
    });
    const isSafe = edited || !isUnknown(error);
    return isSafe ? error.sentence : `${error.sentence} ${MAYBE_CREATED}`;
  }

  function onInvalid(errors: FieldErrors<TemplateValues>) {
    if (isMissing(errors)) toast({ title: REQUIRED, tone: 'bad' });
  }

  return useAppForm<TemplateValues>({
    schema: loadSchema,
    defaultValues: edited ? valuesOf(edited) : newTemplate(),
    send,
    explain,
    onInvalid,
  });
}

const MAYBE_CREATED =
  'The template may have been created anyway: check the list before you try again.';
