import { useWatch } from 'react-hook-form';
import type { SmsTemplateView } from '../../api/sms';
import { insertInto } from '../../form/insertInto';
import { useUnsavedChanges } from '../../form/unsavedChanges';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Checkbox';
import { Field } from '../../ui/Field';
import { FormActions } from '../../ui/FormActions';
import { MessagePreview } from '../../ui/MessagePreview';
import { RaffleSelect } from '../../ui/RaffleSelect';
import { exampleText, inPlainWords, LINK } from './templateValues';
import { useTemplateForm } from './useTemplateForm';

interface Props {
  /** Without one, a new one is made. */
  edited?: SmsTemplateView;
  onClose: () => void;
}

export function TemplateForm({ edited, onClose }: Props) {
  const form = useTemplateForm(edited, onClose);
  const { register, errors, isSubmitting, problem, submit } = form;
  const leave = useUnsavedChanges(form.formState.isDirty);
  const placeholder = edited?.linkPlaceholder ?? LINK;

  return (
    <form className="sms-form" onSubmit={submit} noValidate>
      <div className="field-pair">
        <Field label="Name" hint="Only staff see it." error={errors.name?.message}>
          {(props) => <input {...props} autoComplete="off" required {...register('name')} />}
        </Field>
        <Field label="Landing page" error={errors.landingPage?.message}>
          {(props) => <RaffleSelect {...props} {...register('landingPage')} />}
        </Field>
      </div>
      <Field
        label="Message template"
        hint={`${placeholder} becomes each recipient's own link.`}
        error={errors.messageTemplate?.message}
      >
        {(props) => <textarea {...props} rows={5} required {...register('messageTemplate')} />}
      </Field>
      <div>
        <Button size="small" onClick={(event) => insertInto(event, 'messageTemplate', placeholder)}>
          Insert {placeholder}
        </Button>
      </div>
      <LivePreview form={form} />
      <Checkbox
        label="Active"
        hint="Only active templates can be chosen for a campaign."
        {...register('isActive')}
      />
      <FormActions
        submitLabel={isSubmitting ? 'Saving...' : edited ? 'Save template' : 'Create template'}
        busy={isSubmitting}
        problem={problem}
        onCancel={() => leave(onClose)}
      />
    </form>
  );
}

function LivePreview({
  form: { control, setValue },
}: {
  form: ReturnType<typeof useTemplateForm>;
}) {
  const [message, placeholder, landingPage] = useWatch({
    control,
    name: ['messageTemplate', 'linkPlaceholder', 'landingPage'],
  });
  const takePlain = () =>
    setValue('messageTemplate', inPlainWords(message, placeholder), {
      shouldDirty: true,
      shouldValidate: true,
    });
  return (
    <MessagePreview text={exampleText(message, placeholder, landingPage)} onPlain={takePlain} />
  );
}
